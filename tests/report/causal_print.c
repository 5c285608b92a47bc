/* Prints made-up experiments, of which is known what they have to tell:
 *
 *     causal_print CASE FOLDER               causal.html, causal.json, profile.coz
 *     causal_print CASE text COLUMNS [ascii]
 *
 * exact    three functions and a lock; all requests of a type are alike, so that every change is what was planted
 * server   the same with exponential latencies, and doubts
 * crowd    four requests at a time
 * outside  somebody is outside of the experiments
 * few      too few blocks
 * rate     units of work alone
 * odd      hostile names
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "causal/plan.h"
#include "driver/runs/causal_files.h"
#include "report/causal/causal_report.h"

enum { OF_WINDOW = 60 };
static const double levels[] = {0.25, 0.5, 0.75, 1};

/* What is left of a latency and of the pause behind it, by the part of the target's time that is gone. */
struct planted {
    const char *kind, *name;
    double (*left)(double gone);
    double part; /* of a request that the target takes */
};

#define SPREAD 1.0

struct wish {
    const struct planted *planted;
    uint32_t count, blocks;
    double spread; /* of requests' lengths: 0 none, SPREAD exponential, between a uniform one */
    bool intervals;
    const char *outside;
    const char *types[2];
    uint32_t copies; /* of each request, at the same time */
};

struct made {
    struct timelines run;
    struct experiments experiments;
    struct timeline_thread thread;
    struct thread_delay *delays;
    struct experiment_target targets[8];
    unsigned state;
    time_ns now;
    int64_t delay;
    double target_ns[8];
    uint64_t calls[8];
};

static double straight(double gone)
{
    return 1 - 0.6 * gone;
}

static double bent(double gone)
{
    return gone < 0.4 ? 1 - 0.5 * gone : 0.8;
}

/* From a half on threads get into each other's way. */
static double worse(double gone)
{
    return gone < 0.5 ? 1 - 0.4 * gone : 0.8 + 0.9 * (gone - 0.5);
}

static double slightly(double gone)
{
    return 1 - 0.08 * gone;
}

static double nothing(double gone)
{
    (void)gone;
    return 1;
}

static const struct planted server[] = {{"function", "flush", bent, 0.5},
                                        {"function", "parse", straight, 0.6},
                                        {"lock", "queue.lock", worse, 0.4},
                                        {"waits", "disk", nothing, 0.2}};
/* Whose changes take the most room in a table. */
static const struct planted slight[] = {{"function", "flush", slightly, 0.5}};
static const struct planted hostile[] = {{"function", "</script><b>\"'&\t\xff", bent, 0.5},
                                         {"lock", "<img src=x onerror=alert(1)>", straight, 0.6}};

/* ---- the run ---- */

static double random_of(struct made *made, double spread)
{
    double uniform = (rand_r(&made->state) + 0.5) / (RAND_MAX + 1.0);
    return spread < SPREAD ? 1 + spread * (uniform - 0.5) : -log(uniform);
}

static void mark(struct made *made)
{
    made->delays[made->thread.delay_count++] = (struct thread_delay){made->now, made->delay};
}

/* A request takes 1 ms, or of the second type 3 ms; then there is a pause as long. */
static void add_request(struct made *made, const struct wish *wish, uint32_t t, double gone,
                        uint32_t number)
{
    const struct planted *planted = &wish->planted[t];
    bool second = wish->types[1] && number % 4 == 3;
    double whole = (second ? 3e6 : 1e6) * random_of(made, wish->spread);
    double left = whole * planted->left(gone), granted = whole * planted->part * gone;
    struct interval *one = &made->run.intervals[made->run.interval_count];
    *one = (struct interval){
        .complete = true, .begin = made->now, .type = wish->types[0] ? wish->types[second] : ""};
    mark(made);
    made->now += (time_ns)(left + granted);
    made->delay += (int64_t)granted;
    one->end = made->now;
    mark(made);
    made->experiments.visits[made->experiments.visit_count] =
        (struct visit){.time = made->now, .delay_ns = made->delay, .name = "done"};
    for (uint32_t copy = 1; copy < wish->copies; copy++)
        one[copy] = *one;
    made->run.interval_count += wish->intervals ? wish->copies : 0;
    made->experiments.visit_count += !wish->intervals;
    made->now += (time_ns)left;
    made->target_ns[t] += whole * planted->part;
    made->calls[t] += 2;
}

static struct experiment_sums sums(const struct made *made, uint32_t t)
{
    return (struct experiment_sums){.time = made->now,
                                    .granted_ns = (uint64_t)made->delay,
                                    .target_ns = (uint64_t)made->target_ns[t],
                                    .calls = made->calls[t]};
}

static void make_experiment(struct made *made, const struct wish *wish,
                            const struct causal_step *step, struct experiment *item)
{
    *item = (struct experiment){.epoch = (uint32_t)(item - made->experiments.items) + 1,
                                .block = step->block,
                                .target = step->target,
                                .share = step->level,
                                .whole = true};
    item->stages[0] = item->stages[1] = sums(made, step->target);
    for (uint32_t k = 0; k < OF_WINDOW; k++)
        add_request(made, wish, step->target, step->level, k);
    item->stages[2] = sums(made, step->target);
    made->now += 10;
    item->stages[3] = sums(made, step->target);
    made->now += 10;
}

static void make(struct made *made, const struct wish *wish)
{
    struct causal_plan plan;
    causal_plan_make(&plan, (struct causal_design){.targets = wish->count,
                                                   .blocks = wish->blocks,
                                                   .levels = levels,
                                                   .level_count = 4,
                                                   .seed = 7});
    size_t most = (size_t)plan.count * OF_WINDOW;
    *made = (struct made){.state = 5, .now = 1000};
    made->thread.delays = made->delays = memory_zeroed(sizeof *made->delays * most * 2);
    made->run.threads = &made->thread;
    made->run.thread_count = 1;
    made->run.intervals = memory_zeroed(sizeof *made->run.intervals * most * wish->copies);
    made->run.experiments = &made->experiments;
    made->experiments =
        (struct experiments){.targets = made->targets,
                             .target_count = wish->count,
                             .items = memory_zeroed(sizeof *made->experiments.items * plan.count),
                             .count = plan.count,
                             .visits = memory_zeroed(sizeof *made->experiments.visits * most),
                             .outside = wish->outside};
    for (uint32_t t = 0; t < wish->count; t++)
        made->targets[t] = (struct experiment_target){wish->planted[t].kind, wish->planted[t].name};
    for (uint32_t i = 0; i < plan.count; i++)
        make_experiment(made, wish, &plan.steps[i], &made->experiments.items[i]);
    causal_plan_release(&plan);
}

static void release(struct made *made)
{
    memory_free(made->delays);
    memory_free(made->run.intervals);
    memory_free(made->experiments.items);
    memory_free(made->experiments.visits);
}

static struct wish wish_of(const char *name)
{
    struct wish wish = {server, 4, 16, SPREAD, true, NULL, {"read", "write"}, 1};
    if (strcmp(name, "exact") == 0)
        wish.spread = 0;
    if (strcmp(name, "crowd") == 0)
        wish = (struct wish){server, 2, 12, SPREAD, true, NULL, {NULL, NULL}, 4};
    if (strcmp(name, "outside") == 0)
        wish = (struct wish){server, 2, 12, SPREAD, true, "client (pid 4711)", {NULL, NULL}, 1};
    if (strcmp(name, "few") == 0)
        wish = (struct wish){server, 2, 6, SPREAD, true, NULL, {NULL, NULL}, 1};
    if (strcmp(name, "rate") == 0)
        wish = (struct wish){server, 3, 12, SPREAD, false, NULL, {NULL, NULL}, 1};
    if (strcmp(name, "slight") == 0)
        wish = (struct wish){slight, 1, 12, 0.2, true, NULL, {NULL, NULL}, 1};
    if (strcmp(name, "odd") == 0)
        wish = (struct wish){hostile, 2, 12, SPREAD, true, "<i>x</i>", {"<b>\"'&", "\xc0\t"}, 1};
    return wish;
}

/* ---- the faces ---- */

/* As the rewriter has it: flush has a place, parse has none. */
static const struct function_table *table_of(const char *name)
{
    static struct function_info functions[] = {{.name = "flush", .file = "src/log.c", .line = 211}};
    static struct probe_info probes[] = {{.kind = PROBE_NONE},
                                         {.kind = PROBE_FUNCTION, .function = 0}};
    static const struct function_table table = {
        .functions = functions, .function_count = 1, .probes = probes, .probe_count = 2};
    return strcmp(name, "odd") ? &table : NULL;
}

static void print_text(const struct causal *causal, const struct doubts *doubts, char **words)
{
    struct text_style style = {.utf8 = !words[1], .columns = (unsigned)atoi(words[0])};
    struct terminal terminal;
    terminal_init(&terminal, &style, stdout);
    causal_write_text(causal, doubts, &terminal);
    terminal_release(&terminal);
}

static bool write_files(const struct causal *causal, const struct doubts *doubts, char **argv)
{
    struct error error;
    bool odd = strcmp(argv[1], "odd") == 0;
    struct causal_page page = {
        .causal = causal,
        .doubts = doubts,
        .origin = {.command = odd ? "<i>\"'&\xc0" : "vprofiler causal -- ./bench.sh",
                   .date = "2026-11-28T12:00:00Z",
                   .host = "host"}};
    bool ok = causal_files_write(page, table_of(argv[1]), argv[2], &error);
    if (!ok)
        fprintf(stderr, "%s\n", error.message);
    return ok;
}

int main(int argc, char **argv)
{
    struct made made;
    struct error error;
    struct doubts doubts = {0};
    if (argc < 3)
        return 2;
    struct wish wish = wish_of(argv[1]);
    make(&made, &wish);
    struct causal *causal = causal_find(&made.run, &error);
    if (!causal || causal_check(causal))
        return 1;
    causal_judge(causal, &doubts);
    bool ok = true;
    if (strcmp(argv[2], "text") == 0 && argc > 3)
        print_text(causal, &doubts, argv + 3);
    else
        ok = write_files(causal, &doubts, argv);
    causal_release(causal);
    doubts_release(&doubts);
    release(&made);
    return !ok;
}
