/* simulate [--cases N] [--seed S] [--vprofiler PATH]: machines whose threads wait for each other by chance.
 *
 * What a recorder would have written of each goes into a file, as `vprofiler waits --json` tells it comes
 * back, and must be what the definitions give (sim_answer.h), to the ns: raw, cascaded and leaf waits of
 * each pair, their intervals, the blame, what was not finished, and who had the processors. With a PATH,
 * they are told by that program. The first case that fails is cut short and printed.
 */
#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "report/waits/waits_report.h"
#include "sim_answer.h"
#include "stats/student.h"
#include "trace/timeline_load.h"

#define LEAST 0.01 /* of the time, surely: then an edge counts */

static char folder[64], path[96];
static const char *vprofiler;

/* What was met in all cases: each kind has to come. */
static struct met {
    uint64_t waits, early, unwoken, preempted, unfinished, lost, pauses, reused, behind, of_devices,
        no_processor, threads;
} met;

struct comparison {
    const struct sim_answer *answer;
    json_t *found;
    struct str faults;
    uint32_t *vertex_of; /* by group */
};

static void fault(struct comparison *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void fault(struct comparison *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    str_append(&c->faults, "  ");
    str_vprintf(&c->faults, format, args);
    str_append(&c->faults, "\n");
    va_end(args);
}

static int64_t whole(const json_t *object, const char *member)
{
    return json_integer_value(json_object_get(object, member));
}

static const char *text(const json_t *object, const char *member)
{
    return json_string_value(json_object_get(object, member));
}

/* ---- who is who ---- */

static uint32_t vertex_named(const struct comparison *c, const json_t *group)
{
    static const char *const kinds[] = {"timer", "network", "interrupt", "unknown"};
    const struct sim_scheduler *sim = c->answer->sim;
    uint32_t tasks = (uint32_t)sim->task_count;
    for (uint32_t k = 0; k < SIM_VERTICES; k++)
        if (strcmp(text(group, "kind"), kinds[k]) == 0)
            return tasks + k;
    bool thread = strcmp(text(group, "kind"), "thread") == 0;
    for (uint32_t d = 0; !thread && d < sim->options.devices; d++) {
        char name[16];
        sim_device_name(d, name);
        if (strcmp(text(group, "name"), name) == 0)
            return tasks + SIM_VERTICES + d;
    }
    if (strcmp(text(group, "name"), "idle") == 0)
        return SIM_IDLE;
    for (uint32_t t = 1; t < tasks; t++)
        if (strcmp(text(group, "name"), sim->tasks[t].name) == 0)
            return t;
    return SIM_NOBODY;
}

static void name_groups(struct comparison *c)
{
    json_t *groups = json_object_get(c->found, "groups");
    c->vertex_of = memory_zeroed((json_array_size(groups) + 1) * sizeof *c->vertex_of);
    for (size_t g = 0; g < json_array_size(groups); g++) {
        const json_t *group = json_array_get(groups, g);
        c->vertex_of[g] = vertex_named(c, group);
        if (c->vertex_of[g] == SIM_NOBODY)
            fault(c, "nobody is called %s", text(group, "name"));
        else if (whole(group, "members") != 1)
            fault(c, "%s has several members", text(group, "name"));
    }
}

static uint32_t vertex_at(const struct comparison *c, const json_t *object, const char *member)
{
    const json_t *group = json_object_get(object, member);
    return json_is_null(group) ? SIM_NOBODY : c->vertex_of[json_integer_value(group)];
}

static bool is_of_run(const struct comparison *c, uint32_t vertex)
{
    return vertex < c->answer->sim->task_count && c->answer->sim->tasks[vertex].of_run;
}

/* ---- what is the same ---- */

static void compare_number(struct comparison *c, const char *what, uint32_t who, uint32_t whom,
                           int64_t found, int64_t answer)
{
    if (found != answer)
        fault(c, "%s of %u -> %u: %lld, but it is %lld", what, who, whom, (long long)found,
              (long long)answer);
}

/* Block jackknife over the windows in which something was recorded. Gives the interval's lower end. */
static double compare_share(struct comparison *c, const json_t *share, const struct sim_pair *pair,
                            const int64_t *in)
{
    const struct sim_answer *a = c->answer;
    double left_out[SIM_WINDOWS], sum = 0, mean = 0, squares = 0;
    unsigned blocks = 0;
    for (uint32_t w = 0; w < SIM_WINDOWS; w++)
        sum += (double)in[w];
    for (uint32_t w = 0; w < SIM_WINDOWS; w++)
        if (a->recorded_in[w] > 0) {
            double rest = (double)(a->recorded - a->recorded_in[w]);
            left_out[blocks++] =
                rest > 0 ? (sum - (double)in[w]) / rest : sum / (double)a->recorded;
        }
    for (unsigned b = 0; b < blocks; b++)
        mean += left_out[b] / blocks;
    for (unsigned b = 0; b < blocks; b++)
        squares += (left_out[b] - mean) * (left_out[b] - mean);
    double value = sum / (double)a->recorded;
    double half =
        blocks < 2 ? 0 : student_beyond(0.05, blocks - 1) * sqrt(squares * (blocks - 1) / blocks);
    const json_t *ci95 = json_object_get(share, "ci95");
    double low = json_number_value(json_array_get(ci95, 0)),
           found = json_number_value(json_object_get(share, "value"));
    if (fabs(found - value) > 1e-9 * (1 + value) || fabs(low - (value - half)) > 1e-3 * half + 1e-9)
        fault(c, "the share of %u -> %u is %g, from %g, but %g, from %g", pair->who, pair->whom,
              found, low, value, value - half);
    return low;
}

static void compare_edge(struct comparison *c, const json_t *edge)
{
    uint32_t who = vertex_at(c, edge, "from"), whom = vertex_at(c, edge, "to");
    const struct sim_pair *pair = sim_answer_pair(c->answer, who, whom);
    if (!pair) {
        fault(c, "%u never waits for %u", who, whom);
        return;
    }
    compare_number(c, "count", who, whom, whole(edge, "count"), (int64_t)pair->count);
    compare_number(c, "longest", who, whom, whole(edge, "longest_ns"), pair->longest);
    compare_number(c, "raw", who, whom, whole(edge, "raw_ns"), pair->raw);
    compare_number(c, "cascaded", who, whom, whole(edge, "cascaded_ns"), pair->cascaded);
    compare_number(c, "leaf", who, whom, whole(edge, "leaf_ns"), pair->leaf);
    if (!c->answer->sim->tasks[who].of_run)
        return;
    double low = compare_share(c, json_object_get(edge, "raw_share"), pair, pair->raw_in);
    if ((low > LEAST) != json_is_true(json_object_get(edge, "counts")))
        fault(c, "%u -> %u counts, or does not, with %g", who, whom, low);
    compare_share(c, json_object_get(edge, "cascaded_share"), pair, pair->cascaded_in);
}

/* A device's edges are no waits of threads. */
static void compare_edges(struct comparison *c)
{
    json_t *edges = json_object_get(c->found, "edges");
    size_t of_threads = 0;
    for (size_t e = 0; e < json_array_size(edges); e++) {
        const json_t *edge = json_array_get(edges, e);
        if (vertex_at(c, edge, "from") >= c->answer->sim->task_count)
            continue;
        of_threads++;
        compare_edge(c, edge);
    }
    if (of_threads != c->answer->pair_count)
        fault(c, "%zu edges, but there are %zu", of_threads, c->answer->pair_count);
}

static void compare_times(struct comparison *c, const json_t *group, uint32_t vertex)
{
    const struct sim_answer *a = c->answer;
    int64_t blocked = 0, runnable = 0;
    for (size_t i = 0; i < a->wait_count; i++)
        blocked += a->waits[i].who == vertex ? a->waits[i].end - a->waits[i].begin : 0;
    for (size_t i = 0; i < a->charge_count; i++)
        runnable += a->charges[i].who == vertex ? a->charges[i].time : 0;
    compare_number(c, "blocked", vertex, vertex, whole(group, "blocked_ns"), blocked);
    if (!is_of_run(c, vertex))
        return;
    compare_number(c, "running", vertex, vertex, whole(group, "ran_ns"), a->ran[vertex]);
    compare_number(c, "runnable", vertex, vertex, whole(group, "runnable_ns"), runnable);
}

static void compare_groups(struct comparison *c)
{
    const struct sim_answer *a = c->answer;
    json_t *groups = json_object_get(c->found, "groups");
    for (size_t g = 0; g < json_array_size(groups); g++) {
        const json_t *group = json_array_get(groups, g);
        uint32_t vertex = c->vertex_of[g];
        bool of_run = is_of_run(c, vertex);
        if (json_is_true(json_object_get(group, "of_run")) != of_run)
            fault(c, "%u is of the run, or is not", vertex);
        compare_number(c, "blame", vertex, vertex, whole(group, "blamed_ns"), a->blame[vertex]);
        compare_times(c, group, vertex);
        compare_number(c, "unfinished", vertex, vertex, whole(group, "unfinished_ns"),
                       of_run ? a->unfinished[vertex] : 0);
    }
}

static void compare_charges(struct comparison *c)
{
    const struct sim_answer *a = c->answer;
    json_t *charges = json_object_get(c->found, "processor");
    for (size_t i = 0; i < json_array_size(charges); i++) {
        const json_t *charge = json_array_get(charges, i);
        uint32_t who = vertex_at(c, charge, "from"), had = vertex_at(c, charge, "had");
        int64_t time = 0;
        for (size_t k = 0; k < a->charge_count; k++)
            if (a->charges[k].who == who && a->charges[k].had == had)
                time = a->charges[k].time;
        compare_number(c, "the wait for a processor", who, had, whole(charge, "time_ns"), time);
    }
    if (json_array_size(charges) != a->charge_count)
        fault(c, "%zu charges, but there are %zu", json_array_size(charges), a->charge_count);
}

static void compare(struct comparison *c)
{
    const struct sim_answer *a = c->answer;
    name_groups(c);
    if (c->faults.length)
        return;
    compare_number(c, "recorded", 0, 0, whole(c->found, "recorded_ns"), a->recorded);
    compare_number(c, "wall time", 0, 0, whole(c->found, "wall_ns"), a->until - a->from);
    compare_number(c, "waits", 0, 0, whole(c->found, "waits"), (int64_t)a->wait_count);
    compare_edges(c);
    compare_groups(c);
    compare_charges(c);
}

/* ---- what the analysis tells ---- */

static json_t *told_by_program(void)
{
    struct str command = {0};
    str_printf(&command, "'%s' waits --json '%s'", vprofiler, folder);
    FILE *pipe = popen(command.data, "r");
    json_t *found = pipe ? json_loadf(pipe, 0, NULL) : NULL;
    bool ok = pipe && pclose(pipe) == 0;
    str_release(&command);
    if (ok)
        return found;
    json_decref(found);
    return NULL;
}

static uint32_t task_named(const struct sim_scheduler *sim, const char *name)
{
    for (uint32_t t = 1; t < sim->task_count; t++)
        if (strcmp(sim->tasks[t].name, name) == 0)
            return t;
    return SIM_IDLE;
}

/* Each task is the thread that recorded meanwhile, though others had its ids before it or after. */
static void compare_threads(struct comparison *c, const struct timelines *run)
{
    const struct kernel_side *side = run->kernel_side;
    for (uint32_t t = 1; run->thread_count && t < side->task_count; t++) {
        uint32_t task = task_named(c->answer->sim, side->tasks[t].name),
                 thread = side->tasks[t].thread;
        if (!sim_task_has_log(c->answer->sim, task))
            continue;
        if (thread == THREAD_NONE || run->threads[thread].routine != task)
            fault(c, "%s is not its thread", side->tasks[t].name);
        met.threads++;
    }
}

static json_t *told_of(struct comparison *c, const struct timelines *run)
{
    struct error error;
    struct doubts doubts = {0};
    struct waits *waits = waits_find(run, &error);
    const char *broken = waits ? waits_check(waits) : error.message;
    json_t *found = broken ? NULL : waits_json(waits, &doubts);
    if (broken)
        fault(c, "%s", broken);
    else if (waits->cascade.circles)
        fault(c, "%llu waits close circles", (unsigned long long)waits->cascade.circles);
    if (waits)
        waits_release(waits);
    return found;
}

typedef bool load_function(struct timelines *run, const char *directory, struct error *error);

static json_t *told_when_loaded(struct comparison *c, load_function *load)
{
    struct timelines run;
    struct error error;
    if (!load(&run, folder, &error)) {
        fault(c, "%s", error.message);
        return NULL;
    }
    json_t *found = told_of(c, &run);
    if (found)
        compare_threads(c, &run);
    timelines_release(&run);
    return found;
}

/* Where threads left traces of their own, the same whether their calls are loaded or stay in the files. */
static json_t *told_here(struct comparison *c, bool threads)
{
    json_t *found = told_when_loaded(c, timelines_open);
    if (!threads || c->faults.length)
        return found;
    json_t *loaded = told_when_loaded(c, timelines_load);
    if (!json_equal(found, loaded))
        fault(c, "it is not the same when calls are loaded");
    json_decref(loaded);
    return found;
}

static void clear_folder(void)
{
    DIR *all = opendir(folder);
    struct dirent *entry;
    char name[sizeof folder + sizeof entry->d_name + 1];
    while (all && (entry = readdir(all))) {
        snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(name);
    }
    closedir(all);
}

/* ---- cases ---- */

static void note_met(const struct sim_answer *a)
{
    met.waits += a->wait_count;
    met.early += a->early;
    for (size_t i = 0; i < a->sim->seen_count; i++) {
        const struct sim_event *event = &a->events[i];
        met.lost += event->kind == SIM_MISSED;
        met.pauses += event->kind == SIM_PAUSE && event->begins && event->processor == 0;
        met.preempted += event->kind == SIM_SWITCH && event->task && event->state == SIM_RUNNABLE;
        met.reused += event->kind == SIM_WHO && event->task &&
                      a->sim->tasks[event->task].tid < 1000 + a->sim->options.threads &&
                      event->task > a->sim->options.threads;
    }
    for (uint32_t v = 0; v < a->vertices; v++)
        met.unfinished += a->unfinished[v] > 0;
    for (size_t i = 0; i < a->wait_count; i++) {
        met.unwoken += a->waits[i].whom == a->sim->task_count + SIM_VERTEX_UNKNOWN;
        met.of_devices += a->waits[i].whom >= a->sim->task_count + SIM_VERTICES;
    }
    for (size_t i = 0; i < a->pair_count; i++)
        met.behind += a->pairs[i].cascaded > a->pairs[i].raw;
    for (size_t i = 0; i < a->charge_count; i++)
        met.no_processor += a->charges[i].had == SIM_NOBODY;
}

static struct sim_options options_of(uint64_t seed, uint64_t events)
{
    uint64_t random = seed * 0x9e3779b97f4a7c15u;
    random ^= random >> 29;
    return (struct sim_options){.seed = seed,
                                .events = events ? events : 20 + random % 400,
                                .threads = 2 + (uint32_t)(random >> 16) % 9,
                                .processors = 1 + (uint32_t)(random >> 24) % 4,
                                .devices = (uint32_t)(random >> 32) % 3,
                                .group_size = (uint32_t)(random >> 40) % 4,
                                .longest_step = (random >> 48) % 8 ? 30 : 300000,
                                .rough = true,
                                .keep = true};
}

static bool has_switches(const struct sim_scheduler *sim)
{
    for (size_t i = 0; i < sim->seen_count; i++)
        if (sim->seen[i].kind == SIM_SWITCH)
            return true;
    return false;
}

/* What is wrong with the case; "" where nothing is. */
static void run_case(uint64_t seed, uint64_t events, bool by_program, struct str *faults)
{
    struct sim_options options = options_of(seed, events);
    struct sim_scheduler sim;
    struct sim_answer answer;
    struct comparison c = {.answer = &answer};
    sim_scheduler_run(&sim, &options);
    sim_answer_find(&answer, &sim);
    sim_scheduler_write(&sim, path);
    bool threads = seed % 8 == 0;
    if (threads)
        sim_scheduler_write_threads(&sim, folder, 3);
    if (!has_switches(&sim))
        c.found = json_null(); /* nothing is to be told */
    else if (answer.circle)
        fault(&c, "the machine's waits stand in a circle");
    else
        c.found = by_program ? told_by_program() : told_here(&c, threads);
    if (c.found && !json_is_null(c.found))
        compare(&c);
    else if (!c.found && !c.faults.length)
        fault(&c, "nothing is told");
    if (!events)
        note_met(&answer);
    if (threads)
        clear_folder();
    json_decref(c.found);
    memory_free(c.vertex_of);
    sim_answer_release(&answer);
    sim_scheduler_release(&sim);
    str_append(faults, str_text(&c.faults));
    str_release(&c.faults);
}

/* As few events as fail. */
static void tell_shortest(uint64_t seed, struct str *faults)
{
    uint64_t most = options_of(seed, 0).events;
    for (uint64_t events = 1; events <= most; events++) {
        struct str shorter = {0};
        run_case(seed, events, false, &shorter);
        if (shorter.length) {
            fprintf(stderr, "seed %llu fails with %llu events:\n%s", (unsigned long long)seed,
                    (unsigned long long)events, shorter.data);
            str_release(&shorter);
            return;
        }
    }
    fprintf(stderr, "seed %llu fails:\n%s", (unsigned long long)seed, faults->data);
}

static bool has_met_all(void)
{
    const struct {
        const char *what;
        uint64_t times;
    } all[] = {{"waits", met.waits},
               {"waits for nobody that is known", met.unwoken},
               {"waits for a device", met.of_devices},
               {"woken before it went", met.early},
               {"preempted", met.preempted},
               {"unfinished", met.unfinished},
               {"lost records", met.lost},
               {"pauses", met.pauses},
               {"ids that are used again", met.reused},
               {"threads with a trace of their own", vprofiler ? 1 : met.threads},
               {"waits with others behind", met.behind},
               {"processors that nobody is known to have", met.no_processor}};
    bool ok = true;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        printf("%10llu %s\n", (unsigned long long)all[i].times, all[i].what);
        ok = ok && all[i].times;
    }
    return ok;
}

static uint64_t option(int argc, char **argv, const char *name, uint64_t otherwise)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return strtoull(argv[i + 1], NULL, 10);
    return otherwise;
}

int main(int argc, char **argv)
{
    uint64_t cases = option(argc, argv, "--cases", 20000), seed = option(argc, argv, "--seed", 1);
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "--vprofiler") == 0)
            vprofiler = argv[i + 1];
    snprintf(folder, sizeof folder, "/tmp/vprofiler-waits-XXXXXX");
    if (!mkdtemp(folder)) {
        perror(folder);
        return 1;
    }
    snprintf(path, sizeof path, "%s/kernel.vtr", folder);
    struct str faults = {0};
    for (uint64_t i = 0; i < cases && !faults.length; i++) {
        run_case(seed + i, 0, vprofiler != NULL, &faults);
        if (faults.length)
            tell_shortest(seed + i, &faults);
    }
    bool ok = !faults.length && has_met_all();
    str_release(&faults);
    clear_folder();
    rmdir(folder);
    printf("%llu cases%s\n", (unsigned long long)cases, ok ? " agree" : "");
    return !ok;
}
