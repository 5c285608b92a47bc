/* simulate [--cases N] [--seed N]: threads that call functions at random, seen by each kind of clock.
 *
 * Of each case: the bounds of every call hold the truth, what is found is what a plain implementation
 * finds, own times add up. Of all cases of a clock that says how long anything took: the sampled times
 * are right in the mean, and their 95 % intervals hold the truth in 92 to 98 % of the cases.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "drawn.h"
#include "plain_calls.h"
#include "sim_calls.h"
#include "stacks/node_times.h"

enum { PERIOD = 1000000, PERIODS = 400, THREADS = 3 };
#define LEAST_PART 0.05 /* of the time, that a context is asked of */
#define LEAST_SAMPLES 30
#define SHORT_STEP 0.1  /* of a period: so long is a step at the most where calls are short */
#define SHORT_CALL 0.25 /* the same of the mean of a context's calls */
#define LONG_CALL 2.0

static const char *const clock_names[SIM_CLOCKS] = {"period",   "jittered",     "exponential",
                                                    "switches", "system calls", "all"};

/* How long the calls of a context are in the mean, beside the clock's period. */
enum { SHORT, MIDDLING, LONG, LENGTHS };
static const char *const length_names[LENGTHS] = {"short", "middling", "long"};

/* Of a clock and calls of such lengths. */
struct tally {
    int asked, held;
    double off, off_square; /* (guess - truth) / truth */
};

struct simulation {
    int wrong;
    uint64_t calls, joined, guesses;
    double guess_off, guess_square; /* of (guess - truth) / error */
    struct tally tallies[SIM_CLOCKS][LENGTHS];
};

static int complain(struct simulation *sim, uint64_t number, const char *what)
{
    if (sim->wrong++ < 20)
        printf("case %llu: %s\n", (unsigned long long)number, what);
    return 1;
}

struct case_of {
    struct context_tree tree;
    struct sim_thread threads[THREADS];
    uint32_t thread_count;
    enum sim_clock clock;
    bool waits;
    struct node_times times;
};

/* Begin and end of a call that is longer than the period are anywhere between two samples. */
static void tally_guess(struct simulation *sim, const struct case_of *c,
                        const struct sighted_call *call, time_ns length)
{
    if (c->clock != SIM_FIXED || c->waits || call->open || length < 2 * (time_ns)PERIOD)
        return;
    double off = (sighted_call_guess(call) - (double)length) / sighted_call_error(call);
    sim->guesses++;
    sim->guess_off += off;
    sim->guess_square += off * off;
}

static void check_call(struct simulation *sim, const struct case_of *c, uint64_t number,
                       const struct sim_thread *thread, const struct sighted_call *call)
{
    const struct sim_call *first = sim_thread_call(thread, call->node, call->first);
    const struct sim_call *last = sim_thread_call(thread, call->node, call->last);
    sim->calls++;
    if (!first || !last) {
        complain(sim, number, "a call that was not there");
        return;
    }
    time_ns length = last->end - first->begin;
    sim->joined += first != last;
    if (sighted_call_conservative(call) > length || sighted_call_most(call) < length)
        complain(sim, number, "a call's bounds do not hold its length");
    if (first->begin < call->before || first->begin > call->first || last->end < call->last ||
        last->end > call->after)
        complain(sim, number, "a call begins or ends outside of its gaps");
    if (first == last)
        tally_guess(sim, c, call, length);
}

/* ---- sampled times ---- */

/* The running time of each context with what it calls. */
static double *true_times(const struct case_of *c)
{
    double *times = memory_zeroed(sizeof *times * c->tree.count);
    for (uint32_t t = 0; t < c->thread_count; t++)
        for (size_t s = 0; s < c->threads[t].count; s++)
            if (!c->threads[t].segments[s].off)
                times[c->threads[t].segments[s].node] +=
                    (double)(c->threads[t].segments[s].to - c->threads[t].segments[s].from);
    for (size_t n = c->tree.count; n-- > 1;)
        times[c->tree.nodes[n].parent] += times[n];
    return times;
}

/* Points that fall independently of each other have a binomial number in a context. */
static void estimate(const struct case_of *c, uint32_t node, double whole, double *time,
                     double *error)
{
    const struct node_time *of = &c->times.items[node], *all = &c->times.items[CONTEXT_ROOT];
    double part = (double)of->samples / (double)all->samples;
    *time = (double)of->sampled_ns;
    *error = sqrt(of->variance);
    if (c->clock != SIM_EXPONENTIAL)
        return;
    *time = whole * part;
    *error = whole * sqrt(part * (1 - part) / (double)all->samples);
}

/* That which takes most nearly a part of the time that is drawn before anything is known of samples. */
static uint32_t draw_node(const struct case_of *c, const double *truth, uint64_t *state)
{
    double part = LEAST_PART + (1 - 2 * LEAST_PART) * sim_part(state), whole = truth[CONTEXT_ROOT];
    uint32_t nearest = 1;
    for (uint32_t n = 2; n < c->tree.count; n++)
        if (fabs(truth[n] / whole - part) < fabs(truth[nearest] / whole - part))
            nearest = n;
    return nearest;
}

static int length_of(const struct case_of *c, uint32_t node, double time)
{
    double calls = 0;
    for (uint32_t t = 0; t < c->thread_count; t++)
        for (size_t i = 0; i < c->threads[t].call_count; i++)
            calls += c->threads[t].calls[i].node == node;
    double mean = time / calls / PERIOD;
    return mean < SHORT_CALL ? SHORT : mean > LONG_CALL ? LONG : MIDDLING;
}

/* One context of the case. */
static void tally_time(struct simulation *sim, const struct case_of *c, uint64_t *state)
{
    double *truth = true_times(c), whole = truth[CONTEXT_ROOT], time, error;
    uint32_t node = draw_node(c, truth, state);
    double part = truth[node] / whole;
    if (part > LEAST_PART && part < 1 - LEAST_PART &&
        part * whole > LEAST_SAMPLES * (double)PERIOD) {
        struct tally *tally = &sim->tallies[c->clock][length_of(c, node, truth[node])];
        estimate(c, node, whole, &time, &error);
        double off = (time - truth[node]) / truth[node];
        tally->asked++;
        tally->held += fabs(time - truth[node]) <= 1.96 * error;
        tally->off += off;
        tally->off_square += off * off;
    }
    memory_free(truth);
}

static void check_own(struct simulation *sim, const struct case_of *c, uint64_t number)
{
    uint64_t own = 0;
    for (size_t n = 0; n < c->tree.count; n++) {
        const struct node_time *time = &c->times.items[n];
        own += time->own_sampled_ns;
        if (n && (time->own_conservative < 0 || time->own_aggressive < 0))
            complain(sim, number, "own time is less than nothing");
        if (time->conservative > time->aggressive)
            complain(sim, number, "the conservative time is more than the aggressive one");
    }
    if (own != c->times.items[CONTEXT_ROOT].sampled_ns)
        complain(sim, number, "own times do not add up");
}

/* ---- a case ---- */

static void see_thread(struct simulation *sim, struct case_of *c, const struct sim_thread *thread,
                       uint64_t number, uint64_t *state)
{
    struct stack_moments moments = {0};
    struct sighted_calls calls;
    time_ns end = thread->segments[thread->count - 1].to;
    sim_thread_sample(thread, c->clock, PERIOD, &moments, state);
    sighted_calls_find(&calls, &c->tree, moments.items, moments.count, 0, end);
    if (plain_calls_differ(&calls, &c->tree, moments.items, moments.count, 0, end))
        complain(sim, number, "a plain implementation finds other calls");
    for (uint32_t i = 0; i < calls.count; i++)
        check_call(sim, c, number, thread, &calls.items[i]);
    node_times_add(&c->times, moments.items, moments.count, &calls);
    sighted_calls_release(&calls);
    stack_moments_release(&moments);
}

static void run_case(struct simulation *sim, uint64_t seed, uint64_t number)
{
    uint64_t state = seed * 0x9e3779b97f4a7c15u + number;
    struct case_of c = {.clock = (enum sim_clock)(number % SIM_CLOCKS)};
    bool short_steps = number / SIM_CLOCKS % 4 != 0;
    double step = SHORT_STEP * (0.2 + 0.8 * sim_part(&state));
    struct sim_wish wish = {.mean_ns = (short_steps ? step : 0.5 + 4 * sim_part(&state)) * PERIOD,
                            .off_part = drawn_below(&state, 3) ? 0.2 : 0,
                            .functions = 2 + drawn_below(&state, 4),
                            .most_depth = 2 + drawn_below(&state, 5),
                            .addresses = drawn_below(&state, 2)};
    c.waits = wish.off_part > 0;
    c.thread_count = 1 + drawn_below(&state, THREADS);
    wish.duration = PERIODS * (time_ns)PERIOD;
    context_tree_init(&c.tree);
    for (uint32_t t = 0; t < c.thread_count; t++)
        sim_thread_run(&c.threads[t], &c.tree, &wish, &state);
    node_times_init(&c.times, &c.tree);
    for (uint32_t t = 0; t < c.thread_count; t++)
        see_thread(sim, &c, &c.threads[t], number, &state);
    node_times_close(&c.times);
    check_own(sim, &c, number);
    if (c.clock <= SIM_EXPONENTIAL)
        tally_time(sim, &c, &state);
    for (uint32_t t = 0; t < c.thread_count; t++)
        sim_thread_release(&c.threads[t]);
    node_times_release(&c.times);
    context_tree_release(&c.tree);
}

/* The error of a rate from few cases is allowed for. */
static int judge(const struct tally *tally, enum sim_clock clock, int length)
{
    double n = tally->asked, held = tally->held / n, slack = 3 * sqrt(0.05 * 0.95 / n);
    double mean = tally->off / n, error = sqrt((tally->off_square / n - mean * mean) / n);
    double least = fmin(0.92, 0.95 - slack), most = fmax(0.98, 0.95 + slack);
    bool wrong = tally->asked < 10 || held < least || held > most || fabs(mean) > 4 * error;
    printf("%-12s %-8s calls, %5d contexts: %5.1f %% of the intervals hold the truth; off by %+.2f "
           "%% +- %.2f%s\n",
           clock_names[clock], length_names[length], tally->asked, held * 100, mean * 100,
           error * 100, wrong ? "  WRONG" : "");
    return wrong;
}

/* The error is P / sqrt(6), and no guess is too long or too short in the mean. */
static int judge_guesses(const struct simulation *sim)
{
    double n = (double)sim->guesses, mean = sim->guess_off / n;
    double spread = sqrt(sim->guess_square / n), slack = 4 / sqrt(n);
    bool wrong = n < 100 || fabs(mean) > slack || spread < 0.9 - slack || spread > 1.1 + slack;
    printf("%llu calls of more than two periods: off by %+.3f of their errors, which are %.3f of "
           "the truth%s\n",
           (unsigned long long)sim->guesses, mean, 1 / spread, wrong ? "  WRONG" : "");
    return wrong;
}

int main(int argc, char **argv)
{
    struct simulation sim = {0};
    uint64_t cases = 1200, seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--cases") == 0)
            cases = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
    }
    for (uint64_t i = 0; i < cases; i++)
        run_case(&sim, seed, i);
    for (int clock = 0; clock <= SIM_EXPONENTIAL; clock++)
        for (int length = 0; length < LENGTHS; length++)
            sim.wrong += judge(&sim.tallies[clock][length], (enum sim_clock)clock, length);
    sim.wrong += judge_guesses(&sim);
    printf("%llu cases, %llu calls seen, %llu of them several together; %d wrong\n",
           (unsigned long long)cases, (unsigned long long)sim.calls, (unsigned long long)sim.joined,
           sim.wrong);
    return sim.wrong != 0;
}
