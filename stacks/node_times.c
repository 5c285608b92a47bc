#include "stacks/node_times.h"

#include <math.h>

#include "base/memory.h"

void node_times_init(struct node_times *times, const struct context_tree *tree)
{
    times->tree = tree;
    times->items = memory_zeroed(tree->count * sizeof *times->items);
}

void node_times_release(struct node_times *times)
{
    memory_free(times->items);
    *times = (struct node_times){0};
}

static void add_call(struct node_times *times, const struct sighted_call *call)
{
    struct node_time *time = &times->items[call->node];
    time->calls++;
    time->conservative += sighted_call_conservative(call);
    time->aggressive += sighted_call_aggressive(call);
}

static void add_sample(struct node_times *times, const struct stack_moment *sample)
{
    const struct context_node *nodes = times->tree->nodes;
    for (uint32_t node = sample->node; node != CONTEXT_NONE; node = nodes[node].parent) {
        times->items[node].samples++;
        times->items[node].sampled_ns += sample->amount_ns;
    }
}

/* ---- how far a sampled time may be off ---- */

#define OF_SEEN (1 / 12.0) /* of the squared gap, that a boundary may be anywhere in */
#define OF_CHANCE (1 / 2.0)

/* The latest samples of a thread, one behind the other, that have a node. */
struct node_run {
    size_t before;       /* so many behind each other had it not, before the first; 0: none */
    size_t began, ended; /* the first, and the one behind the last */
    uint64_t gap_began, gap_ended; /* ns, in which the boundaries are */
    bool seen, open;
};

struct following {
    struct node_times *times;
    struct node_run *runs; /* by node */
};

static void add_boundary(struct following *f, uint32_t node, uint64_t gap, size_t a, size_t b)
{
    bool seen = a > 1 && b > 1;
    f->times->items[node].boundaries++;
    f->times->items[node].variance += (seen ? OF_SEEN : OF_CHANCE) * (double)gap * (double)gap;
}

static void begin_run(struct following *f, uint32_t node, size_t sample, uint64_t gap)
{
    struct node_run *run = &f->runs[node];
    run->before = sample - (run->seen ? run->ended : 0);
    if (run->seen)
        add_boundary(f, node, run->gap_ended, run->ended - run->began, run->before);
    run->seen = run->open = true;
    run->began = sample;
    run->gap_began = gap;
}

static void end_run(struct following *f, uint32_t node, size_t sample, uint64_t gap)
{
    struct node_run *run = &f->runs[node];
    run->open = false;
    run->ended = sample;
    run->gap_ended = gap;
    if (run->before)
        add_boundary(f, node, run->gap_began, run->before, sample - run->began);
}

/* Nothing is known of what comes behind the last sample. */
static void end_all(struct following *f, size_t samples)
{
    for (uint32_t n = 0; n < f->times->tree->count; n++) {
        struct node_run *run = &f->runs[n];
        if (run->seen && !run->open)
            add_boundary(f, n, run->gap_ended, run->ended - run->began, samples - run->ended);
        else if (run->seen && run->before)
            add_boundary(f, n, run->gap_began, run->before, samples - run->began);
    }
}

static void follow(struct following *f, uint32_t from, const struct stack_moment *to, size_t sample)
{
    const struct context_node *nodes = f->times->tree->nodes;
    uint32_t common = context_common(f->times->tree, from, to->node);
    for (uint32_t n = from; n != common; n = nodes[n].parent)
        end_run(f, n, sample, to->amount_ns);
    for (uint32_t n = to->node; n != common; n = nodes[n].parent)
        begin_run(f, n, sample, to->amount_ns);
}

void node_times_add(struct node_times *times, const struct stack_moment *moments, size_t count,
                    const struct sighted_calls *calls)
{
    struct following f = {.times = times,
                          .runs = memory_zeroed(times->tree->count * sizeof *f.runs)};
    uint32_t latest = CONTEXT_ROOT;
    size_t samples = 0;
    for (size_t i = 0; i < count; i++) {
        if (!moments[i].amount_ns)
            continue;
        add_sample(times, &moments[i]);
        times->squares += (double)moments[i].amount_ns * (double)moments[i].amount_ns;
        follow(&f, latest, &moments[i], samples++);
        latest = moments[i].node;
    }
    end_all(&f, samples);
    for (uint32_t c = 0; c < calls->count; c++)
        add_call(times, &calls->items[c]);
    memory_free(f.runs);
}

#define ERRORS_LESS 2.5 /* so much less than it seems, samples may be alike */

/* Cochran's for neighbours that are alike, less and less by distance: of a binomial count's variance, the part
 * 1 + 2 / log r + 2 / (1 / r - 1), where r is their correlation. */
static double alike_part(double r)
{
    return r > 0 ? 1 + 2 / log(r) + 2 / (1 / r - 1) : 1;
}

static double variance_if_alike(const struct node_time *time, const struct node_time *all,
                                double square)
{
    double n = (double)all->samples, k = (double)time->samples, spread = k * (1 - k / n);
    if (spread <= 0)
        return INFINITY;
    double r = fmax(0, 1 - (double)time->boundaries / (2 * spread));
    double least = r - ERRORS_LESS * sqrt(r * (1 - r) / k + 1 / n);
    return square / n * spread * alike_part(least);
}

/* A parent stands before its children. The root is no call: what is said of it is said of all. */
void node_times_close(struct node_times *times)
{
    const struct context_tree *tree = times->tree;
    for (size_t n = 0; n < tree->count; n++) {
        struct node_time *time = &times->items[n];
        time->variance = fmin(time->variance,
                              variance_if_alike(time, &times->items[CONTEXT_ROOT], times->squares));
        time->own_sampled_ns = time->sampled_ns;
        time->own_conservative = time->conservative;
        time->own_aggressive = time->aggressive;
    }
    for (size_t n = tree->count; n-- > 1;) {
        const struct node_time *time = &times->items[n];
        struct node_time *parent = &times->items[tree->nodes[n].parent];
        parent->own_sampled_ns -= time->sampled_ns;
        if (tree->nodes[n].parent == CONTEXT_ROOT)
            continue;
        parent->own_conservative -= time->conservative;
        parent->own_aggressive -= time->aggressive;
    }
}
