/* simulate RUNS [SEED]: random runs, built forwards, against the analysis, which goes backwards.
 *
 * A run is acted out in the order of time: threads enter and leave functions, block and are woken
 * by others that block themselves, hand tasks on, and begin and end intervals. Each ns of an
 * interval's latency is written down under its path when it happens; at the end the interval table
 * must say the same. The generator knows nothing of the analysis but the names of paths.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "run_builder.h"

enum { FUNCTIONS = 6, CALLS = 3, LOCKS = 3, MOST_THREADS = 60, MOST_STACK = 12, DEEPEST_WAIT = 4 };
enum { MOST_CELLS = 4096, PATH = 600 };

struct frame {
    const char *name;
    bool call;   /* the span of a call site, not of a function */
    bool hidden; /* the function's own span below that of its call */
};

struct actor {
    uint32_t thread, tid;
    time_ns now;
    bool busy;
    struct frame stack[MOST_STACK];
    int depth;
    uint32_t worked_for; /* the interval it was last labelled with */
};

struct cell {
    char path[PATH];
    time_ns ns;
};

/* Where time is booked: below `prefix`, from `since` on; not at all with prefix NULL. */
struct book {
    const char *prefix;
    const char *idle; /* what stands for a waker without a span */
    time_ns since;
};

struct simulation {
    struct run_builder b;
    uint64_t random;
    struct actor actors[MOST_THREADS];
    int actor_count;
    uint32_t p_function[FUNCTIONS], p_body_call[FUNCTIONS], p_call[CALLS], p_indirect;
    uint32_t p_lock[LOCKS], p_unlock[LOCKS], p_push, p_pop;
    struct cell *cells;
    int cell_count;
    struct str expected;
    uint32_t interval;
    time_ns begin, linger; /* until then a creator stays labelled */
};

static const char *const FUNCTION_NAME[] = {"f0", "f1", "f2", "f3", "f4", "f5"};
static const char *const CALL_NAME[] = {"read", "write", "malloc"};
static const char *const LOCK_NAME[] = {"lock0", "lock1", "lock2"};
static const char *const UNLOCK_NAME[] = {"unlock0", "unlock1", "unlock2"};
static const struct {
    uint32_t operation;
    const char *name;
} OPERATION[] = {{TRACE_OP_MUTEX, "pthread_mutex_lock"},
                 {TRACE_OP_COND, "pthread_cond_wait"},
                 {TRACE_OP_RWLOCK_READ, "rwlock read"},
                 {TRACE_OP_SPIN, "spin"}};
static const struct book NOWHERE;

static uint32_t below(struct simulation *s, uint32_t limit)
{
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(s->random >> 33) % limit;
}

static void book(struct simulation *s, const char *path, time_ns from, time_ns to, time_ns since)
{
    from = from < since ? since : from;
    if (from >= to)
        return;
    int i = 0;
    while (i < s->cell_count && strcmp(s->cells[i].path, path) != 0)
        i++;
    if (i == s->cell_count) {
        if (s->cell_count == MOST_CELLS || strlen(path) >= PATH)
            abort();
        s->cell_count++;
        strcpy(s->cells[i].path, path);
        s->cells[i].ns = 0;
    }
    s->cells[i].ns += to - from;
}

/* The path of the actor's stack; "" is the root. */
static void stack_path(const struct actor *actor, const struct book *where, char *path)
{
    bool blamed = where->prefix[0] != 0;
    size_t length = (size_t)snprintf(path, PATH, "%s", where->prefix);
    for (int i = 0; i < actor->depth; i++)
        if (!actor->stack[i].hidden)
            length += (size_t)snprintf(path + length, PATH - length, "%s%s%s", length ? "/" : "",
                                       blamed ? "<" : "", actor->stack[i].name);
}

static void spend(struct simulation *s, struct actor *actor, const struct book *where, time_ns ns)
{
    char path[PATH];
    time_ns from = actor->now;
    actor->now += ns;
    if (!where->prefix)
        return;
    stack_path(actor, where, path);
    size_t length = strlen(path);
    if (!actor->depth && where->prefix[0])
        snprintf(path + length, PATH - length, "/<%s", where->idle);
    book(s, path[0] ? path : ".", from, actor->now, where->since);
}

static void enter(struct simulation *s, struct actor *actor)
{
    if (actor->depth == MOST_STACK)
        return;
    struct frame *above = actor->depth ? &actor->stack[actor->depth - 1] : NULL;
    struct frame *frame = &actor->stack[actor->depth++];
    uint32_t f = below(s, FUNCTIONS), probe;
    *frame = (struct frame){FUNCTION_NAME[f], false, false};
    if (above && above->call && below(s, 2))
        for (uint32_t i = 0; i < FUNCTIONS; i++)
            if (!strcmp(above->name, FUNCTION_NAME[i]))
                frame->name = FUNCTION_NAME[f = i];
    switch (below(s, 6)) {
    case 0:
        frame->call = true;
        probe = s->p_body_call[f];
        break;
    case 1:
        frame->call = true;
        frame->name = CALL_NAME[f % CALLS];
        probe = s->p_call[f % CALLS];
        break;
    case 2:
        frame->call = true;
        frame->name = LOCK_NAME[f % LOCKS];
        probe = s->p_lock[f % LOCKS];
        break;
    case 3:
        frame->call = true;
        frame->name = "[indirect]";
        probe = s->p_indirect;
        break;
    default:
        probe = s->p_function[f];
        frame->hidden = above && above->call && !strcmp(above->name, frame->name);
    }
    run_builder_enter(&s->b, actor->thread, actor->now, probe, probe == s->p_indirect ? 64 : 0);
}

static void leave(struct simulation *s, struct actor *actor)
{
    if (!actor->depth)
        return;
    actor->depth--;
    run_builder_leave(&s->b, actor->thread, actor->now);
}

static struct actor *actor_new(struct simulation *s, time_ns time)
{
    if (s->actor_count == MOST_THREADS)
        abort();
    struct actor *actor = &s->actors[s->actor_count];
    *actor = (struct actor){.now = time, .worked_for = INTERVAL_NONE};
    actor->tid = 500 + (uint32_t)s->actor_count++;
    actor->thread = run_builder_thread(&s->b, actor->tid);
    for (uint32_t i = below(s, 3); i > 0; i--)
        enter(s, actor);
    return actor;
}

/* An actor that has nothing to do at `time`; idle from its own now on. */
static struct actor *actor_at(struct simulation *s, time_ns time)
{
    int first = (int)below(s, MOST_THREADS);
    for (int i = 0; i < MOST_THREADS; i++) {
        struct actor *actor = &s->actors[(first + i) % MOST_THREADS];
        if ((first + i) % MOST_THREADS < s->actor_count && !actor->busy && actor->now <= time &&
            below(s, 3))
            return actor;
    }
    if (s->actor_count < MOST_THREADS)
        return actor_new(s, time - (time_ns)below(s, 30));
    return NULL;
}

static void act(struct simulation *s, struct actor *actor, const struct book *where, uint32_t steps,
                int deep);

/* The path of the call that blocks; the innermost span may be that call already. A waker without a
 * span is in the function that holds the call. */
static void call_path(const struct actor *actor, const struct book *where, const char *name,
                      const char *within, char *path)
{
    stack_path(actor, where, path);
    if (actor->depth && !strcmp(actor->stack[actor->depth - 1].name, name))
        return;
    size_t length = strlen(path);
    if (!actor->depth && where->prefix[0] && within)
        length += (size_t)snprintf(path + length, PATH - length, "/<%s", within);
    snprintf(path + length, PATH - length, "%s%s%s", length ? "/" : "", where->prefix[0] ? "<" : "",
             name);
}

/* The waker acts from before the block until it ends it; what it does during the block is booked
 * below the call. */
static void woken(struct simulation *s, const char *call, struct block *block,
                  const struct book *where, struct actor *waker, int deep)
{
    char idle[32];
    uint32_t site = below(s, 4);
    snprintf(idle, sizeof idle, "thread %u", waker->tid);
    if (site < LOCKS) {
        block->waker_site = s->p_unlock[site];
        snprintf(idle, sizeof idle, "%s", FUNCTION_NAME[site]);
    }
    time_ns since = block->start > where->since ? block->start : where->since;
    struct book below_call = {where->prefix ? call : NULL, idle, since};
    waker->busy = true;
    act(s, waker, &below_call, below(s, 8), deep + 1);
    if (waker->now < block->start)
        spend(s, waker, &below_call, block->start - waker->now);
    waker->busy = false;
    block->waker = waker->thread;
    block->waker_time = waker->now;
    block->end = waker->now + (time_ns)below(s, 5);
}

static void wait(struct simulation *s, struct actor *actor, const struct book *where, int deep)
{
    char call[PATH] = "", path[PATH + 32];
    uint32_t lock = below(s, LOCKS), operation = below(s, 4);
    bool site = below(s, 2);
    struct block block = {
        actor->now,  0, 77,        site ? s->p_lock[lock] : 0, OPERATION[operation].operation,
        THREAD_NONE, 0, actor->now};
    if (where->prefix)
        call_path(actor, where, site ? LOCK_NAME[lock] : OPERATION[operation].name,
                  site ? FUNCTION_NAME[lock] : NULL, call);
    bool busy = actor->busy;
    actor->busy = true;
    struct actor *waker = below(s, 5) && deep < DEEPEST_WAIT ? actor_at(s, actor->now) : NULL;
    if (waker)
        woken(s, call, &block, where, waker, deep);
    else
        block.end = block.start + 1 + (time_ns)below(s, 20);
    actor->busy = busy;
    actor->now = block.end;
    run_builder_block(&s->b, actor->thread, block);
    if (!where->prefix)
        return;
    snprintf(path, sizeof path, "%s/(%s)", call, waker ? "wake-up latency" : "unknown waker");
    book(s, path, waker ? block.waker_time : block.start, block.end, where->since);
}

static void act(struct simulation *s, struct actor *actor, const struct book *where, uint32_t steps,
                int deep)
{
    for (uint32_t i = 0; i < steps; i++)
        switch (below(s, 8)) {
        case 0:
        case 1:
            enter(s, actor);
            break;
        case 2:
        case 3:
            leave(s, actor);
            break;
        case 4:
            wait(s, actor, where, deep);
            break;
        default:
            spend(s, actor, where, 1 + (time_ns)below(s, 9));
        }
}

/* Unbooked, until `time` at least. */
static void pass(struct simulation *s, struct actor *actor, time_ns time)
{
    while (actor->now < time)
        if (below(s, 2))
            act(s, actor, &NOWHERE, 1, DEEPEST_WAIT);
        else
            spend(s, actor, &NOWHERE, 1 + (time - actor->now) / 2);
}

static void label(struct simulation *s, struct actor *actor, uint32_t interval)
{
    run_builder_label(&s->b, actor->thread, actor->now, interval);
    if (interval != INTERVAL_NONE)
        actor->worked_for = interval;
}

/* An interval of which nothing but its label matters: it never ends. */
static uint32_t other_interval(struct simulation *s, struct actor *actor)
{
    uint32_t other = run_builder_interval(&s->b, actor->thread, actor->now, actor->thread, 0);
    s->b.run.intervals[other].complete = false;
    return other;
}

static const char *queue_name(struct simulation *s, struct pickup *pickup)
{
    pickup->creator_site = below(s, 4) ? s->p_push : 0;
    pickup->site = below(s, 4) ? s->p_pop : 0;
    if (pickup->site)
        return pickup->creator_site ? "[push -> pop]" : "[[unknown] -> pop]";
    return pickup->creator_site ? "[push]" : "[[queue]]";
}

/* `actor`, at its now, picks up what `creator` made at `time`, and starts to work for the
 * interval. */
static void pick_up(struct simulation *s, struct actor *actor, const struct actor *creator,
                    time_ns time)
{
    struct pickup pickup = {actor->now, creator->thread, 0, time, 0};
    const char *name = queue_name(s, &pickup);
    run_builder_pickup(&s->b, actor->thread, pickup);
    book(s, name, time, actor->now, s->begin);
    struct book path = {"", "", s->begin};
    act(s, actor, &path, below(s, 3), 0);
    label(s, actor, s->interval);
}

static struct actor *by_queue(struct simulation *s, struct actor *actor)
{
    time_ns created = actor->now;
    bool same_thread = !below(s, 5), within_other = !same_thread && !below(s, 3);
    spend(s, actor, &NOWHERE, 1);
    act(s, actor, &NOWHERE, below(s, 5), 2);
    s->linger = actor->now > s->linger ? actor->now : s->linger;
    label(s, actor, INTERVAL_NONE);
    struct actor *next = same_thread ? actor : actor_at(s, created);
    if (!next)
        next = actor;
    next->busy = true;
    if (next != actor && within_other)
        label(s, next, other_interval(s, next));
    pass(s, next, created + (time_ns)below(s, 20));
    pick_up(s, next, actor, created);
    actor->busy = next == actor;
    return next;
}

/* Another thread goes on with it, without a task: only one that never worked for it. */
static struct actor *by_hand_over(struct simulation *s, struct actor *actor)
{
    struct actor *next = actor_at(s, actor->now);
    time_ns from = actor->now;
    if (!next || next->worked_for == s->interval || actor->now <= s->linger)
        return actor;
    label(s, actor, INTERVAL_NONE);
    pass(s, next, from + (time_ns)below(s, 10));
    if (next->now < from)
        abort();
    book(s, "(hand-over)", from, next->now, s->begin);
    label(s, next, s->interval);
    actor->busy = false;
    next->busy = true;
    return next;
}

/* The same thread does something else in between. */
static void by_waiting(struct simulation *s, struct actor *actor)
{
    time_ns from = actor->now;
    label(s, actor, below(s, 2) ? INTERVAL_NONE : other_interval(s, actor));
    act(s, actor, &NOWHERE, below(s, 4), 2);
    book(s, "(waiting)", from, actor->now, s->begin);
    label(s, actor, s->interval);
}

/* Begun by one thread, made by another before that, done by a third: the paper's Figure 2. */
static struct actor *start_elsewhere(struct simulation *s, struct actor *actor)
{
    struct actor *creator = actor_at(s, actor->now);
    if (!creator || creator == actor)
        return NULL;
    time_ns created = creator->now;
    creator->busy = true;
    struct actor *next = actor_at(s, actor->now);
    creator->busy = false;
    if (!next || next == actor || next == creator)
        return NULL;
    label(s, actor, s->interval);
    spend(s, actor, &NOWHERE, 1);
    label(s, actor, INTERVAL_NONE);
    next->busy = true;
    pass(s, next, created);
    struct book path = {"", "", s->begin};
    time_ns picked = next->now;
    struct pickup pickup = {picked, creator->thread, 0, created, 0};
    book(s, queue_name(s, &pickup), created, picked, s->begin);
    run_builder_pickup(&s->b, next->thread, pickup);
    while (next->now <= s->begin)
        spend(s, next, &path, 1 + (time_ns)below(s, 9));
    label(s, next, s->interval);
    actor->busy = false;
    return next;
}

static struct actor *start(struct simulation *s, struct actor *actor)
{
    struct actor *elsewhere = below(s, 5) ? NULL : start_elsewhere(s, actor);
    if (elsewhere)
        return elsewhere;
    if (!below(s, 6)) {
        act(s, actor, &NOWHERE, below(s, 4), 2);
        book(s, "?", s->begin, actor->now, s->begin);
    }
    label(s, actor, s->interval);
    return actor;
}

static void finish(struct simulation *s, struct actor *actor)
{
    struct interval *interval = &s->b.run.intervals[s->interval];
    struct actor *other = below(s, 4) ? NULL : actor_at(s, actor->now);
    time_ns from = actor->now;
    label(s, actor, INTERVAL_NONE);
    if (other && other->worked_for != s->interval && from > s->linger) {
        pass(s, other, from);
        book(s, "(hand-over)", from, other->now, s->begin);
        actor->busy = false;
        actor = other;
    } else if (!below(s, 4)) {
        act(s, actor, &NOWHERE, below(s, 4), 2);
        book(s, "(waiting)", from, actor->now, s->begin);
    }
    actor->busy = false;
    interval = &s->b.run.intervals[s->interval];
    interval->end = actor->now;
    interval->end_thread = actor->thread;
}

static int cell_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void print_cells(struct simulation *s)
{
    char **lines = memory_alloc(sizeof *lines * (size_t)(s->cell_count + 1));
    for (int i = 0; i < s->cell_count; i++) {
        struct str line = {0};
        str_printf(&line, "%s %lld", s->cells[i].path, (long long)s->cells[i].ns);
        lines[i] = line.data;
    }
    qsort(lines, (size_t)s->cell_count, sizeof *lines, cell_order);
    str_printf(&s->expected, "interval %u:", s->interval);
    for (int i = 0; i < s->cell_count; i++) {
        str_printf(&s->expected, "%s%s", i ? "; " : " ", lines[i]);
        free(lines[i]);
    }
    str_append(&s->expected, "\n");
    memory_free(lines);
}

static void live(struct simulation *s, time_ns time)
{
    struct actor *actor = actor_at(s, time);
    if (!actor)
        return;
    actor->busy = true;
    pass(s, actor, time);
    s->cell_count = 0;
    s->begin = actor->now;
    s->linger = -1;
    s->interval = run_builder_interval(&s->b, actor->thread, s->begin, actor->thread, s->begin);
    actor = start(s, actor);
    for (uint32_t legs = below(s, 5);; legs--) {
        struct book path = {"", "", s->begin};
        if (below(s, 4)) /* label and make a task in the same moment, too */
            spend(s, actor, &path, 1);
        act(s, actor, &path, below(s, 12), 0);
        if (!legs)
            break;
        if (actor->now == s->b.run.threads[actor->thread]
                              .labels[s->b.run.threads[actor->thread].label_count - 1]
                              .time)
            spend(s, actor, &path, 2);
        switch (below(s, 3)) {
        case 0:
            actor = by_queue(s, actor);
            break;
        case 1:
            actor = by_hand_over(s, actor);
            break;
        default:
            by_waiting(s, actor);
        }
    }
    if (actor->now == s->b.run.threads[actor->thread]
                          .labels[s->b.run.threads[actor->thread].label_count - 1]
                          .time) {
        struct book path = {"", "", s->begin};
        spend(s, actor, &path, 3);
    }
    finish(s, actor);
    print_cells(s);
}

static void declare(struct simulation *s)
{
    struct run_builder *b = &s->b;
    run_builder_init(b);
    for (uint32_t f = 0; f < FUNCTIONS; f++) {
        run_builder_function(b, FUNCTION_NAME[f], true);
        s->p_function[f] = run_builder_probe(b, PROBE_FUNCTION, f, FUNCTION_NONE);
        s->p_body_call[f] = run_builder_probe(b, PROBE_TASK, f, 0);
    }
    for (uint32_t c = 0; c < CALLS; c++)
        s->p_call[c] =
            run_builder_probe(b, PROBE_CALL, run_builder_function(b, CALL_NAME[c], false), c);
    for (uint32_t l = 0; l < LOCKS; l++) {
        s->p_lock[l] =
            run_builder_probe(b, PROBE_SYNC, run_builder_function(b, LOCK_NAME[l], false), l);
        s->p_unlock[l] =
            run_builder_probe(b, PROBE_SYNC, run_builder_function(b, UNLOCK_NAME[l], false), l);
    }
    s->p_push = run_builder_probe(b, PROBE_TASK, run_builder_function(b, "push", false), 0);
    s->p_pop = run_builder_probe(b, PROBE_TASK, run_builder_function(b, "pop", false), 1);
    s->p_indirect = run_builder_probe(b, PROBE_INDIRECT, FUNCTION_NONE, 2);
}

static void close_all(struct simulation *s)
{
    for (int i = 0; i < s->actor_count; i++)
        while (s->actors[i].depth)
            leave(s, &s->actors[i]);
}

/* count * sum(x | tail) - count(tail) * sum(x), summed over the leaves, and the same
 * of the latencies as they were made: what the leaves say of the tail is all of it. */
static bool tail_closes(const struct simulation *s, const struct variance_tree *tree)
{
    __int128 leaves = 0, sum = 0, tail = 0, count = 0, slow = 0;
    for (uint32_t i = 0; i < s->b.run.interval_count; i++) {
        const struct interval *interval = &s->b.run.intervals[i];
        time_ns latency = interval->end - interval->begin;
        bool in_tail = interval->complete && (double)latency >= tree->intervals.p99_ns;
        sum += interval->complete ? latency : 0;
        tail += in_tail ? latency : 0;
        count += interval->complete;
        slow += in_tail;
    }
    for (uint32_t n = 0; n < tree->node_count; n++)
        if (tree->nodes[n].first_child == NODE_NONE)
            leaves += count * tree->nodes[n].moments.tail - slow * tree->nodes[n].moments.sum;
    return leaves == count * tail - slow * sum;
}

static bool laws_hold(struct simulation *s, uint64_t seed)
{
    struct variance_result result;
    struct error error;
    if (!variance_analyze(&result, &s->b.run, &s->b.table, &error))
        return printf("seed %llu: %s\n", (unsigned long long)seed, error.message) < 0;
    const char *broken = variance_tree_check(&result.tree);
    if (broken)
        printf("seed %llu: %s\n", (unsigned long long)seed, broken);
    bool closes = tail_closes(s, &result.tree);
    if (!closes)
        printf("seed %llu: the tail's ledger does not close\n", (unsigned long long)seed);
    variance_result_release(&result);
    return !broken && closes;
}

static bool simulate(uint64_t seed, uint64_t *intervals)
{
    struct simulation s = {.random = seed * 0x9e3779b97f4a7c15u + 1};
    char name[32];
    s.cells = memory_alloc(sizeof *s.cells * MOST_CELLS);
    declare(&s);
    time_ns time = 100;
    for (uint32_t i = 1 + below(&s, 6); i > 0; i--) {
        live(&s, time);
        time += (time_ns)below(&s, 60);
    }
    close_all(&s);
    for (uint32_t i = 0; i < s.b.run.interval_count; i++)
        *intervals += s.b.run.intervals[i].complete;
    snprintf(name, sizeof name, "seed %llu", (unsigned long long)seed);
    bool right = run_builder_expect(&s.b, name, str_text(&s.expected)) && laws_hold(&s, seed);
    memory_free(s.cells);
    str_release(&s.expected);
    run_builder_release(&s.b);
    return right;
}

int main(int argc, char **argv)
{
    uint64_t runs = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, failed = 0, intervals = 0;
    for (uint64_t i = 0; i < runs && failed < 5; i++)
        failed += !simulate(seed + i, &intervals);
    printf("%llu runs, %llu intervals, %llu failed\n", (unsigned long long)runs,
           (unsigned long long)intervals, (unsigned long long)failed);
    return failed != 0;
}
