/* The report and the interval table have the same bytes however many threads made them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis_trace.h"
#include "base/file.h"
#include "base/str.h"
#include "report/variance/family.h"
#include "report/variance/variance_report.h"
#include "trace/timeline_load.h"
#include "variance/cell_rows.h"

static void print_cells(void *context, const struct cell_row *row)
{
    struct str *text = context;
    str_printf(text, "%" PRIu64 " %u:", row->number, row->interval);
    for (size_t i = 0; i < row->cell_count; i++)
        str_printf(text, " %u=%" PRId64, row->cells[i].node, row->cells[i].own_ns);
    str_append(text, "\n");
}

/* Report and cells, or nothing. */
static struct str result_of(const char *jobs, const struct timelines *run,
                            const struct function_table *table)
{
    struct variance_result result;
    struct error error;
    struct str text = {0};
    setenv("VPROFILER_JOBS", jobs, 1);
    if (!variance_analyze(&result, run, table, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return text;
    }
    struct variance_report told = {
        .tree = &result.tree, .factors = &result.factors, .roots = &result.roots};
    struct report_part part = {&variance_report_family, &told};
    struct report report = {.target = "synthetic",
                            .rounds = 1,
                            .top = 3,
                            .intervals = &result.tree.intervals,
                            .coverage = result.tree.coverage,
                            .parts = &part,
                            .part_count = 1};
    report_write_json(&report, &text);
    cell_rows_visit(&result.tree, run, table, print_cells, &text);
    variance_result_release(&result);
    return text;
}

static bool check_shape(const struct trace_shape *shape, const char *folder, const char *path)
{
    static const char *const jobs[] = {"2", "3", "7"};
    struct function_table table;
    struct timelines run;
    struct error error;
    if (!trace_shape_write(shape, path, &error) || !timelines_open(&run, folder, &error))
        return false;
    trace_shape_table(shape, &table);
    struct str one = result_of("1", &run, &table);
    bool same = one.length > 1000;
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        struct str several = result_of(jobs[i], &run, &table);
        if (strcmp(str_text(&several), str_text(&one)) != 0) {
            fprintf(stderr, "%s: %s threads give another result than one\n", shape->name, jobs[i]);
            same = false;
        }
        str_release(&several);
    }
    str_release(&one);
    timelines_release(&run);
    function_table_release(&table);
    return same;
}

int main(void)
{
    static const struct trace_shape shapes[] = {
        {"plain", 20000, 200, 5, 60}, {"mutex", 1000, 1000, 70, 20}, {"one", 5000, 5000, 2, 20}};
    char folder[] = "/tmp/vprofiler-jobs-XXXXXX";
    struct str path = {0};
    struct error error;
    bool ok = mkdtemp(folder);
    str_printf(&path, "%s/1.vtr", folder);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        ok &= check_shape(&shapes[i], folder, path.data);
    file_remove_tree(folder, &error);
    str_release(&path);
    return ok ? 0 : 1;
}
