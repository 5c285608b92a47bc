#include "waits/edge_stacks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "symbol/variable_name.h"
#include "waits/run_queue.h"

struct gathering {
    struct edge_stacks *stacks;
    struct sampled_names *names;
    const struct timelines *run;
    const struct cascade *cascade;
    const struct wait_graph *graph;
    struct hash_map edge_of;   /* from << 32 | to -> 1 + edge */
    struct hash_map stood_for; /* of who << 33 | whom << 1 | of the waking, mixed -> ns */
    struct hash_map task_of;   /* pid << 32 | tid -> 1 + the first task that had them */
    struct intern places;      /* of locks: edge, process and address */
    struct hash_map held;      /* lock << 32 | group -> time in ns */
    size_t lock_capacity;
};

/* ---- edges ---- */

static void index_edges(struct gathering *g)
{
    for (uint32_t e = 0; e < g->graph->edge_count; e++) {
        const struct wait_edge *edge = &g->graph->edges[e];
        *hash_map_put(&g->edge_of, (uint64_t)edge->from << 32 | edge->to) = 1 + e;
    }
}

static void index_tasks(struct gathering *g)
{
    const struct kernel_side *side = g->cascade->vertices->side;
    for (uint32_t t = 1; t < side->task_count; t++) {
        uint64_t key = (uint64_t)side->tasks[t].pid << 32 | side->tasks[t].tid;
        uint64_t *known = hash_map_put(&g->task_of, key);
        if (!*known)
            *known = 1 + (uint64_t)t;
    }
}

/* Those of one group wait for each other by no edge of the graph. */
static bool find_edge(const struct gathering *g, const struct sampled_wait *wait, uint32_t *edge)
{
    uint32_t from = g->graph->group_of[wait->who];
    uint32_t to = g->graph->group_of[vertex_of_off(g->cascade->vertices, wait->off)];
    const uint64_t *known = hash_map_get(&g->edge_of, (uint64_t)from << 32 | to);
    if (known)
        *edge = (uint32_t)*known - 1;
    return known != NULL;
}

static double length_of(const struct sampled_wait *wait)
{
    return (double)(wait->off->woken - wait->off->out);
}

/* Who waits for whom, and whether it is the stack of the waking. */
static uint64_t pair_of(const struct gathering *g, const struct sampled_wait *wait)
{
    uint64_t whom = vertex_of_off(g->cascade->vertices, wait->off);
    return ((uint64_t)wait->who << 32 | whom) << 1 | (wait->stack->woken != 0);
}

static void measure_pairs(struct gathering *g, const struct sampled_waits *waits)
{
    for (size_t i = 0; i < waits->count; i++) {
        const struct sampled_wait *wait = &waits->items[i];
        *hash_map_put(&g->stood_for, hash_mix(pair_of(g, wait))) +=
            (uint64_t)(wait->stack->one_in * length_of(wait));
    }
}

/* So many waits it stands for, that all of the pair's make up what the pair waited. */
static double weight_of(const struct gathering *g, const struct sampled_wait *wait)
{
    uint64_t pair = pair_of(g, wait);
    const uint64_t *stood_for = hash_map_get(&g->stood_for, hash_mix(pair));
    const uint64_t *edge = hash_map_get(&g->cascade->edge_of, pair >> 1);
    if (!edge || !*stood_for)
        return wait->stack->one_in;
    double waited = (double)cascade_sum(g->cascade->edges[*edge - 1].raw);
    return wait->stack->one_in * waited / (double)*stood_for;
}

static double variance_of(double weight, double length)
{
    return weight > 1 ? weight * (weight - 1) * length * length : 0;
}

/* ---- locks ---- */

static bool in_futex(const struct sampled_frame *frames, uint32_t count)
{
    for (uint32_t i = 0; i < count && frames[i].kind == FRAME_KERNEL; i++)
        if (strstr(frames[i].name, "futex"))
            return true;
    return false;
}

static struct edge_lock *lock_like(struct gathering *g, uint32_t edge,
                                   const struct wait_stack *stack)
{
    struct edge_stacks *stacks = g->stacks;
    struct str place = {0};
    str_printf(&place, "%u %u %llx", edge, stack->pid, (unsigned long long)stack->argument);
    uint32_t index = intern_add(&g->places, place.data);
    str_release(&place);
    if (index == stacks->lock_count)
        VEC_PUSH(stacks->locks, stacks->lock_count, g->lock_capacity) = (struct edge_lock){
            .edge = edge, .pid = stack->pid, .address = stack->argument, .holder = NO_GROUP};
    return &stacks->locks[index];
}

/* What lies where a mutex has its holder is one if it is a thread of the process. */
static uint32_t holder_group(const struct gathering *g, const struct wait_stack *stack)
{
    uint64_t key = (uint64_t)stack->pid << 32 | stack->holder;
    const uint64_t *task = stack->holder ? hash_map_get(&g->task_of, key) : NULL;
    return task ? g->graph->group_of[*task - 1] : NO_GROUP;
}

static void add_lock(struct gathering *g, uint32_t edge, const struct sampled_wait *wait)
{
    double weight = weight_of(g, wait), length = length_of(wait);
    struct edge_lock *lock = lock_like(g, edge, wait->stack);
    uint32_t holder = holder_group(g, wait->stack);
    lock->time_ns += weight * length;
    lock->sd_ns += variance_of(weight, length); /* until all are gathered */
    lock->sampled++;
    if (holder == NO_GROUP)
        return;
    uint64_t index = (uint64_t)(lock - g->stacks->locks);
    uint64_t *held = hash_map_put(&g->held, index << 32 | holder);
    *held += (uint64_t)(weight * length);
    if ((double)*held > lock->held_ns) {
        lock->held_ns = (double)*held;
        lock->holder = holder;
    }
}

static const char *lock_name(struct gathering *g, const struct edge_lock *lock)
{
    struct symbolizer *symbolizer = sampled_names_symbolizer(g->names, lock->pid);
    struct str name = {0};
    const char *kept = NULL;
    if (symbolizer && variable_name(symbolizer, lock->address, &name))
        kept = arena_strndup(&g->stacks->arena, name.data, name.length);
    str_release(&name);
    return kept;
}

/* A name is looked for where debug information is gone over for it: those that are waited for long. */
static void name_locks(struct gathering *g)
{
    enum { NAMED = 32 };
    for (size_t i = 0, of_edge = 0; i < g->stacks->lock_count; i++) {
        struct edge_lock *lock = &g->stacks->locks[i];
        of_edge = i && lock[-1].edge == lock->edge ? of_edge + 1 : 0;
        if (of_edge < 3 && lock->edge < NAMED)
            lock->name = lock_name(g, lock);
    }
}

/* ---- all ---- */

static void add(struct gathering *g, const struct sampled_wait *wait)
{
    struct sampled_frame frames[SAMPLED_MOST];
    const struct sampled_stack *taken = &g->run->sampled_stacks[wait->stack->stack];
    uint32_t edge;
    if (!wait->stack->stack || !find_edge(g, wait, &edge))
        return;
    uint32_t count = sampled_names_stack(g->names, taken, frames);
    bool waking = wait->stack->woken != 0;
    double weight = weight_of(g, wait), length = length_of(wait);
    stack_sums_add(&g->stacks->sums, edge_stack_key(edge, waking ? STACK_OF_WAKING : STACK_OF_WAIT),
                   frames, count, weight * length, variance_of(weight, length));
    g->stacks->cut += taken->cut;
    if (!waking && in_futex(frames, count))
        add_lock(g, edge, wait);
}

static int by_lock(const void *a, const void *b)
{
    const struct edge_lock *p = a, *q = b;
    if (p->edge != q->edge)
        return p->edge < q->edge ? -1 : 1;
    return p->time_ns > q->time_ns ? -1 : p->time_ns < q->time_ns;
}

static void close_locks(struct edge_stacks *stacks)
{
    for (size_t i = 0; i < stacks->lock_count; i++)
        stacks->locks[i].sd_ns = sqrt(stacks->locks[i].sd_ns);
    if (stacks->lock_count)
        qsort(stacks->locks, stacks->lock_count, sizeof *stacks->locks, by_lock);
}

void edge_stacks_fill(struct edge_stacks *stacks, struct sampled_names *names,
                      const struct timelines *run, const struct cascade *cascade,
                      const struct wait_graph *graph)
{
    struct gathering g = {
        .stacks = stacks, .names = names, .run = run, .cascade = cascade, .graph = graph};
    struct sampled_waits waits;
    *stacks = (struct edge_stacks){0};
    if (!names)
        return;
    sampled_waits_fill(&waits, cascade->vertices->side, run->wait_stacks, false);
    stacks->unmatched = waits.unmatched;
    index_edges(&g);
    index_tasks(&g);
    measure_pairs(&g, &waits);
    for (size_t i = 0; i < waits.count; i++)
        add(&g, &waits.items[i]);
    stack_sums_close(&stacks->sums);
    close_locks(stacks);
    name_locks(&g);
    sampled_waits_release(&waits);
    hash_map_release(&g.edge_of);
    hash_map_release(&g.task_of);
    hash_map_release(&g.held);
    hash_map_release(&g.stood_for);
    intern_release(&g.places);
}

void edge_stacks_release(struct edge_stacks *stacks)
{
    stack_sums_release(&stacks->sums);
    memory_free(stacks->locks);
    arena_release(&stacks->arena);
    *stacks = (struct edge_stacks){0};
}
