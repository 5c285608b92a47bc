#include "sim_world.h"

#include <string.h>

#include "base/memory.h"

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
                                             "write",
                                             [OP_FUTEX] = "futex"};

/* Times and addresses as they lie in a trace. */

uint64_t sim_clock_base(const struct machine *m, int process)
{
    return (uint64_t)(1000000 + 12345 * process) * (uint64_t)m->c->rate;
}

uint64_t sim_ticks(const struct machine *m, const struct thread *t, int time)
{
    uint64_t start = 5000000 + (uint64_t)m->c->part * UINT64_C(3600000000000);
    uint64_t ns = start + (uint64_t)time * (uint64_t)m->c->scale;
    return ns * (uint64_t)m->c->rate - sim_clock_base(m, t->process);
}

uint64_t sim_shared_base(const struct machine *m, int process)
{
    return 0x40000000 + (uint64_t)(m->c->learned ? 0 : process) * 0x1000000;
}

static bool is_global(enum object_class class, int index)
{
    return class == SEMAPHORE && index >= 2 && index != FUTEX;
}

uint64_t sim_address_of(const struct machine *m, int process, enum object_class class, int index)
{
    uint64_t offset = 0x1000 * (uint64_t) class + 64 * (uint64_t)index;
    if (is_global(class, index))
        return index == 2 ? UINT64_C(0x5356) << 48 | 7 << 16 | 1 : UINT64_C(0x4348) << 48 | 9;
    return (m->c->shared ? sim_shared_base(m, process) : 0x10000000) + offset;
}

struct object *sim_object_of(struct machine *m, int process, enum object_class class, int index)
{
    bool common = m->c->shared || is_global(class, index);
    return &m->objects[common ? SIM_PROCESSES : process][class][index];
}

/* Records. */

void sim_emit(struct machine *m, struct thread *t, unsigned kind, int time, const uint64_t *words)
{
    struct book_thread *told = &m->book->threads[t->index];
    int count = kind == RECORD_FUNCTION ? 1 : kind == RECORD_NAME ? 7 : kind == RECORD_PART ? 5 : 3;
    told->first = time < told->first ? time : told->first;
    sim_log_add(&t->log, kind, sim_ticks(m, t, time), words, count);
    t->logged = true;
}

/* how: 2 where it will go on, 0 where it has ended. */
static void emit_part(struct machine *m, struct thread *t, const struct frame *f, uint64_t how)
{
    uint64_t duration = sim_ticks(m, t, t->now) - sim_ticks(m, t, f->start);
    uint64_t target = f->probe == SIM_PROBE_INDIRECT ? 64 : 0;
    sim_emit(m, t, RECORD_PART, f->start,
             (uint64_t[]){duration, target, sim_ticks(m, t, f->began), f->probe | how << 32, 0});
}

static void emit_function(struct machine *m, struct thread *t, const struct frame *f)
{
    if (f->began != f->start) {
        emit_part(m, t, f, 0);
        return;
    }
    uint64_t duration = sim_ticks(m, t, t->now) - sim_ticks(m, t, f->start);
    bool fits = duration < UINT64_C(1) << 40 && f->start % 3;
    if (f->probe == SIM_PROBE_INDIRECT)
        sim_emit(m, t, RECORD_CALL, f->start, (uint64_t[]){duration, 64, f->probe});
    else if (fits)
        sim_emit(m, t, RECORD_FUNCTION, f->start, (uint64_t[]){duration << 24 | f->probe});
    else
        sim_emit(m, t, RECORD_LONG, f->start, (uint64_t[]){duration, 0, f->probe});
}

uint64_t sim_probe_at(int site, int first)
{
    return site ? (uint64_t)(first + 2 * ((site - 1) % SIM_LOCKS)) : 0;
}

void sim_emit_release(struct machine *m, struct thread *t, uint64_t address, unsigned operation,
                      int site, unsigned mode)
{
    if (operation != OP_MUTEX && operation != OP_READ_LOCK && operation != OP_WRITE_LOCK &&
        operation != OP_USER && operation != OP_SPIN)
        t->marked = 0;
    uint64_t probe = sim_probe_at(site, SIM_PROBE_UNLOCK);
    sim_emit(m, t, RECORD_RELEASE, t->now,
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

void sim_spend(struct machine *m, struct thread *t, int time)
{
    book_fill(m->book, t->index, t->now, t->now + time, t->stack, 0);
    if (m->c->kernel)
        VEC_PUSH(m->spent, m->spent_count, m->spent_capacity) =
            (struct spent){t->index, t->now, t->now + time};
    t->now += time;
}

static bool push(struct machine *m, struct thread *t, const char *name, bool call, uint32_t probe)
{
    if (t->depth == BOOK_DEPTH)
        return false;
    const struct frame *above = t->depth ? &t->frames[t->depth - 1] : NULL;
    bool hidden = !call && above && above->call && !strcmp(above->name, name);
    t->frames[t->depth++] = (struct frame){name, call, hidden, probe, t->now, t->now};
    restack(m, t);
    return true;
}

void sim_pop(struct machine *m, struct thread *t)
{
    emit_function(m, t, &t->frames[--t->depth]);
    restack(m, t);
}

/* Whose part is over: the innermost first, as the runtime writes them. */
static void suspend(struct machine *m, struct thread *t, struct calls *to)
{
    to->depth = t->depth;
    to->taken = false;
    for (int i = t->depth - 1; i >= 0; i--) {
        if (t->frames[i].start != t->now)
            emit_part(m, t, &t->frames[i], 2);
        to->frames[i] = t->frames[i];
    }
}

static void resume(struct machine *m, struct thread *t, struct calls *from)
{
    t->depth = from->depth;
    from->taken = true;
    for (int i = 0; i < from->depth; i++) {
        t->frames[i] = from->frames[i];
        m->book->resumed += t->frames[i].start < t->now;
        t->frames[i].start = t->now;
    }
    restack(m, t);
}

void sim_change_stack(struct machine *m, struct thread *t, int what)
{
    struct calls *stacks = m->stacks[t->process];
    int to = what < SIM_STACKS ? what : NOBODY;
    if (to == t->on || (to != NOBODY && stacks[to].taken))
        return;
    suspend(m, t, t->on == NOBODY ? &t->own : &stacks[t->on]);
    t->on = to;
    resume(m, t, to == NOBODY ? &t->own : &stacks[to]);
}

void sim_call(struct machine *m, struct thread *t, int what)
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

void sim_note_release(struct object *o, const struct thread *t, int site)
{
    if (o->last[0].thread != t->index)
        o->last[1] = o->last[0];
    o->last[0] = (struct release){t->index, t->now, site};
}

/* The latest recorded release by another thread, if it was not before `since`. */
struct release sim_last_by_other(const struct object *o, const struct thread *t, int since)
{
    const struct release *r = &o->last[o->last[0].thread == t->index];
    return r->thread != NOBODY && r->time >= since ? *r : nobody;
}

static const char *idle_name(struct machine *m, const struct release *r)
{
    if (r->site)
        return sim_function_name[(r->site - 1) % SIM_LOCKS];
    return arena_printf(&m->book->arena, "thread %d", 500 + r->thread);
}

/* The thread was blocked in [from, to). */
void sim_fill_block(struct machine *m, struct thread *t, int from, int to, unsigned operation,
                    int site, struct release ended, bool explained)
{
    int l = (site - 1) % SIM_LOCKS;
    struct book_block block = {.call = site ? sim_lock_name[l] : operation_name[operation],
                               .holder = site ? sim_function_name[l] : NULL,
                               .waker = ended.thread,
                               .woken = ended.time,
                               .explained = explained};
    if (ended.thread != NOBODY) {
        block.idle = idle_name(m, &ended);
        m->book->across += m->threads[ended.thread].process != t->process;
    }
    book_fill(m->book, t->index, from, to, t->stack, book_block(m->book, block));
}

void sim_emit_block(struct machine *m, struct thread *t, int from, uint64_t address,
                    unsigned operation, int site)
{
    uint64_t probe = sim_probe_at(site, SIM_PROBE_LOCK);
    sim_emit(m, t, RECORD_BLOCK, from,
             (uint64_t[]){sim_ticks(m, t, t->now), address, probe | (uint64_t)operation << 32});
}

void sim_begin_wait(struct machine *m, struct thread *t, const struct sim_op *op,
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
                                           (uint32_t)sim_probe_at(op->site, SIM_PROBE_LOCK));
    t->state = BLOCKED;
    t->retry = NEVER;
    if (object) {
        object->queue[object->queued++] = t->index;
        object->waiters++;
        object->last_block = t->now;
    }
}

void sim_leave_queue(struct object *o, const struct thread *t)
{
    int kept = 0;
    for (int i = 0; i < o->queued; i++)
        if (o->queue[i] != t->index)
            o->queue[kept++] = o->queue[i];
    o->queued = kept;
}

/* Everything of the wait is told but the cells. */
void sim_end_wait(struct machine *m, struct thread *t)
{
    struct wait *w = &t->wait;
    sim_emit_block(m, t, w->start, w->address, w->operation, w->site);
    if (w->object) {
        sim_leave_queue(w->object, t);
        w->object->waiters--;
        w->object->last_return = t->now;
    }
    if (w->span)
        sim_pop(m, t);
    t->state = RUNS;
    t->retry = NEVER;
    t->last_return = t->now;
}

void sim_wake_in_turn(struct machine *m, struct object *o, const struct thread *by, int site)
{
    struct thread *t = &m->threads[o->queue[0]];
    int end = by->now + t->wait.time;
    sim_leave_queue(o, t);
    t->wait.ended = (struct release){by->index, by->now, site};
    t->retry = end > o->last_end ? end : o->last_end + 1;
    o->last_end = t->retry;
}

bool sim_is_recorded(const struct machine *m, const struct object *o)
{
    return o->waiters > 0 || m->c->chatty;
}

bool sim_is_too_near(const struct object *o, const struct thread *t)
{
    return o->last_release == t->now || o->last_block == t->now;
}
