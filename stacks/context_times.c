#include "stacks/context_times.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stacks/group_name.h"
#include "stacks/sample_error.h"
#include "stacks/stratum.h"

/* What was off for one reason, or of one cause, of one thread. */
struct off_stratum {
    struct stratum others; /* what each stack stands for beside itself */
    struct stratum selves; /* what was recorded with a stack */
    time_ns recorded, rest;
};

struct adding {
    struct context_times *times;
    const struct sightings *seen;
    const struct timelines *run;
    const struct thread_groups *groups;
    struct hash_map own_reason, total_reason; /* node << 32 | reason -> ns */
    struct stratum_below *below;              /* by node */
    double *variance;                         /* by node */
    struct sample_errors errors, own_errors;  /* of the present thread's samples */
    struct off_stratum *of_reason;            /* of the present thread, by reason */
    uint64_t period_ns; /* of samples that leave the kernel out, the longest; 0: they do not */
    size_t reason_room;
    struct off_stratum of_cause[OFF_CAUSES];
};

/* ---- where ---- */

static uint32_t node_of(struct adding *a, uint32_t group_node, const struct sighting *sighting)
{
    struct context_fold *fold = &a->times->fold;
    if (sighting->node == CONTEXT_NONE)
        return context_fold_special(fold, group_node, CONTEXT_NO_STACK);
    return context_fold_node(fold, group_node, sighting->node, sighting->cut);
}

static void make_group(struct adding *a, uint32_t group)
{
    struct context_fold *fold = &a->times->fold;
    char *name = group_name(&a->groups->items[group]);
    uint32_t node = context_fold_group(fold, group, name);
    a->times->group_node[group] = node;
    for (int s = 0; s < CONTEXT_SPECIALS; s++)
        context_fold_special(fold, node, (enum context_special)s);
    memory_free(name);
}

/* All nodes are there before anything is added to them. */
static void make_nodes(struct adding *a)
{
    struct context_times *times = a->times;
    times->group_node = memory_alloc((a->groups->count + 1) * sizeof *times->group_node);
    for (uint32_t g = 0; g < a->groups->count; g++) {
        times->group_node[g] = CONTEXT_NONE;
        if (a->groups->items[g].of_run)
            make_group(a, g);
    }
    for (uint32_t t = 1; t < a->seen->task_count; t++)
        for (size_t i = 0; i < a->seen->tasks[t].count; i++)
            node_of(a, times->group_node[a->groups->of_task[t]], &a->seen->tasks[t].items[i]);
    size_t count = times->fold.tree.count;
    times->sums = memory_zeroed(count * sizeof *times->sums);
    sample_errors_init(&a->errors, &times->fold.tree);
    sample_errors_init(&a->own_errors, &times->fold.tree);
    a->below = memory_zeroed(count * sizeof *a->below);
    a->variance = memory_zeroed(count * sizeof *a->variance);
}

/* ---- sums ---- */

/* Until all are there, a node has in `total` what ends at it. */
static void add_time(struct adding *a, uint32_t node, enum context_time kind, time_ns time)
{
    a->times->sums[node].total[kind] += time;
    a->times->sums[context_fold_own(&a->times->fold, node)].own[kind] += time;
}

static void add_reason(struct adding *a, uint32_t node, uint32_t reason, time_ns time)
{
    uint32_t own = context_fold_own(&a->times->fold, node);
    add_time(a, node, TIME_OFF, time);
    *hash_map_put(&a->own_reason, (uint64_t)own << 32 | reason) += (uint64_t)time;
    for (uint32_t n = node; n != CONTEXT_NONE; n = a->times->fold.tree.nodes[n].parent)
        *hash_map_put(&a->total_reason, (uint64_t)n << 32 | reason) += (uint64_t)time;
}

/* Of groups and above it the time is exact. */
static void add_variance(struct adding *a, const struct stratum *stratum, time_ns time,
                         enum context_time kind)
{
    enum { LEAST_DEPTH = 2 };
    const struct context_fold *fold = &a->times->fold;
    struct stratum own = {0};
    for (size_t i = 0; i < stratum->count; i++)
        stratum_add(&own, context_fold_own(fold, stratum->parts[i].node), stratum->parts[i].weight,
                    stratum->parts[i].variance);
    own.seen = stratum->seen;
    for (size_t i = 0; i < own.count; i++)
        a->times->sums[own.parts[i].node].own_variance[kind] +=
            stratum_variance(&own, time, &own.parts[i]);
    stratum_release(&own);
    stratum_spread(stratum, time, &fold->tree, LEAST_DEPTH, a->below, a->variance);
    for (size_t i = 0; i < stratum->count; i++)
        for (uint32_t n = stratum->parts[i].node; fold->tree.nodes[n].depth >= LEAST_DEPTH;
             n = fold->tree.nodes[n].parent) {
            a->times->sums[n].variance[kind] += a->variance[n];
            a->variance[n] = 0;
        }
}

/* ---- what it ran ---- */

/* It is known as a whole, so that its parts are off by no more than a part of one whole that is shared out by chance: of
 * calls that are long beside the clock's period it is less (sample_error.h). Few samples tell little of what they all
 * agree in. */
static double ran_variance(const struct sample_errors *errors, uint32_t node, double scale)
{
    double n = (double)errors->samples, few = 1 / (2 * n + 2);
    double p = (double)errors->nodes[node].samples / n, all = errors->squares;
    double by_chance = p * (1 - p) * all, least = few * (1 - few) * all;
    double variance = sample_errors_variance(errors, node);
    variance = variance < by_chance ? variance : by_chance;
    return scale * scale * (variance > least ? variance : least);
}

/* Of groups and above it the time is exact. */
static void add_ran_variance(struct adding *a, const struct stratum *samples, time_ns ran)
{
    enum { LEAST_DEPTH = 2 };
    const struct context_tree *tree = &a->times->fold.tree;
    double scale = samples->weight ? (double)ran / (double)samples->weight : 0;
    sample_errors_close(&a->errors);
    sample_errors_close(&a->own_errors);
    for (size_t i = 0; i < a->errors.count; i++) {
        uint32_t n = a->errors.touched[i];
        if (tree->nodes[n].depth >= LEAST_DEPTH)
            a->times->sums[n].variance[TIME_RAN] += ran_variance(&a->errors, n, scale);
    }
    for (size_t i = 0; i < a->own_errors.count; i++) {
        uint32_t n = a->own_errors.touched[i];
        a->times->sums[n].own_variance[TIME_RAN] += ran_variance(&a->own_errors, n, scale);
    }
    sample_errors_clear(&a->errors);
    sample_errors_clear(&a->own_errors);
}

/* So long a thread ran without a sample before it is put down to the kernel (chosen). */
#define LEAST_PERIOD_NS UINT64_C(2000000)

/* Where samples are of what runs outside of the kernel, each stands for its clock's period, whatever else there is. */
static void find_period(struct adding *a)
{
    uint64_t longest = LEAST_PERIOD_NS;
    if (a->run->watched != TRACE_WATCHED_OWN)
        return;
    for (uint32_t i = 0; i < a->run->sample_count; i++)
        if (a->run->samples[i].amount_ns > longest)
            longest = a->run->samples[i].amount_ns;
    a->period_ns = longest;
}

/* Gives how much it was: what ran, and is not in samples. What is less than two of them is chance. */
static time_ns add_kernel(struct adding *a, const struct stratum *samples, uint32_t group_node,
                          time_ns ran)
{
    time_ns unseen = ran - (time_ns)samples->weight;
    if (!a->period_ns || unseen < 2 * (time_ns)a->period_ns)
        return 0;
    add_time(a, context_fold_special(&a->times->fold, group_node, CONTEXT_KERNEL), TIME_RAN,
             unseen);
    return unseen;
}

static void add_ran(struct adding *a, uint32_t task, uint32_t group_node)
{
    const struct task_sightings *of = &a->seen->tasks[task];
    struct context_times *times = a->times;
    time_ns ran = times->threads[task].ran;
    struct stratum samples = {0};
    for (size_t i = 0; i < of->count; i++) {
        const struct sighting *sample = &of->items[i];
        if (sample->kind != SIGHTING_RAN)
            continue;
        uint32_t node = node_of(a, group_node, sample);
        double amount = (double)sample->amount_ns;
        stratum_add(&samples, node, sample->amount_ns, amount * amount);
        uint32_t own = context_fold_own(&times->fold, node);
        sample_errors_add(&a->errors, node, sample->amount_ns);
        sample_errors_add_own(&a->own_errors, own, sample->amount_ns);
        times->sums[node].samples++;
        times->sums[own].own_samples++;
    }
    ran -= add_kernel(a, &samples, group_node, ran);
    if (!samples.weight)
        add_time(a, context_fold_special(&times->fold, group_node, CONTEXT_NOT_SEEN), TIME_RAN,
                 ran);
    stratum_share(&samples, ran);
    for (size_t i = 0; i < samples.count; i++)
        add_time(a, samples.parts[i].node, TIME_RAN, samples.parts[i].time);
    add_ran_variance(a, &samples, ran);
    stratum_release(&samples);
}

/* ---- what it was off ---- */

static struct off_stratum *stratum_of(struct adding *a, uint32_t reason)
{
    while (a->reason_room <= reason) {
        size_t capacity = a->reason_room ? 2 * a->reason_room : 8;
        a->of_reason = memory_resize(a->of_reason, capacity * sizeof *a->of_reason);
        memset(a->of_reason + a->reason_room, 0,
               (capacity - a->reason_room) * sizeof *a->of_reason);
        a->reason_room = capacity;
    }
    return &a->of_reason[reason];
}

/* One of n stands for n - 1 others of about its length. */
static void add_recorded(struct off_stratum *to, uint32_t node, time_ns length, uint32_t one_in)
{
    double d = (double)length, n = one_in;
    to->recorded += length;
    stratum_add(&to->selves, node, (uint64_t)length, d * d);
    stratum_add(&to->others, node, (uint64_t)length * (one_in - 1), n * (n - 1) * d * d);
}

static void add_off(struct adding *a, uint32_t task, uint32_t group_node,
                    const struct sighting *sighting)
{
    const struct kernel_task *of = &a->run->kernel_side->tasks[task];
    const struct off_cpu *off =
        sighting->off < of->off_count ? &of->offs[sighting->off] : &of->open;
    time_ns length = off->woken - off->out;
    if (length <= 0)
        return;
    uint32_t reason = off_reason_of(&a->times->whys, a->groups, off);
    struct off_stratum *to = stratum_of(a, reason), *cause = &a->of_cause[off->cause];
    if (!sighting->one_in) {
        to->rest += length;
        return;
    }
    uint32_t node = node_of(a, group_node, sighting);
    add_reason(a, node, reason, length);
    a->times->sums[node].stacks++;
    a->times->sums[context_fold_own(&a->times->fold, node)].own_stacks++;
    add_recorded(to, node, length, sighting->one_in);
    add_recorded(cause, node, length, sighting->one_in);
}

/* So much of what has no stack is put down to contexts. */
static time_ns shared_part(const struct off_stratum *by, time_ns rest)
{
    time_ns stands_for = (time_ns)by->others.weight + by->recorded;
    time_ns most = 2 * stands_for - by->recorded;
    return rest < most ? rest : most;
}

static void add_rest(struct adding *a, uint32_t group_node, uint32_t reason, time_ns rest)
{
    const struct off_reason *why = &a->times->whys.items[reason];
    struct off_stratum *by = &a->of_reason[reason];
    by = by->recorded ? by : &a->of_cause[why->cause];
    struct stratum *weights = by->others.weight ? &by->others : &by->selves;
    time_ns shared = shared_part(by, rest);
    uint32_t none = context_fold_special(&a->times->fold, group_node, CONTEXT_NO_STACK);
    if (shared < rest)
        add_reason(a, none, reason, rest - shared);
    if (!shared)
        return;
    a->times->stood_for += shared;
    stratum_share(weights, shared);
    for (size_t i = 0; i < weights->count; i++)
        if (weights->parts[i].time)
            add_reason(a, weights->parts[i].node, reason, weights->parts[i].time);
    add_variance(a, weights, shared, TIME_OFF);
}

static void clear_stratum(struct off_stratum *stratum)
{
    stratum_clear(&stratum->others);
    stratum_clear(&stratum->selves);
    stratum->recorded = stratum->rest = 0;
}

static void add_offs(struct adding *a, uint32_t task, uint32_t group_node)
{
    const struct task_sightings *of = &a->seen->tasks[task];
    for (size_t i = 0; i < of->count; i++)
        if (of->items[i].kind == SIGHTING_OFF)
            add_off(a, task, group_node, &of->items[i]);
    for (uint32_t r = 0; r < a->times->whys.count && r < a->reason_room; r++)
        if (a->of_reason[r].rest)
            add_rest(a, group_node, r, a->of_reason[r].rest);
    for (size_t r = 0; r < a->reason_room; r++)
        clear_stratum(&a->of_reason[r]);
    for (int c = 0; c < OFF_CAUSES; c++)
        clear_stratum(&a->of_cause[c]);
}

/* ---- all ---- */

static void add_thread(struct adding *a, uint32_t task)
{
    struct context_times *times = a->times;
    const struct thread_time *thread = &times->threads[task];
    uint32_t group_node = times->group_node[a->groups->of_task[task]];
    add_ran(a, task, group_node);
    add_offs(a, task, group_node);
    add_time(a, context_fold_special(&times->fold, group_node, CONTEXT_QUEUE), TIME_QUEUE,
             thread->queue);
    add_time(a, context_fold_special(&times->fold, group_node, CONTEXT_MISSING), TIME_MISSING,
             thread->missing);
}

static void add_up(struct context_times *times)
{
    const struct context_node *nodes = times->fold.tree.nodes;
    for (size_t n = times->fold.tree.count; n-- > 1;) {
        struct context_sum *sum = &times->sums[n], *above = &times->sums[nodes[n].parent];
        for (int k = 0; k < CONTEXT_TIMES; k++)
            above->total[k] += sum->total[k];
        above->samples += sum->samples;
        above->stacks += sum->stacks;
    }
}

static int by_node(const void *a, const void *b)
{
    const struct context_reason *p = a, *q = b;
    if (p->node != q->node)
        return p->node < q->node ? -1 : 1;
    if (p->total != q->total)
        return p->total > q->total ? -1 : 1;
    return p->reason < q->reason ? -1 : p->reason > q->reason;
}

static void list_reasons(struct adding *a)
{
    struct context_times *times = a->times;
    for (size_t i = 0; i < a->total_reason.capacity; i++) {
        const struct hash_map_entry *entry = &a->total_reason.entries[i];
        if (!entry->used)
            continue;
        const uint64_t *own = hash_map_get(&a->own_reason, entry->key);
        VEC_PUSH(times->reasons, times->reason_count, times->reason_capacity) =
            (struct context_reason){.node = (uint32_t)(entry->key >> 32),
                                    .reason = (uint32_t)entry->key,
                                    .own = own ? (time_ns)*own : 0,
                                    .total = (time_ns)entry->value};
    }
    if (times->reason_count)
        qsort(times->reasons, times->reason_count, sizeof *times->reasons, by_node);
}

static void adding_release(struct adding *a)
{
    for (size_t r = 0; r < a->reason_room; r++) {
        stratum_release(&a->of_reason[r].others);
        stratum_release(&a->of_reason[r].selves);
    }
    for (int c = 0; c < OFF_CAUSES; c++) {
        stratum_release(&a->of_cause[c].others);
        stratum_release(&a->of_cause[c].selves);
    }
    sample_errors_release(&a->errors);
    sample_errors_release(&a->own_errors);
    memory_free(a->of_reason);
    memory_free(a->below);
    memory_free(a->variance);
    hash_map_release(&a->own_reason);
    hash_map_release(&a->total_reason);
}

void context_times_fill(struct context_times *times, const struct sightings *seen,
                        const struct timelines *run, const struct thread_groups *groups,
                        unsigned layers)
{
    struct adding a = {.times = times, .seen = seen, .run = run, .groups = groups};
    *times = (struct context_times){.threads = thread_times_find(run->kernel_side)};
    context_fold_init(&times->fold, &seen->tree, layers);
    make_nodes(&a);
    find_period(&a);
    for (uint32_t t = 1; t < seen->task_count; t++)
        if (kernel_task_is_of_run(run->kernel_side, t))
            add_thread(&a, t);
    add_up(times);
    list_reasons(&a);
    adding_release(&a);
}

void context_times_release(struct context_times *times)
{
    context_fold_release(&times->fold);
    off_reasons_release(&times->whys);
    memory_free(times->sums);
    memory_free(times->reasons);
    memory_free(times->threads);
    memory_free(times->group_node);
    *times = (struct context_times){0};
}

time_ns context_time_own(const struct context_sum *sum)
{
    time_ns all = 0;
    for (int k = 0; k < CONTEXT_TIMES; k++)
        all += sum->own[k];
    return all;
}

time_ns context_time_total(const struct context_sum *sum)
{
    time_ns all = 0;
    for (int k = 0; k < CONTEXT_TIMES; k++)
        all += sum->total[k];
    return all;
}

const struct context_reason *context_reasons_of(const struct context_times *times, uint32_t node,
                                                size_t *count)
{
    size_t low = 0, high = times->reason_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (times->reasons[middle].node < node)
            low = middle + 1;
        else
            high = middle;
    }
    for (*count = 0;
         low + *count < times->reason_count && times->reasons[low + *count].node == node;)
        ++*count;
    return times->reason_count ? &times->reasons[low] : NULL;
}

uint32_t context_group_of(const struct context_times *times, uint32_t node)
{
    const struct context_node *nodes = times->fold.tree.nodes;
    while (nodes[node].depth > 1)
        node = nodes[node].parent;
    const char *number = times->fold.tree.frames[nodes[node].frame].object;
    return (uint32_t)strtoul(number, NULL, 10);
}
