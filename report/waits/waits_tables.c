#include "report/waits/waits_tables.h"

#include <math.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "report/waits/waits_drawing.h"
#include "report/waits/waits_report.h"

#define TABLE_KIND(name, columns)                                                                  \
    {                                                                                              \
        name, columns, sizeof(columns) / sizeof *(columns)                                         \
    }

static const struct table_column group_columns[] = {
    {"group", TABLE_NUMBER, false},     {"kind", TABLE_TEXT, false},
    {"process", TABLE_TEXT, false},     {"name", TABLE_TEXT, false},
    {"main", TABLE_NUMBER, false},      {"of_run", TABLE_NUMBER, false},
    {"members", TABLE_NUMBER, false},   {"blamed_ns", TABLE_NUMBER, false},
    {"within_ns", TABLE_NUMBER, false}, {"unfinished_ns", TABLE_NUMBER, false}};
static const struct table_column edge_columns[] = {{"edge", TABLE_NUMBER, false},
                                                   {"from", TABLE_NUMBER, false},
                                                   {"to", TABLE_NUMBER, false},
                                                   {"count", TABLE_NUMBER, false},
                                                   {"longest_ns", TABLE_NUMBER, false},
                                                   {"raw_ns", TABLE_NUMBER, false},
                                                   {"cascaded_ns", TABLE_NUMBER, false},
                                                   {"leaf_ns", TABLE_NUMBER, false},
                                                   {"share_ppm", TABLE_NUMBER, false},
                                                   {"share_low_ppm", TABLE_NUMBER, false},
                                                   {"share_high_ppm", TABLE_NUMBER, false},
                                                   {"counts", TABLE_NUMBER, false},
                                                   {"support_ppm", TABLE_NUMBER, false},
                                                   {"in_knot", TABLE_NUMBER, false}};
static const struct table_column processor_columns[] = {
    {"from", TABLE_NUMBER, false},          {"had", TABLE_NUMBER, true},
    {"time_ns", TABLE_NUMBER, false},       {"share_ppm", TABLE_NUMBER, false},
    {"share_low_ppm", TABLE_NUMBER, false}, {"share_high_ppm", TABLE_NUMBER, false}};

const struct table_kind wait_groups_table = TABLE_KIND("wait_groups", group_columns);
const struct table_kind wait_edges_table = TABLE_KIND("wait_edges", edge_columns);
const struct table_kind wait_processor_table = TABLE_KIND("wait_processor", processor_columns);

static int64_t ppm(double share)
{
    return llround(share * 1e6);
}

void wait_groups_add_all(struct table *table, const struct waits *waits)
{
    for (uint32_t g = 0; g < waits->graph.group_count; g++) {
        const struct wait_group *group = &waits->graph.groups[g];
        table_add(table, (struct table_value[]){{.number = g},
                                                {.text = waits_kind_name(group->kind)},
                                                {.text = group->process},
                                                {.text = group->name},
                                                {.number = group->main},
                                                {.number = group->of_run},
                                                {.number = group->members},
                                                {.number = group->blamed},
                                                {.number = group->within},
                                                {.number = group->unfinished}});
    }
}

void wait_edges_add_all(struct table *table, const struct waits *waits)
{
    for (uint32_t e = 0; e < waits->graph.edge_count; e++) {
        const struct wait_edge *edge = &waits->graph.edges[e];
        table_add(table, (struct table_value[]){{.number = e},
                                                {.number = edge->from},
                                                {.number = edge->to},
                                                {.number = (int64_t)edge->count},
                                                {.number = edge->longest},
                                                {.number = cascade_sum(edge->raw)},
                                                {.number = cascade_sum(edge->cascaded)},
                                                {.number = cascade_sum(edge->leaf)},
                                                {.number = ppm(edge->raw_share.value)},
                                                {.number = ppm(edge->raw_share.ci95[0])},
                                                {.number = ppm(edge->raw_share.ci95[1])},
                                                {.number = waits->counts[e]},
                                                {.number = ppm(waits->support[e])},
                                                {.number = waits_edge_in_knot(waits, e)}});
    }
}

void wait_processor_add_all(struct table *table, const struct waits *waits)
{
    for (uint32_t i = 0; i < waits->queue.count; i++) {
        const struct run_queue_charge *charge = &waits->queue.charges[i];
        table_add(table, (struct table_value[]){
                             {.number = charge->who},
                             {.number = charge->had, .missing = charge->had == NO_GROUP},
                             {.number = charge->time},
                             {.number = ppm(charge->share.value)},
                             {.number = ppm(charge->share.ci95[0])},
                             {.number = ppm(charge->share.ci95[1])}});
    }
}

/* ---- Graphviz ---- */

/* A name within quotes: Graphviz knows no other escape than these. */
static void put_quoted(FILE *out, const char *text)
{
    struct str clean = {0};
    utf8_printable(&clean, text, false);
    for (const char *c = str_text(&clean); *c; c++) {
        if (*c == '"' || *c == '\\')
            putc('\\', out);
        putc(*c, out);
    }
    str_release(&clean);
}

static void put_group(FILE *out, const struct waits *waits, uint32_t group)
{
    struct str name = {0};
    bool thread = waits->graph.groups[group].kind == VERTEX_THREAD;
    waits_group_name(waits, group, &name);
    fprintf(out, "  n%u [label=\"", group);
    put_quoted(out, str_text(&name));
    fprintf(out, "\", shape=%s%s];\n", thread ? "box" : "ellipse",
            waits_group_in_knot(waits, group) ? ", color=\"#c2581a\", penwidth=2" : "");
    str_release(&name);
}

void waits_dot_write(FILE *out, const struct waits *waits, double least)
{
    const struct wait_graph *graph = &waits->graph;
    bool *shown = memory_zeroed(graph->group_count + 1);
    fputs("digraph waits {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n"
          "  edge [fontname=\"sans-serif\"];\n",
          out);
    for (uint32_t e = 0; e < graph->edge_count; e++) {
        const struct wait_edge *edge = &graph->edges[e];
        if (!waits->counts[e] || edge->raw_share.value < least)
            continue;
        shown[edge->from] = shown[edge->to] = true;
        fprintf(out, "  n%u -> n%u [label=\"%s\", penwidth=%.1f%s];\n", edge->from, edge->to,
                number_percent_short(edge->raw_share.value).text,
                0.8 + 8 * fmin(edge->raw_share.value, 1),
                waits_edge_in_knot(waits, e) ? ", color=\"#c2581a\"" : "");
    }
    for (uint32_t g = 0; g < graph->group_count; g++)
        if (shown[g])
            put_group(out, waits, g);
    fputs("}\n", out);
    memory_free(shown);
}
