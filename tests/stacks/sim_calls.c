#include "sim_calls.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "drawn.h"

enum { MOST_DEPTH = 16, SITES = 3 };

double sim_part(uint64_t *state)
{
    return drawn_below(state, 1u << 30) / (double)(1u << 30);
}

double sim_exponential(uint64_t *state, double mean)
{
    return -mean * log(1 - sim_part(state));
}

/* The stack of a thread while it is made. */
struct making {
    struct sim_thread *thread;
    struct context_tree *tree;
    const struct sim_wish *wish;
    uint64_t *state;
    uint32_t nodes[MOST_DEPTH + 1]; /* by depth */
    size_t calls[MOST_DEPTH + 1];   /* the open ones, by depth */
    uint64_t sites[MOST_DEPTH + 1];
    uint32_t depth;
    time_ns time;
    const uint64_t *known_sites; /* those of the open calls, kept; NULL: they have changed */
};

static const uint64_t *kept_sites(struct making *m)
{
    if (!m->wish->addresses)
        return NULL;
    if (!m->known_sites) {
        uint64_t *sites = ARENA_ARRAY(&m->thread->arena, uint64_t, m->depth);
        memcpy(sites, m->sites, m->depth * sizeof *sites);
        sites[m->depth - 1] = 0;
        m->known_sites = sites;
    }
    return m->known_sites;
}

static void pass(struct making *m, time_ns ns, bool off, bool entered)
{
    struct sim_thread *t = m->thread;
    VEC_PUSH(t->segments, t->count, t->capacity) = (struct sim_segment){
        m->time, m->time + ns, m->nodes[m->depth], (uint32_t)m->calls[m->depth], kept_sites(m),
        off,     entered};
    m->time += ns;
}

static time_ns some_ns(struct making *m)
{
    return 1 + (time_ns)sim_exponential(m->state, m->wish->mean_ns);
}

static void enter(struct making *m)
{
    struct sim_thread *t = m->thread;
    char name[16] = {(char)('A' + (int)drawn_below(m->state, m->wish->functions)), 0};
    struct context_frame frame = {
        .function = m->depth ? name : "main", .object = "program", .kind = FRAME_PROGRAM};
    m->sites[m->depth ? m->depth - 1 : 0] = 1 + drawn_below(m->state, SITES);
    m->nodes[m->depth + 1] =
        context_tree_child(m->tree, m->nodes[m->depth], context_frame_add(m->tree, &frame));
    m->depth++;
    m->calls[m->depth] = t->call_count;
    m->known_sites = NULL;
    VEC_PUSH(t->calls, t->call_count, t->call_capacity) = (struct sim_call){
        m->time, m->time, m->nodes[m->depth], (uint32_t)m->calls[m->depth > 1 ? m->depth - 1 : 1]};
    pass(m, some_ns(m), false, true);
}

static void leave(struct making *m)
{
    m->thread->calls[m->calls[m->depth]].end = m->time;
    m->depth--;
    m->known_sites = NULL;
}

static void step(struct making *m)
{
    double what = sim_part(m->state);
    bool deepest = m->depth == m->wish->most_depth;
    if (what < m->wish->off_part) {
        pass(m, some_ns(m), true, false);
        pass(m, some_ns(m), false, false);
    } else if (!deepest && (m->depth == 1 || sim_part(m->state) < 0.5)) {
        enter(m);
    } else if (m->depth > 1) {
        leave(m);
        if (sim_part(m->state) < 0.5)
            pass(m, some_ns(m), false, false);
    }
}

void sim_thread_run(struct sim_thread *thread, struct context_tree *tree,
                    const struct sim_wish *wish, uint64_t *state)
{
    struct making m = {.thread = thread, .tree = tree, .wish = wish, .state = state};
    m.nodes[0] = CONTEXT_ROOT;
    enter(&m);
    while (m.time < wish->duration)
        step(&m);
    while (m.depth)
        leave(&m);
}

void sim_thread_release(struct sim_thread *thread)
{
    memory_free(thread->segments);
    memory_free(thread->calls);
    arena_release(&thread->arena);
    *thread = (struct sim_thread){0};
}

const struct sim_call *sim_thread_call(const struct sim_thread *thread, uint32_t node, time_ns time)
{
    size_t low = 0, high = thread->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (thread->segments[middle].from <= time)
            low = middle;
        else
            high = middle;
    }
    uint32_t call = thread->segments[low].call;
    while (thread->calls[call].node != node && thread->calls[call].parent != call)
        call = thread->calls[call].parent;
    return thread->calls[call].node == node ? &thread->calls[call] : NULL;
}

static void add_moment(struct stack_moments *moments, const struct sim_segment *segment,
                       time_ns time, time_ns until, uint64_t amount)
{
    VEC_PUSH(moments->items, moments->count, moments->capacity) =
        (struct stack_moment){time, until, segment->node, amount, segment->calls};
}

static double next_gap(enum sim_clock clock, time_ns period, uint64_t *state)
{
    double p = (double)period;
    return clock == SIM_FIXED         ? p
           : clock == SIM_EXPONENTIAL ? sim_exponential(state, p)
                                      : p * (0.8 + 0.4 * sim_part(state));
}

/* A clock of the thread's running time. */
struct ticking {
    enum sim_clock clock;
    double period, ran, next, gap; /* next: when it ticks; gap: the time since it ticked before */
};

static void tick(struct ticking *t, const struct sim_segment *segment,
                 struct stack_moments *moments, uint64_t *state)
{
    double until = t->ran + (double)(segment->to - segment->from);
    while (t->next < until) {
        time_ns time = segment->from + (time_ns)(t->next - t->ran);
        bool own = t->clock == SIM_JITTERED || t->clock == SIM_ALL;
        add_moment(moments, segment, time, time, (uint64_t)llround(own ? t->gap : t->period));
        t->gap = next_gap(t->clock, (time_ns)t->period, state);
        t->next += t->gap;
    }
    t->ran = until;
}

void sim_thread_sample(const struct sim_thread *thread, enum sim_clock clock, time_ns period,
                       struct stack_moments *moments, uint64_t *state)
{
    bool ticks = clock != SIM_SWITCHES && clock != SIM_SYSTEM_CALLS;
    struct ticking t = {.clock = clock, .period = (double)period};
    t.gap = next_gap(clock, period, state);
    t.next = clock == SIM_EXPONENTIAL ? t.gap : t.gap * sim_part(state);
    for (size_t s = 0; s < thread->count; s++) {
        const struct sim_segment *segment = &thread->segments[s];
        bool off = clock == SIM_SWITCHES || (clock == SIM_ALL && s % 3);
        bool call = clock == SIM_SYSTEM_CALLS || clock == SIM_ALL;
        if (segment->off && off)
            add_moment(moments, segment, segment->from, segment->to, 0);
        if (segment->entered && call && segment->node % 3 == 0)
            add_moment(moments, segment, segment->from, segment->from, 0);
        if (!segment->off && ticks)
            tick(&t, segment, moments, state);
    }
}
