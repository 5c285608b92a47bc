/* report_print CASE text|json|html|nodes|parquet|folded|dot [COLUMNS [utf8|ascii [color]]] - prints
 * a sample of sample.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/csv.h"
#include "report/parquet.h"
#include "report/run_tables.h"
#include "report/stacks.h"
#include "sample.h"

static void print_nodes(const struct sample *sample, const struct table_format *format)
{
    struct table *nodes = table_open(&nodes_table, format, stdout);
    nodes_add_all(nodes, &sample->tree);
    table_close(nodes);
}

static bool print(const struct sample *sample, int argc, char **argv)
{
    struct text_style style = {.columns = argc > 3 ? (unsigned)atoi(argv[3]) : 100,
                               .utf8 = argc <= 4 || strcmp(argv[4], "utf8") == 0,
                               .color = argc > 5 && strcmp(argv[5], "color") == 0};
    struct str text = {0};
    if (strcmp(argv[2], "text") == 0)
        report_write_text(&sample->report, &style, stdout);
    else if (strcmp(argv[2], "json") == 0)
        report_write_json(&sample->report, &text);
    else if (strcmp(argv[2], "html") == 0)
        report_write_html(&sample->report, &text);
    else if (strcmp(argv[2], "nodes") == 0)
        print_nodes(sample, &csv_format);
    else if (strcmp(argv[2], "parquet") == 0)
        print_nodes(sample, &parquet_format);
    else if (strcmp(argv[2], "folded") == 0)
        folded_write(stdout, &sample->tree, STACK_SHARE);
    else if (strcmp(argv[2], "dot") == 0)
        dot_write(stdout, &sample->tree, 0);
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
        fprintf(
            stderr,
            "usage: report_print CASE text|json|html|nodes|parquet|folded|dot [COLUMNS [utf8|ascii "
            "[color]]]\n");
        return 2;
    }
    bool ok = sample_init(&sample, argv[1]) && print(&sample, argc, argv);
    sample_release(&sample);
    return ok ? 0 : 2;
}
