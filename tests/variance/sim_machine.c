#include "sim_machine.h"

#include <stdlib.h>

#include "base/memory.h"
#include "sim_hold.h"
#include "sim_kernel.h"
#include "sim_sync.h"

/* Threads. */

static uint64_t pthread_of(const struct thread *t)
{
    return 0x7000000 + 4096 * (uint64_t)t->index;
}

static bool do_join(struct machine *m, struct thread *t, const struct sim_op *op)
{
    struct thread *target = &m->threads[op->what % m->c->thread_count];
    if (target == t || target->process != t->process || target->state == DONE)
        return true;
    sim_begin_wait(m, t, op, NULL, pthread_of(target), OP_JOIN);
    t->wait.target = target->index;
    return true;
}

static const char *queue_name(int creator_site, int site)
{
    if (site % 2)
        return creator_site % 2 ? "[push -> pop]" : "[[unknown] -> pop]";
    return creator_site % 2 ? "[push]" : "[[queue]]";
}

static bool do_create(struct machine *m, struct thread *t, const struct sim_op *op)
{
    struct thread *made = &m->threads[op->what % m->c->thread_count];
    if (made->state != IDLE || made->process != t->process)
        return true;
    uint64_t probe = op->site % 2 ? SIM_PROBE_PUSH : 0, token = (uint64_t)made->index + 1;
    sim_emit(m, t, RECORD_THREAD, t->now, (uint64_t[]){token, 0, 1 | probe << 32});
    made->state = RUNS;
    made->now = t->now + op->time;
    made->last_pickup = made->now;
    sim_emit(m, made, RECORD_THREAD, made->now, (uint64_t[]){token, pthread_of(made), 2});
    book_pickup(m->book, made->index,
                (struct book_pickup){made->now, t->index, t->now, queue_name(op->site, 0)});
    return true;
}

static void leave_thread(struct machine *m, struct thread *t)
{
    sim_change_stack(m, t, SIM_STACKS); /* what is open on another one, somebody else may end */
    while (t->depth)
        sim_pop(m, t);
    sim_emit(m, t, RECORD_THREAD, t->now, (uint64_t[]){t->index % 2 ? 64 : 0, pthread_of(t), 3});
    t->state = DONE;
    for (int i = 0; i < THREADS; i++) {
        struct thread *joiner = &m->threads[i];
        if (joiner->state != BLOCKED || joiner->wait.code != SIM_JOIN ||
            joiner->wait.target != t->index)
            continue;
        joiner->wait.ended = (struct release){t->index, t->now, 0};
        joiner->retry = t->now + joiner->wait.time;
    }
}

/* No thread ends at the moment at which it began, or its last wait ended. */
static bool has_lived(const struct thread *t)
{
    return t->last_return != t->now && t->last_pickup != t->now;
}

/* What it holds when it ends, it gives back; false: not all of it yet. */
static bool give_back(struct machine *m, struct thread *t)
{
    for (int i = 0; i < LOCKS; i++)
        while (sim_object_of(m, t->process, LOCK, i)->owner == t->index)
            if (!sim_do_unlock(m, t, &(struct sim_op){.what = i}))
                return false;
    for (int i = 0; i < RWLOCKS; i++)
        if (!sim_do_rwunlock(m, t, &(struct sim_op){.what = i}))
            return false;
    return true;
}

/* Tasks. */

static bool is_crowded(const struct machine *m, const struct thread *t, int task)
{
    return m->last_task[task] == t->now;
}

static void emit_task(struct machine *m, struct thread *t, int task, uint64_t probe, uint64_t what)
{
    m->last_task[task] = t->now;
    sim_emit(m, t, RECORD_TASK, t->now,
             (uint64_t[]){0, sim_address_of(m, t->process, TASK, task), probe | what << 32});
}

static bool do_enqueue(struct machine *m, struct thread *t, const struct sim_op *op)
{
    int task = op->what % TASKS;
    if (is_crowded(m, t, task))
        return false;
    emit_task(m, t, task, op->site % 2 ? SIM_PROBE_PUSH : 0, 1);
    m->enqueued[m->enqueued_count++] = (struct enqueued){task, t->index, t->now, op->site, false};
    return true;
}

static struct enqueued *take_task(struct machine *m, const struct thread *t, int task, bool own)
{
    for (int i = m->enqueued_count - 1; i >= 0; i--) {
        struct enqueued *e = &m->enqueued[i];
        if (!e->taken && e->task == task && (!own || m->threads[e->thread].process == t->process))
            return e;
    }
    return NULL;
}

static bool do_dequeue(struct machine *m, struct thread *t, const struct sim_op *op)
{
    int task = op->what % TASKS;
    if (is_crowded(m, t, task) || t->last_pickup == t->now || t->last_label == t->now)
        return false;
    emit_task(m, t, task, op->site % 2 ? SIM_PROBE_POP : 0, 2);
    t->last_pickup = t->now;
    struct enqueued *e = take_task(m, t, task, true);
    if (!e && m->c->shared)
        e = take_task(m, t, task, false);
    struct book_pickup pickup = {t->now, NOBODY, t->now, NULL};
    if (e) {
        e->taken = true;
        pickup = (struct book_pickup){t->now, e->thread, e->time, queue_name(e->site, op->site)};
    }
    book_pickup(m->book, t->index, pickup);
    return true;
}

/* Intervals. */

static void emit_mark(struct machine *m, struct thread *t, uint64_t id, unsigned what)
{
    sim_emit(m, t, RECORD_MARK, t->now, (uint64_t[]){id, what, 0});
}

/* Some say at the begin of what type they are, some after the end, some never. */
enum { TYPE_NEVER, TYPE_FIRST, TYPE_LAST, TYPES };
static const char *const type_of[TYPES] = {"", "a", "b"};

static void emit_type(struct machine *m, struct thread *t, int id)
{
    uint64_t words[7] = {(uint64_t)id + 1, 0, 4 | (uint64_t)type_of[id % TYPES][0] << 32};
    sim_emit(m, t, RECORD_NAME, t->now, words);
}

static void label(struct machine *m, struct thread *t, int time, int interval)
{
    t->interval = interval;
    t->last_label = time;
    book_label(m->book, t->index, time, interval);
}

static void drop(struct machine *m, const struct thread *by, int interval)
{
    for (int i = 0; i < THREADS; i++)
        if (m->threads[i].interval == interval)
            label(m, &m->threads[i], by->now, NOBODY);
}

static void do_begin(struct machine *m, struct thread *t, int id)
{
    int *open = &m->open[t->process][id];
    emit_mark(m, t, (uint64_t)id + 1, 1);
    if (*open != NOBODY)
        drop(m, t, *open);
    if (id % TYPES == TYPE_FIRST)
        emit_type(m, t, id);
    bool typed = id % TYPES == TYPE_FIRST;
    *open = book_begin(m->book, t->now, typed ? type_of[TYPE_FIRST] : "");
    m->last_begin = t->now;
    label(m, t, t->now, *open);
}

static void do_end(struct machine *m, struct thread *t, int id)
{
    int *open = &m->open[t->process][id];
    emit_mark(m, t, (uint64_t)id + 1, 2);
    if (*open == NOBODY)
        return;
    if (id % TYPES == TYPE_LAST) {
        emit_type(m, t, id);
        m->book->intervals[*open].type = type_of[TYPE_LAST];
    }
    book_end(m->book, *open, t->index, t->now);
    drop(m, t, *open);
    *open = NOBODY;
}

static void do_enter(struct machine *m, struct thread *t, int id)
{
    emit_mark(m, t, id < 0 ? UINT64_MAX : (uint64_t)id + 1, 3);
    label(m, t, t->now, id < 0 ? NOBODY : m->open[t->process][id]);
}

static bool do_mark(struct machine *m, struct thread *t, const struct sim_op *op)
{
    int p = t->process, id = op->what < 0 ? op->what : op->what % IDS;
    if ((m->mark_time[p] == t->now && m->mark_thread[p] != t->index) ||
        (op->code == SIM_BEGIN && m->last_begin == t->now))
        return false;
    m->mark_time[p] = t->now;
    m->mark_thread[p] = t->index;
    if (op->code == SIM_ENTER)
        do_enter(m, t, id);
    else if (id >= 0 && op->code == SIM_BEGIN)
        do_begin(m, t, id);
    else if (id >= 0)
        do_end(m, t, id);
    return true;
}

/* Nobody ever releases what it waits for. */
static bool do_nap(struct machine *m, struct thread *t, const struct sim_op *op)
{
    unsigned operation = 1 + (unsigned)op->what % OP_ROOM;
    sim_begin_wait(m, t, op, NULL, 0x18000000 + 64 * (uint64_t)m->naps++, operation);
    t->retry = t->now + op->time;
    return true;
}

static bool do_false(struct machine *m, struct thread *t, const struct sim_op *op)
{
    (void)op;
    if (sim_mark_false(m, t))
        sim_emit(m, t, RECORD_MARK, t->now, (uint64_t[]){0, 7, 0});
    return true;
}

static bool do_stack(struct machine *m, struct thread *t, const struct sim_op *op)
{
    sim_change_stack(m, t, op->what);
    return true;
}

static bool do_plain(struct machine *m, struct thread *t, const struct sim_op *op)
{
    if (op->code == SIM_SPEND)
        sim_spend(m, t, op->time);
    else if (op->code == SIM_CALL)
        sim_call(m, t, op->what % SIM_CALLS);
    else if (t->depth)
        sim_pop(m, t);
    return true;
}

/* False: at this moment it would not be certain what follows from it; a moment later it is. */
static bool execute(struct machine *m, struct thread *t, const struct sim_op *op)
{
    static bool (*const act[SIM_CODES])(struct machine *, struct thread *,
                                        const struct sim_op *) = {
        do_plain,    do_plain,         do_plain,      do_mark,       do_mark,         do_mark,
        sim_do_lock, sim_do_unlock,    sim_do_rwlock, sim_do_rwlock, sim_do_rwunlock, sim_do_wait,
        sim_do_post, sim_do_cond_wait, sim_do_signal, sim_do_signal, sim_do_arrive,   do_join,
        do_create,   do_enqueue,       do_dequeue,    do_nap,        sim_do_await,    sim_do_signal,
        do_false,    do_stack};
    return act[op->code](m, t, op);
}

static const struct sim_op *next_op(const struct machine *m, struct thread *t)
{
    while (t->next_op < m->c->op_count && m->c->ops[t->next_op].thread != t->index)
        t->next_op++;
    return t->next_op < m->c->op_count ? &m->c->ops[t->next_op] : NULL;
}

static void step(struct machine *m, struct thread *t)
{
    const struct sim_op *op = next_op(m, t);
    if (t->state == BLOCKED)
        sim_resume(m, t);
    else if (op && execute(m, t, op))
        t->next_op++;
    else if (!op && has_lived(t) && give_back(m, t))
        leave_thread(m, t);
    else
        sim_spend(m, t, 1);
}

static struct thread *earliest(struct machine *m)
{
    struct thread *found = NULL;
    int when = 0;
    for (int i = 0; i < THREADS; i++) {
        struct thread *t = &m->threads[i];
        int turn = t->state == RUNS ? t->now : t->state == BLOCKED ? t->retry : NEVER;
        if (turn != NEVER && (!found || turn < when)) {
            found = t;
            when = turn;
        }
    }
    return found;
}

static bool rescue(struct machine *m)
{
    struct thread *stuck = NULL;
    int latest = 0;
    for (int i = THREADS - 1; i >= 0; i--) {
        if (m->threads[i].state == BLOCKED)
            stuck = &m->threads[i];
        if (m->threads[i].state != IDLE && m->threads[i].now > latest)
            latest = m->threads[i].now;
    }
    if (!stuck)
        return false;
    struct thread *helper = &m->threads[SIM_THREADS + stuck->process];
    helper->now = latest + 2;
    sim_help(m, stuck, helper);
    return true;
}

static void init(struct machine *m)
{
    for (int i = 0; i < THREADS; i++) {
        bool planned = i < m->c->thread_count;
        struct sim_thread_plan plan = planned ? m->c->threads[i] : (struct sim_thread_plan){0, -1};
        int process = planned ? plan.process : i < SIM_THREADS ? 0 : i - SIM_THREADS;
        m->threads[i] = (struct thread){.index = i,
                                        .process = process,
                                        .now = plan.at < 0 ? 0 : plan.at,
                                        .state = plan.at < 0 ? IDLE : RUNS,
                                        .on = NOBODY,
                                        .interval = NOBODY,
                                        .last_label = NEVER,
                                        .last_pickup = NEVER,
                                        .last_return = NEVER,
                                        .log.tid = 500 + (uint32_t)i};
        m->book->threads[i].start = arena_printf(&m->book->arena, "thread %d", 500 + i);
    }
    struct object *objects = &m->objects[0][0][0];
    for (int i = 0; i < (SIM_PROCESSES + 1) * OBJECT_CLASSES * MOST_OBJECTS; i++)
        objects[i] = (struct object){.owner = NOBODY,
                                     .last = {nobody, nobody},
                                     .last_release = NEVER,
                                     .last_block = NEVER,
                                     .last_return = NEVER,
                                     .last_end = NEVER,
                                     .last_give = NEVER};
    sim_object_of(m, 0, SEMAPHORE, ROOM)->count = 1;
    for (int p = 0; p < SIM_PROCESSES; p++) {
        m->mark_time[p] = NEVER;
        for (int id = 0; id < IDS; id++)
            m->open[p][id] = NOBODY;
    }
    m->last_begin = NEVER;
    for (int i = 0; i < TASKS; i++)
        m->last_task[i] = NEVER;
}

static void write_process(const struct machine *m, const char *prefix, int process)
{
    struct sim_header header = {.pid = (uint32_t)(100 + 10 * m->c->part + process),
                                .parent = process ? (uint32_t)(100 + 10 * m->c->part) : 1,
                                .rate =
                                    (uint64_t)(m->c->rate * (m->c->squeeze ? m->c->squeeze : 1)),
                                .monotonic = m->c->rate == 1 && !m->c->squeeze,
                                .base = sim_clock_base(m, process),
                                .chunk_bytes = m->c->chatty ? 320 : 3072};
    struct sim_log logs[THREADS];
    struct str path = {0}, maps = {0};
    int count = 0;
    for (int i = 0; i < THREADS; i++)
        if (m->threads[i].process == process && m->threads[i].logged)
            logs[count++] = m->threads[i].log;
    str_append(&maps, "10000000-20000000 rw-p 00000000 00:00 0\n");
    if (!process || !m->c->learned)
        str_printf(&maps, "%llx-%llx rw-s 00000000 00:01 1026 /dev/zero (deleted)\n",
                   (unsigned long long)sim_shared_base(m, process),
                   (unsigned long long)sim_shared_base(m, process) + 0x10000);
    str_printf(&path, "%s%u.vtr", prefix, header.pid);
    if (count || !process) /* the others know of what they share from the first */
        sim_file_write(path.data, &header, logs, count, maps.data);
    str_release(&path);
    str_release(&maps);
}

void sim_machine_run(const struct sim_case *c, const char *prefix, struct book *book)
{
    struct machine *m = memory_zeroed(sizeof *m);
    struct thread *t;
    m->c = c;
    m->book = book;
    book_init(book);
    init(m);
    while ((t = earliest(m)) || rescue(m))
        if (t)
            step(m, t);
    sim_resolve_false(m);
    if (c->kernel)
        sim_kernel_run(m, prefix);
    for (int p = 0; p < SIM_PROCESSES; p++)
        write_process(m, prefix, p);
    for (int i = 0; i < THREADS; i++)
        str_release(&m->threads[i].log.records);
    sim_hold_release(m);
    memory_free(m->spent);
    memory_free(m);
}
