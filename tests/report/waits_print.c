/* waits_print CASE FOLDER - the page, the JSON and the folded stacks of made-up waits, written into a folder.
 *
 *     server     four workers wait for a log-writer, that for a disk; a knot, stacks, doubts
 *     large      500 groups with 1,500 edges
 *     turns      a knot of two that is what is left of one of three
 *     none       nobody waits
 *     odd        names that would be markup, or are no UTF-8
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "driver/runs/waits_files.h"
#include "made_run.h"
#include "report/waits/waits_folded.h"
#include "trace/sample.h"

enum { MS = 1000000 };

/* Rounds of 10 ms: the writer waits 5 ms for the disk, and each worker for the writer. */
static void make_server(struct made_run *made, const char *worker, const char *disk)
{
    enum { WORKERS = 4, ROUNDS = 300, DISK = 8 << 20 };
    static struct kernel_device device;
    made_run_begin(made, WORKERS + 3);
    made->seed = 7;
    device = (struct kernel_device){DISK, disk};
    made->side.devices = &device;
    made->side.device_count = 1;
    made->side.tasks[1].name = "server";
    for (uint32_t w = 2; w < 2 + WORKERS; w++)
        made->side.tasks[w].name = worker;
    made->side.tasks[WORKERS + 2].name = "log-writer";
    made->side.tasks[WORKERS + 3].name = "checkpointer";
    for (uint32_t r = 0; r < ROUNDS; r++) {
        time_ns at = r * (time_ns)10 * MS, jitter = (time_ns)made_run_dice(made, 900) * 1000;
        time_ns synced = at + 3 * MS + jitter, done = synced + (5 * MS);
        made_run_off(made, WORKERS + 2, synced, done, done + 40000, OFF_WRITE, DISK);
        made_run_off(made, WORKERS + 2, done + 200000, at + 10 * MS, at + 10 * MS + 20000,
                     OFF_THREAD, 2);
        for (uint32_t w = 2; w < 2 + WORKERS; w++)
            made_run_off(made, w, at + 2 * MS + made_run_dice(made, 800) * 1000, done + w * 30000,
                         done + w * 30000 + 60000, OFF_THREAD, WORKERS + 2);
        made_run_off(made, 1, at + MS, at + 9 * MS, at + 9 * MS + 10000, OFF_THREAD,
                     2 + r % WORKERS);
        if (r % 10 == 0)
            made_run_off(made, WORKERS + 3, at, at + 90 * MS, at + 90 * MS, OFF_TIMER, TASK_NONE);
    }
    made_run_end(made, ROUNDS * (time_ns)10 * MS + 100 * MS);
}

/* Each of 500 threads waits for three others, some much and most little. */
static void make_large(struct made_run *made)
{
    enum { THREADS = 500, ROUNDS = 40 };
    static char names[THREADS][16];
    made_run_begin(made, THREADS);
    made->seed = 11;
    for (uint32_t t = 1; t <= THREADS; t++) {
        snprintf(names[t - 1], sizeof names[0], "%s-%u", t % 3 ? "worker" : "io", t);
        made->side.tasks[t].name = names[t - 1];
    }
    for (uint32_t t = 1; t <= THREADS; t++)
        for (uint32_t r = 0; r < ROUNDS; r++) {
            time_ns at = r * (time_ns)25 * MS;
            for (uint32_t k = 0; k < 3; k++, at += 8 * MS) {
                uint32_t whom = 1 + (t * 7 + k * 131 + t * t * (k + 1)) % (k ? THREADS : 40);
                time_ns length =
                    (time_ns)(1 + (t * (k + 3)) % 60) * 100000 + made_run_dice(made, 50000);
                if (whom != t)
                    made_run_off(made, t, at, at + length, at + length + 50000, OFF_THREAD, whom);
            }
        }
    made_run_end(made, ROUNDS * (time_ns)25 * MS);
}

/* In rounds of 10 ms, a waits 4 ms for b, then b 4 ms for a, and by 0.5 ms each b for c and c for a. */
static void make_turns(struct made_run *made)
{
    static const char *const names[] = {"a", "b", "c"};
    made_run_begin(made, 3);
    for (uint32_t t = 1; t <= 3; t++)
        made->side.tasks[t].name = names[t - 1];
    for (time_ns at = 0; at < 2000 * (time_ns)MS; at += 10 * MS) {
        made_run_off(made, 1, at + MS / 10, at + 4 * MS, at + 4 * MS, OFF_THREAD, 2);
        made_run_off(made, 2, at + 5 * MS, at + 9 * MS, at + 9 * MS, OFF_THREAD, 1);
        made_run_off(made, 2, at + 9 * MS + MS / 4, at + 9 * MS + 3 * (MS / 4),
                     at + 9 * MS + 3 * (MS / 4), OFF_THREAD, 3);
        made_run_off(made, 3, at + 2 * MS, at + 2 * MS + MS / 2, at + 2 * MS + MS / 2, OFF_THREAD,
                     1);
    }
    made_run_end(made, 2000 * (time_ns)MS);
}

static void make_none(struct made_run *made)
{
    made_run_begin(made, 3);
    made_run_end(made, (time_ns)1000 * MS);
}

#define FRAME(text, of)                                                                            \
    {                                                                                              \
        .name = text, .kind = FRAME_##of                                                           \
    }

static const struct sampled_frame flush[] = {
    FRAME("blkdev_issue_flush", KERNEL), FRAME("fsync", LIBRARY),
    FRAME("os_file_flush", PROGRAM),     FRAME("fil_flush", PROGRAM),
    FRAME("log_write_up_to", PROGRAM),   FRAME("log_writer_main", PROGRAM),
    FRAME("start_thread", LIBRARY),      FRAME("clone3", LIBRARY)};
static const struct sampled_frame commit[] = {
    FRAME("pthread_cond_wait", LIBRARY), FRAME("os_event::wait_low", PROGRAM),
    FRAME("log_wait_for_flush(unsigned long, bool)", PROGRAM), FRAME("trx_commit", PROGRAM)};
static const struct sampled_frame parse[] = {FRAME("parse_statement", PROGRAM),
                                             FRAME("serve", PROGRAM)};

static uint32_t edge_to(const struct waits *waits, const char *from, const char *to)
{
    for (uint32_t e = 0; e < waits->graph.edge_count; e++)
        if (strcmp(waits->graph.groups[waits->graph.edges[e].from].name, from) == 0 &&
            strcmp(waits->graph.groups[waits->graph.edges[e].to].name, to) == 0)
            return e;
    return NO_EDGE;
}

static void add(struct stack_sums *sums, uint32_t key, const struct sampled_frame *frames,
                uint32_t count, double time, double sd)
{
    stack_sums_add(sums, key, frames, count, time, sd * sd);
}

/* False: there are no such edges. */
static bool add_stacks(struct waits *waits)
{
    uint32_t commits = edge_to(waits, "worker", "log-writer"),
             flushes = edge_to(waits, "log-writer", "vda");
    if (commits == NO_EDGE || flushes == NO_EDGE)
        return false;
    struct stack_sums *sums = &waits->stacks.sums;
    add(sums, edge_stack_key(commits, STACK_OF_WAIT), commit, 4, 5000.0 * MS, 80.0 * MS);
    add(sums, edge_stack_key(commits, STACK_OF_WAKING), flush + 2, 6, 5000.0 * MS, 90.0 * MS);
    add(sums, edge_stack_key(flushes, STACK_OF_WAIT), flush, 8, 1400.0 * MS, 30.0 * MS);
    stack_sums_close(sums);
    add(&waits->run_stacks.sums, waits->graph.edges[commits].from, parse, 2, 300.0 * MS, 0);
    stack_sums_close(&waits->run_stacks.sums);
    waits->stacks.locks = memory_zeroed(sizeof *waits->stacks.locks);
    waits->stacks.locks[0] = (struct edge_lock){.edge = commits,
                                                .name = "log_sys.mutex",
                                                .time_ns = 4000.0 * MS,
                                                .sampled = 60,
                                                .holder = waits->graph.edges[commits].to,
                                                .held_ns = 3000.0 * MS};
    waits->stacks.lock_count = 1;
    return true;
}

static bool write_folded(const struct waits *waits, const char *folder)
{
    struct str path = {0};
    str_printf(&path, "%s/waits.folded", folder);
    FILE *out = fopen(path.data, "w");
    if (out)
        waits_folded_write(out, waits);
    str_release(&path);
    return out && fclose(out) == 0;
}

int main(int argc, char **argv)
{
    struct made_run made;
    struct error error;
    struct doubts doubts = {0};
    if (argc != 3)
        return 2;
    if (strcmp(argv[1], "large") == 0)
        make_large(&made);
    else if (strcmp(argv[1], "turns") == 0)
        make_turns(&made);
    else if (strcmp(argv[1], "none") == 0)
        make_none(&made);
    else if (strcmp(argv[1], "odd") == 0)
        make_server(&made, "</script><b>\"'&\xff", "<img src=x>");
    else
        make_server(&made, "worker", "vda");
    struct wait_stacks sampled = {0};
    made.timelines.wait_stacks = &sampled;
    struct waits *waits = waits_find(&made.timelines, &error);
    if (!waits || !waits_by_request(waits, &made.timelines, NULL, &error))
        return 1;
    if (strcmp(argv[1], "server") == 0)
        doubts_add(&doubts, DOUBT_OF_TRACE, "lost-records", "12 %% of the records were lost.");
    bool stacks = add_stacks(waits);
    struct waits_page page = {.waits = waits,
                              .doubts = &doubts,
                              .origin = {.command = strcmp(argv[1], "odd")
                                                        ? "vprofiler waits -- ./server --bench"
                                                        : "<i>\"'&\xc0",
                                         .date = "2026-11-28T12:00:00Z",
                                         .host = "host"}};
    bool ok = waits_files_write(page, argv[2], &error) && (!stacks || write_folded(waits, argv[2]));
    if (!ok)
        fprintf(stderr, "%s\n", error.message);
    waits_release(waits);
    doubts_release(&doubts);
    made_run_release(&made);
    return !ok;
}
