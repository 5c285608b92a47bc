/* report_print CASE FORMAT [COLUMNS [utf8|ascii [color]]] - prints a sample of sample.h.
 *
 * FORMAT: text, json, html, nodes, parquet, intervals, folded, dot, speedscope, chrome. Where a
 * format tells of intervals or threads, it gets ones that are named as the nodes are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/kit/chrome.h"
#include "report/kit/csv.h"
#include "report/kit/parquet.h"
#include "report/variance/run_tables.h"
#include "report/variance/speedscope.h"
#include "report/variance/stacks.h"
#include "sample.h"

/* Two threads that each run every node as a call, the second woken by the first. */
static void make_view(const struct variance_tree *tree, struct track_view *view)
{
    static struct track_arrow arrow = {.from = 0, .to = 1, .from_ns = 0, .to_ns = 1};
    *view = (struct track_view){.what = "slowest",
                                .name = "slowest: <interval> 17",
                                .type = "",
                                .latency_ns = 2 * (int64_t)tree->node_count,
                                .tracks = memory_zeroed(2 * sizeof(struct track)),
                                .track_count = 2,
                                .arrows = &arrow,
                                .arrow_count = 1};
    for (uint32_t t = 0; t < 2; t++) {
        struct track_event *events = memory_zeroed(2 * sizeof *events * (tree->node_count + 1));
        view->tracks[t] = (struct track){
            .pid = 1, .tid = t + 1, .events = events, .event_count = 2 * (size_t)tree->node_count};
        for (uint32_t i = 0; i < tree->node_count; i++) {
            const char *name = tree->nodes[i].name;
            events[2 * i] = (struct track_event){2 * (int64_t)i, name, true, false};
            events[2 * i + 1] = (struct track_event){2 * (int64_t)i + 1, name, false, false};
        }
    }
}

static void print_view(const struct variance_tree *tree, bool speedscope, struct str *text)
{
    struct track_view view;
    make_view(tree, &view);
    if (speedscope)
        speedscope_write(text, tree, &view, 1);
    else
        chrome_write(text, &view, 1);
    for (uint32_t t = 0; t < view.track_count; t++)
        memory_free(view.tracks[t].events);
    memory_free(view.tracks);
}

static void print_nodes(const struct variance_tree *tree, const struct table_format *format)
{
    struct table *nodes = table_open(&nodes_table, format, stdout);
    nodes_add_all(nodes, tree);
    table_close(nodes);
}

static void print_intervals(const struct variance_tree *tree)
{
    struct table *intervals = table_open(&intervals_table, &csv_format, stdout);
    for (uint32_t i = 0; i < tree->node_count; i++) {
        struct cell_row row = {.number = i};
        struct interval_facts facts = {.host = tree->nodes[i].name, .type = tree->nodes[i].name};
        intervals_add(intervals, &row, &facts);
    }
    table_close(intervals);
}

static bool print(const struct sample *sample, int argc, char **argv)
{
    struct text_style style = {.columns = argc > 3 ? (unsigned)atoi(argv[3]) : 100,
                               .utf8 = argc <= 4 || strcmp(argv[4], "utf8") == 0,
                               .color = argc > 5 && strcmp(argv[5], "color") == 0};
    struct str text = {0};
    const char *format = argv[2];
    if (strcmp(format, "text") == 0)
        report_write_text(&sample->report, &style, stdout);
    else if (strcmp(format, "json") == 0)
        report_write_json(&sample->report, &text);
    else if (strcmp(format, "html") == 0)
        report_write_html(&sample->report, &text);
    else if (strcmp(format, "nodes") == 0)
        print_nodes(&sample->tree, &csv_format);
    else if (strcmp(format, "parquet") == 0)
        print_nodes(&sample->tree, &parquet_format);
    else if (strcmp(format, "intervals") == 0)
        print_intervals(&sample->tree);
    else if (strcmp(format, "folded") == 0)
        folded_write(stdout, &sample->tree, STACK_SHARE);
    else if (strcmp(format, "dot") == 0)
        dot_write(stdout, &sample->tree, 0);
    else if (strcmp(format, "speedscope") == 0 || strcmp(format, "chrome") == 0)
        print_view(&sample->tree, format[0] == 's', &text);
    else
        return false;
    fputs(str_text(&text), stdout);
    str_release(&text);
    return true;
}

int main(int argc, char **argv)
{
    struct sample sample;
    if (argc < 3) {
        fprintf(stderr,
                "usage: report_print CASE FORMAT [COLUMNS [utf8|ascii [color]]], see the source\n");
        return 2;
    }
    bool ok = sample_init(&sample, argv[1]) && print(&sample, argc, argv);
    sample_release(&sample);
    return ok ? 0 : 2;
}
