/* The result is the same however the calls are read: all in memory, or pages of any size. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis_trace.h"
#include "base/file.h"
#include "base/str.h"
#include "trace/timeline_load.h"

static uint64_t analyze(struct timelines *run, const struct function_table *table)
{
    struct variance_result result;
    struct error error;
    if (!variance_analyze(&result, run, table, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 0;
    }
    const char *broken = variance_tree_check(&result.tree);
    uint64_t digest = broken ? 0 : variance_result_digest(&result);
    if (broken)
        fprintf(stderr, "%s\n", broken);
    variance_result_release(&result);
    timelines_release(run);
    return digest;
}

static bool check_shape(const struct trace_shape *shape, const char *folder, const char *path)
{
    static const uint32_t page_calls[] = {1, 2, 7, 64, 1000, 0};
    struct function_table table;
    struct timelines run;
    struct error error;
    bool same = trace_shape_write(shape, path, &error) && timelines_load(&run, folder, &error);
    trace_shape_table(shape, &table);
    uint64_t expected = same ? analyze(&run, &table) : 0;
    for (size_t i = 0; i < sizeof page_calls / sizeof *page_calls && expected; i++) {
        if (page_calls[i] && strcmp(shape->name, "crossed") == 0)
            continue; /* they would overlap across the ends of pages */
        uint64_t found = (page_calls[i] ? timelines_open_pages(&run, folder, page_calls[i], &error)
                                        : timelines_open(&run, folder, &error)) &&
                                 run.threads[0].pages
                             ? analyze(&run, &table)
                             : 0;
        if (found != expected)
            fprintf(stderr, "%s: %u calls a page: %016" PRIx64 ", expected %016" PRIx64 "\n",
                    shape->name, page_calls[i], found, expected);
        same &= found == expected;
    }
    function_table_release(&table);
    return same && expected;
}

int main(void)
{
    static const struct trace_shape shapes[] = {
        {"plain", 20000, 200, 5, 60}, {"plain", 20000, 3, 2, 60},    {"crossed", 20000, 200, 5, 60},
        {"mixed", 20000, 200, 5, 60}, {"mutex", 1000, 1000, 70, 20}, {"one", 5000, 5000, 2, 20}};
    char folder[] = "/tmp/vprofiler-pages-XXXXXX";
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
