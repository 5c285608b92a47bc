/* One measurement of the analysis bench, in a process of its own:
 *
 *     analysis_tool write FOLDER SHAPE RECORDS INTERVALS THREADS FUNCTIONS
 *         prints the calls written
 *     analysis_tool scan FOLDER SECONDS
 *         the bound: sums one field of each 16 bytes of the mapped trace, as often as takes so
 *         long, and tells what one time takes
 *     analysis_tool analyze FOLDER FUNCTIONS
 *         from the files to the variance tree and its factors, in VPROFILER_JOBS threads
 *
 * The last two print seconds of processor time, peak memory in bytes, a number that depends on
 * all of the result, and seconds of the wall clock.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "analysis_trace.h"
#include "base/file.h"
#include "trace/timeline_load.h"
#include "variance/variance.h"

struct moment {
    double processor, wall; /* seconds */
};

static double read_clock(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static struct moment now(void)
{
    return (struct moment){read_clock(CLOCK_PROCESS_CPUTIME_ID), read_clock(CLOCK_MONOTONIC)};
}

static void print_result(struct moment start, struct moment end, uint64_t check)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%.6f %ld %016" PRIx64 " %.6f\n", end.processor - start.processor,
           usage.ru_maxrss * 1024, check, end.wall - start.wall);
}

static int fail(const struct error *error)
{
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

/* Adds what it took to `taken`. */
static bool scan_once(const char *path, uint64_t *sum, struct moment *taken, struct error *error)
{
    struct file_map map;
    struct moment start = now();
    uint64_t here = 0; /* nothing that is read can be it: no store in the loop */
    if (!file_map_open(&map, path, error))
        return false;
    const uint64_t *words = (const uint64_t *)(const void *)map.data;
    for (size_t i = 1; i < map.size_bytes / sizeof *words; i += 2)
        here += words[i] >> 24;
    *sum += here;
    struct moment end = now();
    taken->processor += end.processor - start.processor;
    taken->wall += end.wall - start.wall;
    file_map_close(&map);
    return true;
}

static int scan(const char *path, double seconds, struct error *error)
{
    struct moment taken = {0, 0};
    uint64_t sum = 0;
    uint32_t times = 0;
    do {
        if (!scan_once(path, &sum, &taken, error))
            return fail(error);
        times++;
    } while (taken.processor < seconds);
    print_result((struct moment){0, 0},
                 (struct moment){taken.processor / times, taken.wall / times}, sum);
    return 0;
}

static int analyze(const char *folder, const struct trace_shape *shape, struct error *error)
{
    struct function_table table;
    struct timelines run;
    struct variance_result result;
    trace_shape_table(shape, &table);
    struct moment start = now();
    if (!timelines_open(&run, folder, error))
        return fail(error);
    if (!variance_analyze(&result, &run, &table, error))
        return fail(error);
    struct moment end = now();
    const char *broken = variance_tree_check(&result.tree);
    if (broken) {
        fprintf(stderr, "%s\n", broken);
        return 1;
    }
    print_result(start, end, variance_result_digest(&result));
    variance_result_release(&result);
    timelines_release(&run);
    function_table_release(&table);
    return 0;
}

static uint64_t number(const char *text)
{
    return (uint64_t)strtod(text, NULL);
}

int main(int argc, char **argv)
{
    struct error error = {ERROR_NONE, ""};
    char path[4096];
    if (argc < 3)
        return 2;
    snprintf(path, sizeof path, "%s/1.vtr", argv[2]);
    if (argc == 8 && strcmp(argv[1], "write") == 0) {
        struct trace_shape shape = {argv[3], number(argv[4]), number(argv[5]),
                                    (uint32_t)number(argv[6]), (uint32_t)number(argv[7])};
        uint64_t calls = trace_shape_write(&shape, path, &error);
        printf("%" PRIu64 "\n", calls);
        return calls ? 0 : fail(&error);
    }
    if (argc == 4 && strcmp(argv[1], "scan") == 0)
        return scan(path, strtod(argv[3], NULL), &error);
    if (argc == 4 && strcmp(argv[1], "analyze") == 0) {
        struct trace_shape shape = {.functions = (uint32_t)number(argv[3])};
        return analyze(argv[2], &shape, &error);
    }
    return 2;
}
