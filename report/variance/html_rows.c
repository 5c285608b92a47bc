/* The shown intervals as data: from these the script adds up, for those that are chosen and for the
 * rest, what the root ledger, the waterfall and the icicle are made of.
 *
 *     a column: the time of one line in one box of the icicle
 *     a row:    an interval; its columns add up to its latency, to the ns
 *
 * What does not matter by itself is put to the box above, and to a line "n more". */
#include "report/variance/html_parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "report/kit/json_parts.h"
#include "report/variance/outline.h"

enum { MOST_CELLS = 36000, MOST_LINES = 24, NAME_COLUMNS = 60 };

#define LEAST_NODE 0.004 /* of the variance, the tail or the time: less is no column of its own */
#define LEAST_LINE 0.01  /* the same of a line */

struct column {
    uint32_t box, line;
    double sum;
    uint32_t number; /* that it was met as */
};

struct columns {
    const struct variance_report *report;
    const uint32_t *box_of;
    uint32_t *anchors; /* by node: the nearest one above it, or itself, that matters */
    uint32_t *line_of; /* by line: its number here */
    uint32_t line_count;
    struct intern keys;
    struct column *items;
    uint32_t count, capacity;
    uint32_t *of; /* by node: the column of a leaf */
    int64_t *row; /* by column */
    size_t cells; /* that are not 0 */
};

static bool node_matters(const struct variance_tree *tree, uint32_t node, double least)
{
    double mean_ns = tree->intervals.mean_ns;
    return outline_matters(tree, node, least) || fabs(tree->nodes[node].tail_share) >= least ||
           tree->nodes[node].mean_ns >= least * mean_ns;
}

static void find_anchors(struct columns *c, double least)
{
    const struct variance_tree *tree = c->report->tree;
    for (uint32_t n = 1; n < tree->node_count; n++)
        c->anchors[n] = node_matters(tree, n, least) ? n : c->anchors[tree->nodes[n].parent];
}

static bool line_matters(const struct variance_report *report, const struct ledger_line *line)
{
    double whole = (double)report->tree->nodes[0].moments.sum;
    return fabs(line->all.share) >= LEAST_LINE || fabs(line->all.tail_share) >= LEAST_LINE ||
           (double)line->all.sum >= LEAST_LINE * whole;
}

/* The last line stands for all that do not matter. */
static void number_lines(struct columns *c)
{
    const struct root_ledger *ledger = c->report->roots;
    c->line_of = memory_zeroed(sizeof *c->line_of * (ledger->count + 1));
    for (uint32_t i = 0; i < ledger->count; i++) {
        bool own = c->line_count < MOST_LINES && line_matters(c->report, &ledger->lines[i]);
        c->line_of[i] = own ? c->line_count++ : UINT32_MAX;
    }
    for (uint32_t i = 0; i < ledger->count; i++)
        if (c->line_of[i] == UINT32_MAX)
            c->line_of[i] = c->line_count;
}

static uint32_t column_of(struct columns *c, uint32_t node)
{
    uint32_t box = c->box_of[c->anchors[node]],
             line = c->line_of[c->report->tree->nodes[node].owner];
    struct str key = {0};
    str_printf(&key, "%u %u", box, line);
    uint32_t number = intern_add(&c->keys, key.data);
    str_release(&key);
    if (number == c->count)
        VEC_PUSH(c->items, c->count, c->capacity) =
            (struct column){.box = box, .line = line, .number = number};
    return number;
}

static void add_row(struct columns *c, const struct shown_row *row)
{
    const struct shown_rows *rows = c->report->rows;
    for (uint32_t i = 0; i < c->count; i++)
        c->row[i] = 0;
    for (size_t k = 0; k < row->cell_count; k++) {
        const struct cell *cell = &rows->cells[row->first_cell + k];
        c->row[c->of[cell->node]] += cell->own_ns;
    }
}

static void make_columns(struct columns *c, double least)
{
    const struct variance_tree *tree = c->report->tree;
    const struct shown_rows *rows = c->report->rows;
    intern_release(&c->keys);
    c->count = 0;
    c->cells = 0;
    find_anchors(c, least);
    for (uint32_t n = 0; n < tree->node_count; n++)
        if (tree->nodes[n].first_child == NODE_NONE)
            c->of[n] = column_of(c, n);
    c->row = memory_resize(c->row, sizeof *c->row * (c->count + 1));
    for (uint32_t r = 0; r < rows->count; r++) {
        add_row(c, &rows->rows[r]);
        for (uint32_t i = 0; i < c->count; i++) {
            c->items[i].sum += (double)c->row[i];
            c->cells += c->row[i] != 0;
        }
    }
}

static int column_order(const void *a, const void *b)
{
    const struct column *s = a, *t = b;
    if (s->sum != t->sum)
        return s->sum > t->sum ? -1 : 1;
    return s->number < t->number ? -1 : 1;
}

/* The columns stand by size, so that a row may end where only small ones would follow. */
static void sort_columns(struct columns *c)
{
    uint32_t *place = memory_alloc(sizeof *place * (c->count + 1));
    qsort(c->items, c->count, sizeof *c->items, column_order);
    for (uint32_t i = 0; i < c->count; i++)
        place[c->items[i].number] = i;
    for (uint32_t n = 0; n < c->report->tree->node_count; n++)
        if (c->report->tree->nodes[n].first_child == NODE_NONE)
            c->of[n] = place[c->of[n]];
    memory_free(place);
}

static void columns_init(struct columns *c, const struct variance_report *report,
                         const uint32_t *box_of)
{
    uint32_t nodes = report->tree->node_count;
    *c = (struct columns){.report = report, .box_of = box_of};
    c->anchors = memory_zeroed(sizeof *c->anchors * nodes);
    c->of = memory_zeroed(sizeof *c->of * nodes);
    number_lines(c);
    double least = LEAST_NODE;
    make_columns(c, least);
    for (; c->cells > MOST_CELLS && least < 1; least *= 2)
        make_columns(c, least);
    sort_columns(c);
}

static void columns_release(struct columns *c)
{
    intern_release(&c->keys);
    memory_free(c->anchors);
    memory_free(c->line_of);
    memory_free(c->items);
    memory_free(c->of);
    memory_free(c->row);
}

/* Appends "," and the number in base 36, nothing for 0. */
static void push_number(struct str *out, int64_t number)
{
    char digits[16];
    size_t at = sizeof digits;
    uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;
    str_append(out, number < 0 ? ",-" : ",");
    for (; left; left /= 36)
        digits[--at] = "0123456789abcdefghijklmnopqrstuvwxyz"[left % 36];
    str_append_bytes(out, digits + at, sizeof digits - at);
}

static json_t *row_json(struct columns *c, const struct shown_row *row)
{
    struct str text = {0};
    uint32_t last = c->count;
    add_row(c, row);
    while (last > 0 && c->row[last - 1] == 0)
        last--;
    push_number(&text, row->type);
    push_number(&text, row->stratum);
    for (uint32_t i = 0; i < last; i++)
        push_number(&text, c->row[i]);
    json_t *json = json_text(text.data + 1);
    str_release(&text);
    return json;
}

static json_t *line_json(const char *name, const char *place, uint32_t shade)
{
    json_t *fields = json_array();
    struct str fitted = {0};
    utf8_fit(&fitted, name, NAME_COLUMNS, true);
    json_push(fields, json_text(str_text(&fitted)));
    json_push(fields, json_text(place));
    json_push(fields, json_integer(shade));
    str_release(&fitted);
    return fields;
}

static json_t *lines_json(const struct columns *c)
{
    const struct root_ledger *ledger = c->report->roots;
    json_t *lines = json_array();
    uint32_t left = 0;
    for (uint32_t i = 0; i < ledger->count; i++) {
        const struct ledger_line *line = &ledger->lines[i];
        struct str place = {0};
        left += c->line_of[i] == c->line_count;
        if (line->file[0] && line->kind != OWNER_OUTSIDE)
            str_printf(&place, line->line ? "%.60s:%u" : "%.60s", line->file, line->line);
        if (c->line_of[i] < c->line_count)
            json_push(lines, line_json(line->name, str_text(&place), ledger_shade(ledger, i)));
        str_release(&place);
    }
    if (left) {
        struct str name = {0};
        str_printf(&name, "%u more", left);
        json_push(lines, line_json(name.data, "", 0));
        str_release(&name);
    }
    return lines;
}

static json_t *columns_json(const struct columns *c)
{
    json_t *columns = json_array();
    for (uint32_t i = 0; i < c->count; i++) {
        json_t *fields = json_array();
        json_push(fields, json_integer(c->items[i].box));
        json_push(fields, json_integer(c->items[i].line));
        json_push(columns, fields);
    }
    return columns;
}

static json_t *strata_json(const struct shown_rows *rows)
{
    json_t *strata = json_array();
    for (uint32_t s = 0; s < rows->stratum_count; s++) {
        json_t *fields = json_array();
        json_push(fields, json_count(rows->strata[s].count));
        json_push(fields, json_integer(rows->strata[s].kept));
        json_push(strata, fields);
    }
    return strata;
}

static json_t *types_json(const struct interval_summary *intervals)
{
    json_t *types = json_array();
    for (uint32_t t = 0; t < intervals->type_count; t++) {
        const char *name = intervals->types[t].name;
        json_push(types, json_text(name[0] ? name : "(no type)"));
    }
    return types;
}

static json_t *edges_json(const struct histogram *histogram)
{
    json_t *edges = json_array();
    for (uint32_t i = 0; i <= histogram->bin_count; i++)
        json_push(edges, json_integer(histogram->edges[i]));
    return edges;
}

/* One may choose where there are several bins, or several types. */
static bool can_choose(const struct variance_report *report)
{
    return report->rows && report->rows->count > 1 && report->roots->count &&
           outline_varies(report->tree) && report->of->intervals->histogram.bin_count > 1;
}

void html_choice(const struct variance_report *report, struct str *out)
{
    if (!can_choose(report))
        return;
    str_append(out,
               "<div class=\"choice\" id=\"choice\" role=\"group\" aria-label=\"Choose intervals\" "
               "hidden>\n<span>What makes some different from the rest? Draw over the bars, or "
               "choose:</span> "
               "<label>from <select id=\"choice-from\"></select></label> "
               "<label>to <select id=\"choice-to\"></select></label> "
               "<label>type <select id=\"choice-type\"></select></label> "
               "<button type=\"button\" id=\"choice-all\" disabled>All intervals</button>"
               "<output id=\"choice-said\"></output></div>\n");
}

/* The script reads
 *   {"intervals": .., "types": [...], "edges": [ns, ...], "lines": [[name, place, shade], ...],
 *    "columns": [[box, line], ...], "strata": [[count, kept], ...], "rows": ["...", ...]}
 * where a row is "type,stratum,ns,ns,..." in base 36, and a number that is not there is 0. */
void html_rows(const struct variance_report *report, const uint32_t *box_of, struct str *out)
{
    struct columns columns;
    if (!can_choose(report))
        return;
    columns_init(&columns, report, box_of);
    json_t *object = json_object(), *rows = json_array();
    for (uint32_t r = 0; r < report->rows->count; r++)
        json_push(rows, row_json(&columns, &report->rows->rows[r]));
    json_set(object, "intervals", json_count(report->tree->intervals.count));
    json_set(object, "types", types_json(&report->tree->intervals));
    json_set(object, "edges", edges_json(&report->of->intervals->histogram));
    json_set(object, "lines", lines_json(&columns));
    json_set(object, "columns", columns_json(&columns));
    json_set(object, "strata", strata_json(report->rows));
    json_set(object, "rows", rows);
    str_append(out, "<script type=\"application/json\" id=\"rows-data\">");
    html_json(out, object);
    str_append(out, "</script>\n");
    columns_release(&columns);
}
