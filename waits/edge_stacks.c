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
    const struct timelines *run;
    const struct vertex_table *vertices;
    const struct wait_graph *graph;
    struct hash_map edge_of;  /* from << 32 | to -> 1 + edge */
    struct intern paths;      /* the names of a stack's functions */
    struct hash_map stack_of; /* path << 32 | edge << 1 | of the waker -> 1 + item */
    struct intern places;     /* of locks: edge, process and address */
    struct hash_map held;     /* lock << 32 | group -> time in ns */
    size_t capacity, lock_capacity;
};

/* ---- edges ---- */

static void index_edges(struct gathering *g)
{
    for (uint32_t e = 0; e < g->graph->edge_count; e++) {
        const struct wait_edge *edge = &g->graph->edges[e];
        *hash_map_put(&g->edge_of, (uint64_t)edge->from << 32 | edge->to) = 1 + e;
    }
}

/* Those of one group wait for each other by no edge of the graph. */
static bool find_edge(const struct gathering *g, const struct sampled_wait *wait, uint32_t *edge)
{
    uint32_t from = g->graph->group_of[wait->who];
    uint32_t to = g->graph->group_of[vertex_of_off(g->vertices, wait->off)];
    const uint64_t *known = hash_map_get(&g->edge_of, (uint64_t)from << 32 | to);
    if (known)
        *edge = (uint32_t)*known - 1;
    return known != NULL;
}

/* ---- stacks ---- */

static uint32_t path_of(struct gathering *g, const struct sampled_frame *frames, uint32_t count)
{
    struct str text = {0};
    for (uint32_t i = 0; i < count; i++)
        str_printf(&text, "%d%s\n", (int)frames[i].kind, frames[i].name);
    uint32_t path = intern_add(&g->paths, str_text(&text));
    str_release(&text);
    return path;
}

static const struct sampled_frame *kept_frames(struct gathering *g,
                                               const struct sampled_frame *frames, uint32_t count)
{
    struct sampled_frame *kept = ARENA_ARRAY(&g->stacks->arena, struct sampled_frame, count);
    memcpy(kept, frames, count * sizeof *frames);
    return kept;
}

static struct edge_stack *stack_like(struct gathering *g, uint32_t edge, bool of_waker,
                                     const struct sampled_frame *frames, uint32_t count)
{
    struct edge_stacks *stacks = g->stacks;
    uint64_t path = path_of(g, frames, count);
    uint64_t *known =
        hash_map_put(&g->stack_of, path << 32 | (uint64_t)edge << 1 | (uint64_t)of_waker);
    if (!*known) {
        VEC_PUSH(stacks->items, stacks->count, g->capacity) =
            (struct edge_stack){.edge = edge,
                                .of_waker = of_waker,
                                .frames = kept_frames(g, frames, count),
                                .frame_count = count};
        *known = stacks->count;
    }
    return &stacks->items[*known - 1];
}

/* The variance is gathered where the standard deviation will be. */
static void weigh(double *time, double *variance, const struct sampled_wait *wait)
{
    double each = (double)(wait->off->woken - wait->off->out), n = wait->stack->one_in;
    *time += n * each;
    *variance += n * (n - 1) * each * each;
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
    const struct kernel_side *side = g->vertices->side;
    for (uint32_t t = 1; stack->holder && t < side->task_count; t++)
        if (side->tasks[t].tid == stack->holder && side->tasks[t].pid == stack->pid)
            return g->graph->group_of[t];
    return NO_GROUP;
}

static void add_lock(struct gathering *g, uint32_t edge, const struct sampled_wait *wait)
{
    struct edge_lock *lock = lock_like(g, edge, wait->stack);
    uint32_t holder = holder_group(g, wait->stack);
    double before = lock->time_ns;
    weigh(&lock->time_ns, &lock->sd_ns, wait);
    lock->sampled++;
    if (holder == NO_GROUP)
        return;
    uint64_t index = (uint64_t)(lock - g->stacks->locks);
    uint64_t *held = hash_map_put(&g->held, index << 32 | holder);
    *held += (uint64_t)(lock->time_ns - before);
    if ((double)*held > lock->held_ns) {
        lock->held_ns = (double)*held;
        lock->holder = holder;
    }
}

static const char *lock_name(struct gathering *g, const struct edge_lock *lock)
{
    struct symbolizer *symbolizer = sampled_names_symbolizer(g->stacks->names, lock->pid);
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
    uint32_t count = sampled_names_stack(g->stacks->names, taken, frames);
    bool of_waker = wait->stack->woken != 0;
    struct edge_stack *stack = stack_like(g, edge, of_waker, frames, count);
    weigh(&stack->time_ns, &stack->sd_ns, wait);
    stack->sampled++;
    g->stacks->cut += taken->cut;
    if (!of_waker && in_futex(frames, count))
        add_lock(g, edge, wait);
}

static int by_edge(const void *a, const void *b)
{
    const struct edge_stack *p = a, *q = b;
    if (p->edge != q->edge)
        return p->edge < q->edge ? -1 : 1;
    if (p->of_waker != q->of_waker)
        return p->of_waker ? 1 : -1;
    return p->time_ns > q->time_ns ? -1 : p->time_ns < q->time_ns;
}

static int by_lock(const void *a, const void *b)
{
    const struct edge_lock *p = a, *q = b;
    if (p->edge != q->edge)
        return p->edge < q->edge ? -1 : 1;
    return p->time_ns > q->time_ns ? -1 : p->time_ns < q->time_ns;
}

static void close_sums(struct edge_stacks *stacks)
{
    for (size_t i = 0; i < stacks->count; i++)
        stacks->items[i].sd_ns = sqrt(stacks->items[i].sd_ns);
    for (size_t i = 0; i < stacks->lock_count; i++)
        stacks->locks[i].sd_ns = sqrt(stacks->locks[i].sd_ns);
    if (stacks->count)
        qsort(stacks->items, stacks->count, sizeof *stacks->items, by_edge);
    if (stacks->lock_count)
        qsort(stacks->locks, stacks->lock_count, sizeof *stacks->locks, by_lock);
}

void edge_stacks_fill(struct edge_stacks *stacks, const struct timelines *run,
                      const struct vertex_table *vertices, const struct wait_graph *graph)
{
    struct gathering g = {.stacks = stacks, .run = run, .vertices = vertices, .graph = graph};
    struct sampled_waits waits;
    *stacks = (struct edge_stacks){0};
    if (!run->wait_stacks)
        return;
    stacks->names = sampled_names_open(run->wait_stacks);
    sampled_waits_fill(&waits, vertices, run->wait_stacks);
    stacks->unmatched = waits.unmatched;
    index_edges(&g);
    for (size_t i = 0; i < waits.count; i++)
        add(&g, &waits.items[i]);
    close_sums(stacks);
    name_locks(&g);
    sampled_waits_release(&waits);
    hash_map_release(&g.edge_of);
    hash_map_release(&g.stack_of);
    hash_map_release(&g.held);
    intern_release(&g.paths);
    intern_release(&g.places);
}

const char *edge_stack_function(const struct edge_stack *stack)
{
    const char *library = "";
    for (uint32_t i = 0; i < stack->frame_count; i++) {
        if (stack->frames[i].kind == FRAME_PROGRAM)
            return stack->frames[i].name;
        if (stack->frames[i].kind == FRAME_LIBRARY && !*library)
            library = stack->frames[i].name;
    }
    return library;
}

void edge_stacks_release(struct edge_stacks *stacks)
{
    if (stacks->names)
        sampled_names_close(stacks->names);
    memory_free(stacks->items);
    memory_free(stacks->locks);
    arena_release(&stacks->arena);
    *stacks = (struct edge_stacks){0};
}
