#include "report/kit/csv.h"

#include <inttypes.h>

#include "base/memory.h"
#include "base/utf8.h"

struct csv {
    const struct table_kind *kind;
    FILE *out;
};

/* A spreadsheet takes a text for a formula also after blanks and in the width of Chinese
 * letters. */
static bool is_formula(const char *text)
{
    uint32_t first;
    do
        first = utf8_next(&text);
    while (first == ' ' || (first >= '\t' && first <= '\r') || first == 0xA0 || first == 0x3000);
    switch (first) {
    case '=':
    case '+':
    case '-':
    case '@':
    case '|':
    case 0xFF1D:
    case 0xFF0B:
    case 0xFF0D:
    case 0xFF20:
        return true;
    default:
        return false;
    }
}

static void csv_text(FILE *out, const char *text)
{
    struct str clean = {0};
    for (uint32_t point; text && (point = utf8_next(&text)) != 0;)
        utf8_append(&clean, point >= '\t' && point <= '\r' ? point : utf8_shown(point));
    putc('"', out);
    if (is_formula(str_text(&clean)))
        putc('\'', out);
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
