#include "sim_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sim_trace.h"

enum { THREADS = SIM_THREADS + SIM_PROCESSES, IDS = 8, TASKS = 6, NOBODY = -1, NEVER = -1 };
enum { RECORD_FUNCTION = 0x04, RECORD_LONG = 0x09, RECORD_CALL = 0x0d, RECORD_MARK = 0x21 };
enum { RECORD_BLOCK = 0x41, RECORD_RELEASE = 0x45, RECORD_TASK = 0x61, RECORD_THREAD = 0x65 };
enum { OP_MUTEX = 1, OP_COND, OP_READ_LOCK, OP_WRITE_LOCK, OP_SEMAPHORE, OP_BARRIER, OP_JOIN };
enum { OP_USER = 8, OP_SPIN, OP_CHANNEL, OP_ROOM };

const char *const sim_function_name[] = {"f0", "f1", "f2", "f3", "f4", "f5"};
const char *const sim_call_name[] = {"read", "write", "malloc"};
const char *const sim_lock_name[] = {"lock0", "lock1", "lock2"};
const char *const sim_unlock_name[] = {"unlock0", "unlock1", "unlock2"};
static const char *const operation_name[] = {"",
                                             "pthread_mutex_lock",
                                             "pthread_cond_wait",
                                             "rwlock read",
                                             "rwlock write",
                                             "sem_wait",
                                             "pthread_barrier_wait",
                                             "pthread_join",
                                             "acquire",
                                             "spin",
                                             "read",
                                             "write"};

enum object_class { LOCK, RWLOCK, SEMAPHORE, CONDITION, BARRIER, TASK, OBJECT_CLASSES };
enum { LOCKS = 6, NESTED = 5, RWLOCKS = 2, SEMAPHORES = 5, OUTSIDE = 1, ROOM = 4, CONDITIONS = 2 };
enum { BARRIERS = 2, MOST_OBJECTS = 8 };
static const int lock_operation[LOCKS] = {OP_MUTEX, OP_MUTEX, OP_MUTEX, OP_USER, OP_SPIN, OP_USER};
static const int semaphore_operation[SEMAPHORES] = {OP_SEMAPHORE, OP_SEMAPHORE, OP_SEMAPHORE,
                                                    OP_CHANNEL, OP_ROOM};

struct release {
    int thread, time, site;
};

struct object {
    int owner;
    unsigned readers; /* a bit for each thread */
    int count;
    int waiters; /* those that the runtime would count */
    int queue[THREADS], queued;
    struct release last[2]; /* recorded ones; [1]: the latest by another thread than [0]'s */
    int last_release, last_block, last_return, last_end; /* times, to keep them apart */
};

struct frame {
    const char *name;
    bool call, hidden;
    uint32_t probe;
    int start;
};

struct wait {
    enum sim_code code;
    struct object *object, *mutex;
    uint64_t address;
    unsigned operation;
    int start, time, site;
    bool span;            /* the call is timed */
    struct release ended; /* by whom, where this is not the latest release */
    int target;           /* of a join */
};

enum state { IDLE, RUNS, BLOCKED, DONE };

struct thread {
    int index, process, now, next_op, retry;
    enum state state;
    struct frame frames[BOOK_DEPTH];
    int depth, stack;
    int interval, last_label, last_pickup, last_return;
    struct wait wait;
    struct sim_log log;
    bool logged;
};

struct enqueued {
    int task, thread, time, site;
    bool taken;
};

struct machine {
    const struct sim_case *c;
    struct book *book;
    struct thread threads[THREADS];
    struct object objects[SIM_PROCESSES + 1][OBJECT_CLASSES][MOST_OBJECTS];
    int open[SIM_PROCESSES][IDS];
    int mark_time[SIM_PROCESSES], mark_thread[SIM_PROCESSES], last_begin, last_task[TASKS];
    struct enqueued enqueued[SIM_OPS];
    int enqueued_count;
    int naps;
};

/* Times and addresses as they lie in a trace. */

static uint64_t clock_base(const struct machine *m, int process)
{
    return (uint64_t)(1000000 + 12345 * process) * (uint64_t)m->c->rate;
}

static uint64_t ticks(const struct machine *m, const struct thread *t, int time)
{
    uint64_t start = 5000000 + (uint64_t)m->c->part * UINT64_C(3600000000000);
    uint64_t ns = start + (uint64_t)time * (uint64_t)m->c->scale;
    return ns * (uint64_t)m->c->rate - clock_base(m, t->process);
}

static uint64_t shared_base(const struct machine *m, int process)
{
    return 0x40000000 + (uint64_t)(m->c->learned ? 0 : process) * 0x1000000;
}

static bool is_global(enum object_class class, int index)
{
    return class == SEMAPHORE && index >= 2;
}

static uint64_t address_of(const struct machine *m, int process, enum object_class class, int index)
{
    uint64_t offset = 0x1000 * (uint64_t) class + 64 * (uint64_t)index;
    if (is_global(class, index))
        return index == 2 ? UINT64_C(0x5356) << 48 | 7 << 16 | 1 : UINT64_C(0x4348) << 48 | 9;
    return (m->c->shared ? shared_base(m, process) : 0x10000000) + offset;
}

static struct object *object_of(struct machine *m, int process, enum object_class class, int index)
{
    bool common = m->c->shared || is_global(class, index);
    return &m->objects[common ? SIM_PROCESSES : process][class][index];
}

/* Records. */

static void emit(struct machine *m, struct thread *t, unsigned kind, int time,
                 const uint64_t *words)
{
    sim_log_add(&t->log, kind, ticks(m, t, time), words, kind == RECORD_FUNCTION ? 1 : 3);
    t->logged = true;
}

static void emit_function(struct machine *m, struct thread *t, const struct frame *f)
{
    uint64_t duration = ticks(m, t, t->now) - ticks(m, t, f->start);
    bool fits = duration < UINT64_C(1) << 40 && f->start % 3;
    if (f->probe == SIM_PROBE_INDIRECT)
        emit(m, t, RECORD_CALL, f->start, (uint64_t[]){duration, 64, f->probe});
    else if (fits)
        emit(m, t, RECORD_FUNCTION, f->start, (uint64_t[]){duration << 24 | f->probe});
    else
        emit(m, t, RECORD_LONG, f->start, (uint64_t[]){duration, 0, f->probe});
}

static void emit_mark(struct machine *m, struct thread *t, uint64_t id, unsigned what)
{
    emit(m, t, RECORD_MARK, t->now, (uint64_t[]){id, what, 0});
}

static uint64_t probe_at(int site, int first)
{
    return site ? (uint64_t)(first + 2 * ((site - 1) % SIM_LOCKS)) : 0;
}

static void emit_release(struct machine *m, struct thread *t, uint64_t address, unsigned operation,
                         int site, unsigned mode)
{
    uint64_t probe = probe_at(site, SIM_PROBE_UNLOCK);
    emit(m, t, RECORD_RELEASE, t->now,
         (uint64_t[]){address, probe | (uint64_t)operation << 32, mode});
}

/* Time and stacks. */

static void restack(struct machine *m, struct thread *t)
{
    struct book_stack stack = {0};
    for (int i = 0; i < t->depth; i++)
        if (!t->frames[i].hidden)
            stack.names[stack.depth++] = t->frames[i].name;
    t->stack = stack.depth ? book_stack(m->book, &stack) : 0;
}

static void spend(struct machine *m, struct thread *t, int time)
{
    book_fill(m->book, t->index, t->now, t->now + time, t->stack, 0);
    t->now += time;
}

static bool push(struct machine *m, struct thread *t, const char *name, bool call, uint32_t probe)
{
    if (t->depth == BOOK_DEPTH)
        return false;
    const struct frame *above = t->depth ? &t->frames[t->depth - 1] : NULL;
    bool hidden = !call && above && above->call && !strcmp(above->name, name);
    t->frames[t->depth++] = (struct frame){name, call, hidden, probe, t->now};
    restack(m, t);
    return true;
}

static void pop(struct machine *m, struct thread *t)
{
    emit_function(m, t, &t->frames[--t->depth]);
    restack(m, t);
}

static void call(struct machine *m, struct thread *t, int what)
{
    int f = what % SIM_FUNCTIONS, l = what % SIM_LOCKS;
    if (what < SIM_FUNCTIONS)
        push(m, t, sim_function_name[f], false, (uint32_t)(SIM_PROBE_FUNCTION + 2 * f));
    else if (what < 2 * SIM_FUNCTIONS)
        push(m, t, sim_function_name[f], true, (uint32_t)(SIM_PROBE_BODY_CALL + 2 * f));
    else if (what < 2 * SIM_FUNCTIONS + SIM_LOCKS)
        push(m, t, sim_call_name[l], true, (uint32_t)(SIM_PROBE_CALL + l));
    else if (what < 2 * SIM_FUNCTIONS + 2 * SIM_LOCKS)
        push(m, t, sim_lock_name[l], true, (uint32_t)(SIM_PROBE_LOCK + 2 * l));
    else
        push(m, t, "[indirect]", true, SIM_PROBE_INDIRECT);
}

/* Waits. */

static const struct release nobody = {NOBODY, NEVER, 0};

static void note_release(struct object *o, const struct thread *t, int site)
{
    if (o->last[0].thread != t->index)
        o->last[1] = o->last[0];
    o->last[0] = (struct release){t->index, t->now, site};
}

/* The latest recorded release by another thread, if it was not before `since`. */
static struct release last_by_other(const struct object *o, const struct thread *t, int since)
{
    const struct release *r = &o->last[o->last[0].thread == t->index];
    return r->thread != NOBODY && r->time >= since ? *r : nobody;
}

static const char *idle_name(struct machine *m, const struct release *r, unsigned operation)
{
    if (r->site)
        return sim_function_name[(r->site - 1) % SIM_LOCKS];
    if (operation == OP_JOIN && r->thread % 2)
        return "[indirect]";
    return arena_printf(&m->book->arena, "thread %d", 500 + r->thread);
}

/* The thread was blocked in [from, to). */
static void fill_block(struct machine *m, struct thread *t, int from, int to, unsigned operation,
                       int site, struct release ended)
{
    int l = (site - 1) % SIM_LOCKS;
    struct book_block block = {.call = site ? sim_lock_name[l] : operation_name[operation],
                               .holder = site ? sim_function_name[l] : NULL,
                               .waker = ended.thread,
                               .woken = ended.time};
    if (ended.thread != NOBODY) {
        block.idle = idle_name(m, &ended, operation);
        m->book->across += m->threads[ended.thread].process != t->process;
    }
    book_fill(m->book, t->index, from, to, t->stack, book_block(m->book, block));
}

static void emit_block(struct machine *m, struct thread *t, int from, uint64_t address,
                       unsigned operation, int site)
{
    uint64_t probe = probe_at(site, SIM_PROBE_LOCK);
    emit(m, t, RECORD_BLOCK, from,
         (uint64_t[]){ticks(m, t, t->now), address, probe | (uint64_t)operation << 32});
}

static void begin_wait(struct machine *m, struct thread *t, const struct sim_op *op,
                       struct object *object, uint64_t address, unsigned operation)
{
    struct wait *w = &t->wait;
    *w = (struct wait){.code = op->code,
                       .object = object,
                       .address = address,
                       .operation = operation,
                       .start = t->now,
                       .time = op->time,
                       .site = op->site,
                       .ended = nobody};
    w->span = op->site > SIM_LOCKS && push(m, t, sim_lock_name[(op->site - 1) % SIM_LOCKS], true,
                                           (uint32_t)probe_at(op->site, SIM_PROBE_LOCK));
    t->state = BLOCKED;
    t->retry = NEVER;
    if (object) {
        object->queue[object->queued++] = t->index;
        object->waiters++;
        object->last_block = t->now;
    }
}

static bool is_queued(const struct object *o, const struct thread *t)
{
    for (int i = 0; i < o->queued; i++)
        if (o->queue[i] == t->index)
            return true;
    return false;
}

static void leave_queue(struct object *o, const struct thread *t)
{
    int kept = 0;
    for (int i = 0; i < o->queued; i++)
        if (o->queue[i] != t->index)
            o->queue[kept++] = o->queue[i];
    o->queued = kept;
}

/* Everything of the wait is told but the cells. */
static void end_wait(struct machine *m, struct thread *t)
{
    struct wait *w = &t->wait;
    emit_block(m, t, w->start, w->address, w->operation, w->site);
    if (w->object) {
        leave_queue(w->object, t);
        w->object->waiters--;
        w->object->last_return = t->now;
    }
    if (w->span)
        pop(m, t);
    t->state = RUNS;
    t->retry = NEVER;
    t->last_return = t->now;
}

static void end_simple_wait(struct machine *m, struct thread *t, struct release ended)
{
    fill_block(m, t, t->wait.start, t->now, t->wait.operation, t->wait.site, ended);
    end_wait(m, t);
}

/* Later than all that ended before at this object: who was woken first returns first. */
static void wake_in_turn(struct machine *m, struct object *o, const struct thread *by, int site)
{
    struct thread *t = &m->threads[o->queue[0]];
    int end = by->now + t->wait.time;
    leave_queue(o, t);
    t->wait.ended = (struct release){by->index, by->now, site};
    t->retry = end > o->last_end ? end : o->last_end + 1;
    o->last_end = t->retry;
}

static bool is_recorded(const struct machine *m, const struct object *o)
{
    return o->waiters > 0 || m->c->chatty;
}

/* Locks: who is woken tries again, and somebody else may have been faster. */

static void wake_first(struct machine *m, struct object *o, const struct thread *by)
{
    struct thread *t = o->queued ? &m->threads[o->queue[0]] : NULL;
    if (t && t->retry == NEVER)
        t->retry = by->now + t->wait.time;
}

static bool do_lock(struct machine *m, struct thread *t, const struct sim_op *op)
{
    int index = op->what % LOCKS;
    struct object *o = object_of(m, t->process, LOCK, index);
    if (o->owner == t->index)
        return true;
    if (o->owner == NOBODY) {
        o->owner = t->index;
        return true;
    }
    begin_wait(m, t, op, o, address_of(m, t->process, LOCK, index),
               (unsigned)lock_operation[index]);
    return true;
}

static unsigned unlock_operation(int index, int site)
{
    return index == 4 && site % 2 ? OP_USER : (unsigned)lock_operation[index];
}

static void unlock(struct machine *m, struct thread *t, int index, int site)
{
    struct object *o = object_of(m, t->process, LOCK, index);
    uint64_t address = address_of(m, t->process, LOCK, index);
    if (is_recorded(m, o)) {
        emit_release(m, t, address, unlock_operation(index, site), site, 0);
        note_release(o, t, site);
    }
    o->owner = NOBODY;
    if (index != NESTED) {
        wake_first(m, o, t);
    } else if (o->queued) {
        o->owner = o->queue[0];
        emit_release(m, t, address, OP_SEMAPHORE, site, 0);
        wake_in_turn(m, o, t, site);
    }
}

/* The lock that is made of a semaphore: who waits for it must have come to the semaphore. */
static bool is_early(const struct machine *m, const struct object *o, int index,
                     const struct thread *t)
{
    return index == NESTED && o->queued && t->now < m->threads[o->queue[0]].wait.start + 2;
}

static bool do_unlock(struct machine *m, struct thread *t, const struct sim_op *op)
{
    int index = op->what % LOCKS;
    struct object *o = object_of(m, t->process, LOCK, index);
    if (o->owner != t->index)
        return true;
    if (o->last_return == t->now || is_early(m, o, index, t))
        return false;
    unlock(m, t, index, op->site);
    return true;
}

/* The outer block lies around the inner one and keeps a waker only in the part it falls into. */
static void resume_nested(struct machine *m, struct thread *t)
{
    struct wait *w = &t->wait;
    struct release outer = last_by_other(w->object, t, w->start);
    struct release after = outer.time == t->now ? outer : nobody;
    fill_block(m, t, w->start, w->start + 1, OP_USER, w->site, nobody);
    fill_block(m, t, w->start + 1, t->now, OP_SEMAPHORE, 0, w->ended);
    emit_block(m, t, w->start + 1, w->address, OP_SEMAPHORE, 0);
    fill_block(m, t, t->now, t->now + 1, OP_USER, w->site, after);
    t->now++;
    end_wait(m, t);
}

static void resume_lock(struct machine *m, struct thread *t)
{
    struct object *o = t->wait.object;
    if (o->owner == t->index) {
        resume_nested(m, t);
    } else if (o->owner == NOBODY) {
        o->owner = t->index;
        end_simple_wait(m, t, last_by_other(o, t, t->wait.start));
    } else {
        t->retry = NEVER;
    }
}

/* Read-write locks: handed on in turn, to all readers that stand first. */

static bool rwlock_is_free(const struct object *o, bool write)
{
    return o->owner == NOBODY && (!write || !o->readers);
}

static void rwlock_take(struct object *o, const struct thread *t, bool write)
{
    if (write)
        o->owner = t->index;
    else
        o->readers |= 1u << t->index;
}

static bool rwlock_is_held(const struct object *o, const struct thread *t)
{
    return o->owner == t->index || (o->readers >> t->index & 1);
}

static bool do_rwlock(struct machine *m, struct thread *t, const struct sim_op *op)
{
    int index = op->what % RWLOCKS;
    bool write = op->code == SIM_WRLOCK;
    struct object *o = object_of(m, t->process, RWLOCK, index);
    if (rwlock_is_held(o, t))
        return true;
    if (!o->queued && rwlock_is_free(o, write))
        rwlock_take(o, t, write);
    else
        begin_wait(m, t, op, o, address_of(m, t->process, RWLOCK, index),
                   write ? OP_WRITE_LOCK : OP_READ_LOCK);
    return true;
}

static void rwunlock(struct machine *m, struct thread *t, int index, int site)
{
    struct object *o = object_of(m, t->process, RWLOCK, index);
    if (is_recorded(m, o)) {
        emit_release(m, t, address_of(m, t->process, RWLOCK, index), OP_WRITE_LOCK, site, 0);
        note_release(o, t, site);
    }
    o->owner = o->owner == t->index ? NOBODY : o->owner;
    o->readers &= ~(1u << t->index);
    while (o->queued) {
        struct thread *next = &m->threads[o->queue[0]];
        bool write = next->wait.code == SIM_WRLOCK;
        if (!rwlock_is_free(o, write))
            break;
        rwlock_take(o, next, write);
        leave_queue(o, next);
        next->retry = t->now + next->wait.time;
    }
}

static bool do_rwunlock(struct machine *m, struct thread *t, const struct sim_op *op)
{
    struct object *o = object_of(m, t->process, RWLOCK, op->what % RWLOCKS);
    if (!rwlock_is_held(o, t))
        return true;
    if (o->last_return == t->now)
        return false;
    rwunlock(m, t, op->what % RWLOCKS, op->site);
    return true;
}

/* Semaphores, pipes, and the room in pipes. */

static bool is_too_near(const struct object *o, const struct thread *t)
{
    return o->last_release == t->now || o->last_block == t->now;
}

static bool do_wait(struct machine *m, struct thread *t, const struct sim_op *op)
{
    int index = op->what % SEMAPHORES;
    struct object *o = object_of(m, t->process, SEMAPHORE, index);
    if (o->count > 0) {
        o->count--;
        return true;
    }
    if (is_too_near(o, t))
        return false;
    begin_wait(m, t, op, o, address_of(m, t->process, SEMAPHORE, index),
               (unsigned)semaphore_operation[index]);
    return true;
}

static void post(struct machine *m, struct thread *t, int index, int site)
{
    struct object *o = object_of(m, t->process, SEMAPHORE, index);
    if (is_recorded(m, o) && index != OUTSIDE) {
        emit_release(m, t, address_of(m, t->process, SEMAPHORE, index),
                     (unsigned)semaphore_operation[index], site, 0);
        note_release(o, t, site);
    }
    o->last_release = t->now;
    if (o->queued)
        wake_in_turn(m, o, t, site);
    else
        o->count++;
}

static bool do_post(struct machine *m, struct thread *t, const struct sim_op *op)
{
    struct object *o = object_of(m, t->process, SEMAPHORE, op->what % SEMAPHORES);
    if (o->last_return == t->now)
        return false;
    post(m, t, op->what % SEMAPHORES, op->site);
    return true;
}

static void resume_semaphore(struct machine *m, struct thread *t)
{
    struct object *o = t->wait.object;
    bool outside = o == object_of(m, t->process, SEMAPHORE, OUTSIDE);
    struct release ended = t->wait.operation == OP_ROOM ? last_by_other(o, t, t->wait.start)
                           : outside                    ? nobody
                                                        : t->wait.ended;
    end_simple_wait(m, t, ended);
}

/* Conditions: woken, and then the mutex has to be had again. */

static bool do_cond_wait(struct machine *m, struct thread *t, const struct sim_op *op)
{
    int index = op->what % CONDITIONS;
    struct object *o = object_of(m, t->process, CONDITION, index);
    struct object *mutex = object_of(m, t->process, LOCK, index);
    if (mutex->owner != t->index)
        return true;
    if (is_too_near(o, t) || mutex->last_return == t->now)
        return false;
    uint64_t probe = probe_at(op->site, SIM_PROBE_LOCK);
    emit(m, t, RECORD_RELEASE, t->now,
         (uint64_t[]){address_of(m, t->process, LOCK, index), probe | (uint64_t)OP_MUTEX << 32, 0});
    note_release(mutex, t, op->site);
    mutex->owner = NOBODY;
    wake_first(m, mutex, t);
    mutex->waiters++;
    begin_wait(m, t, op, o, address_of(m, t->process, CONDITION, index), OP_COND);
    t->wait.mutex = mutex;
    return true;
}

static void wake_waiters(struct machine *m, struct thread *t, int index, int site, bool all)
{
    struct object *o = object_of(m, t->process, CONDITION, index);
    if (is_recorded(m, o))
        emit_release(m, t, address_of(m, t->process, CONDITION, index), OP_COND, site, all);
    o->last_release = t->now;
    do {
        if (o->queued)
            wake_in_turn(m, o, t, site);
    } while (all && o->queued);
}

static bool do_signal(struct machine *m, struct thread *t, const struct sim_op *op)
{
    wake_waiters(m, t, op->what % CONDITIONS, op->site, op->code == SIM_BROADCAST);
    return true;
}

static void resume_condition(struct machine *m, struct thread *t)
{
    struct wait *w = &t->wait;
    struct object *mutex = w->mutex;
    bool in_turn = !mutex->queued || mutex->queue[0] == t->index;
    if (mutex->owner != NOBODY || !in_turn) { /* who was woken first returns first */
        t->retry = NEVER;
        if (!is_queued(mutex, t))
            mutex->queue[mutex->queued++] = t->index;
        return;
    }
    mutex->owner = t->index;
    leave_queue(mutex, t);
    mutex->waiters--;
    mutex->last_return = t->now;
    struct release free = last_by_other(mutex, t, w->ended.time);
    bool split = free.thread != NOBODY;
    fill_block(m, t, w->start, split ? w->ended.time : t->now, OP_COND, w->site, w->ended);
    if (split)
        fill_block(m, t, w->ended.time, t->now, OP_MUTEX, w->site, free);
    end_wait(m, t);
}

/* Barriers: the last one waits for nobody and lets all go on. */

static void let_all_go_on(struct machine *m, struct object *o, const struct thread *by, int site)
{
    o->count = 0;
    for (int i = 0; i < o->queued; i++) {
        struct thread *t = &m->threads[o->queue[i]];
        t->wait.ended = (struct release){by->index, by->now, site};
        t->retry = by->now + t->wait.time;
    }
    o->queued = 0;
}

static bool do_arrive(struct machine *m, struct thread *t, const struct sim_op *op)
{
    int index = op->what % BARRIERS;
    struct object *o = object_of(m, t->process, BARRIER, index);
    uint64_t address = address_of(m, t->process, BARRIER, index);
    if (is_too_near(o, t))
        return false;
    o->last_release = t->now;
    emit_release(m, t, address, OP_BARRIER, op->site, 1);
    if (++o->count == 2 + index)
        let_all_go_on(m, o, t, op->site);
    else
        begin_wait(m, t, op, o, address, OP_BARRIER);
    return true;
}

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
    begin_wait(m, t, op, NULL, pthread_of(target), OP_JOIN);
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
    emit(m, t, RECORD_THREAD, t->now, (uint64_t[]){token, 0, 1 | probe << 32});
    made->state = RUNS;
    made->now = t->now + op->time;
    made->last_pickup = made->now;
    emit(m, made, RECORD_THREAD, made->now, (uint64_t[]){token, pthread_of(made), 2});
    book_pickup(m->book, made->index,
                (struct book_pickup){made->now, t->index, t->now, queue_name(op->site, 0)});
    return true;
}

static void leave_thread(struct machine *m, struct thread *t)
{
    while (t->depth)
        pop(m, t);
    emit(m, t, RECORD_THREAD, t->now, (uint64_t[]){t->index % 2 ? 64 : 0, pthread_of(t), 3});
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

/* What it holds when it ends, it gives back; false: not all of it yet. */
static bool give_back(struct machine *m, struct thread *t)
{
    for (int i = 0; i < LOCKS; i++)
        if (!do_unlock(m, t, &(struct sim_op){.what = i}))
            return false;
    for (int i = 0; i < RWLOCKS; i++)
        if (!do_rwunlock(m, t, &(struct sim_op){.what = i}))
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
    emit(m, t, RECORD_TASK, t->now,
         (uint64_t[]){0, address_of(m, t->process, TASK, task), probe | what << 32});
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
    *open = book_begin(m->book, t->now);
    m->last_begin = t->now;
    label(m, t, t->now, *open);
}

static void do_end(struct machine *m, struct thread *t, int id)
{
    int *open = &m->open[t->process][id];
    emit_mark(m, t, (uint64_t)id + 1, 2);
    if (*open == NOBODY)
        return;
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
    begin_wait(m, t, op, NULL, 0x18000000 + 64 * (uint64_t)m->naps++, operation);
    t->retry = t->now + op->time;
    return true;
}

static bool do_plain(struct machine *m, struct thread *t, const struct sim_op *op)
{
    if (op->code == SIM_SPEND)
        spend(m, t, op->time);
    else if (op->code == SIM_CALL)
        call(m, t, op->what % SIM_CALLS);
    else if (t->depth)
        pop(m, t);
    return true;
}

/* False: at this moment it would not be certain what follows from it; a moment later it is. */
static bool execute(struct machine *m, struct thread *t, const struct sim_op *op)
{
    static bool (*const act[SIM_CODES])(struct machine *, struct thread *,
                                        const struct sim_op *) = {
        do_plain,  do_plain,     do_plain,   do_mark,   do_mark,     do_mark,
        do_lock,   do_unlock,    do_rwlock,  do_rwlock, do_rwunlock, do_wait,
        do_post,   do_cond_wait, do_signal,  do_signal, do_arrive,   do_join,
        do_create, do_enqueue,   do_dequeue, do_nap};
    return act[op->code](m, t, op);
}

static void resume(struct machine *m, struct thread *t)
{
    t->now = t->retry;
    switch (t->wait.code) {
    case SIM_LOCK:
        resume_lock(m, t);
        break;
    case SIM_RDLOCK:
    case SIM_WRLOCK:
        end_simple_wait(m, t, last_by_other(t->wait.object, t, t->wait.start));
        break;
    case SIM_WAIT:
        resume_semaphore(m, t);
        break;
    case SIM_COND_WAIT:
        resume_condition(m, t);
        break;
    default:
        end_simple_wait(m, t, t->wait.ended);
    }
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
        resume(m, t);
    else if (op && execute(m, t, op))
        t->next_op++;
    else if (!op && t->last_return != t->now && give_back(m, t))
        leave_thread(m, t);
    else
        spend(m, t, 1);
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

/* Who waits for what nobody will do any more is helped by a thread that comes for this only. */
static void help(struct machine *m, struct thread *t, struct thread *helper)
{
    struct wait *w = &t->wait;
    int index = w->object ? (int)(w->object - object_of(m, t->process, LOCK, 0)) % MOST_OBJECTS : 0;
    switch (w->code) {
    case SIM_LOCK:
        unlock(m, helper, index, 0);
        break;
    case SIM_RDLOCK:
    case SIM_WRLOCK:
        w->object->readers = 0;
        w->object->owner = NOBODY;
        rwunlock(m, helper, index, 0);
        break;
    case SIM_WAIT:
        post(m, helper, index, 0);
        break;
    case SIM_COND_WAIT:
        if (w->ended.thread == NOBODY)
            wake_waiters(m, helper, index, 0, false);
        else
            unlock(m, helper, (int)(w->mutex - object_of(m, t->process, LOCK, 0)), 0);
        break;
    case SIM_ARRIVE:
        w->object->last_release = helper->now;
        emit_release(m, helper, w->address, OP_BARRIER, 0, 1);
        let_all_go_on(m, w->object, helper, 0);
        break;
    default:
        t->retry = helper->now;
    }
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
    help(m, stuck, helper);
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
                                        .interval = NOBODY,
                                        .last_label = NEVER,
                                        .last_pickup = NEVER,
                                        .last_return = NEVER,
                                        .log.tid = 500 + (uint32_t)i};
    }
    struct object *objects = &m->objects[0][0][0];
    for (int i = 0; i < (SIM_PROCESSES + 1) * OBJECT_CLASSES * MOST_OBJECTS; i++)
        objects[i] = (struct object){.owner = NOBODY,
                                     .last = {nobody, nobody},
                                     .last_release = NEVER,
                                     .last_block = NEVER,
                                     .last_return = NEVER,
                                     .last_end = NEVER};
    object_of(m, 0, SEMAPHORE, ROOM)->count = 1;
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
                                .rate = (uint64_t)m->c->rate,
                                .base = clock_base(m, process),
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
                   (unsigned long long)shared_base(m, process),
                   (unsigned long long)shared_base(m, process) + 0x10000);
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
    for (int p = 0; p < SIM_PROCESSES; p++)
        write_process(m, prefix, p);
    for (int i = 0; i < THREADS; i++)
        str_release(&m->threads[i].log.records);
    memory_free(m);
}
