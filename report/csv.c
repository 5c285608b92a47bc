#include "report/csv.h"

#include <inttypes.h>

#include "base/memory.h"
#include "report/utf8.h"

struct csv {
    const struct table_kind *kind;
    FILE *out;
};

static void csv_text(FILE *out, const char *text)
{
    struct str clean = {0};
    utf8_clean(&clean, text ? text : "");
    putc('"', out);
    for (const char *c = str_text(&clean); *c; c++) {
        if (*c == '"')
            putc('"', out);
        putc(*c, out);
    }
    putc('"', out);
    str_release(&clean);
}

static void *csv_begin(const struct table_kind *kind, FILE *out)
{
    struct csv *csv = memory_zeroed(sizeof *csv);
    *csv = (struct csv){kind, out};
    for (size_t c = 0; c < kind->column_count; c++)
        fprintf(out, "%s%s", c ? "," : "", kind->columns[c].name);
    fputs("\r\n", out);
    return csv;
}

static void csv_add(void *state, const struct table_value *row)
{
    const struct csv *csv = state;
    for (size_t c = 0; c < csv->kind->column_count; c++) {
        if (c)
            putc(',', csv->out);
        if (csv->kind->columns[c].type == TABLE_TEXT)
            csv_text(csv->out, row[c].text);
        else if (!row[c].missing)
            fprintf(csv->out, "%" PRId64, row[c].number);
    }
    fputs("\r\n", csv->out);
}

const struct table_format csv_format = {
    .suffix = "csv", .begin = csv_begin, .add = csv_add, .end = memory_free};
