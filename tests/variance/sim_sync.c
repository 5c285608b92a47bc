#include "sim_sync.h"

#include "sim_hold.h"

static const int lock_operation[LOCKS] = {OP_MUTEX, OP_MUTEX, OP_MUTEX, OP_USER, OP_SPIN, OP_USER};
static const int semaphore_operation[SEMAPHORES] = {OP_SEMAPHORE, OP_SEMAPHORE, OP_SEMAPHORE,
                                                    OP_CHANNEL,   OP_ROOM,      OP_FUTEX};

/* Locks: who is woken tries again, and somebody else may have been faster. */

static void wake_first(struct machine *m, struct object *o, const struct thread *by)
{
    struct thread *t = o->queued ? &m->threads[o->queue[0]] : NULL;
    if (t && t->retry == NEVER)
        t->retry = by->now + t->wait.time;
}

/* It goes on with the lock. */
static void own(struct machine *m, struct thread *t, struct object *o, unsigned operation)
{
    o->owner = t->index;
    o->depth = 1;
    sim_take(m, t, o, operation);
}

bool sim_do_lock(struct machine *m, struct thread *t, const struct sim_op *op)
{
    int index = op->what % LOCKS;
    unsigned operation = (unsigned)lock_operation[index];
    struct object *o = sim_object_of(m, t->process, LOCK, index);
    uint64_t address = sim_address_of(m, t->process, LOCK, index);
    if (o->owner == t->index && index != RECURSIVE)
        return true;
    if (o->owner == t->index) {
        o->depth++;
        sim_emit_taking(m, t, o, address, operation, op->site);
        return true;
    }
    if (o->owner != NOBODY) {
        sim_begin_wait(m, t, op, o, address, operation);
        return true;
    }
    own(m, t, o, operation);
    if (index == NESTED)
        sim_take(m, t, o, OP_SEMAPHORE);
    sim_emit_taking(m, t, o, address, operation, op->site);
    return true;
}

static unsigned unlock_operation(int index, int site)
{
    return index == 4 && site % 2 ? OP_USER : (unsigned)lock_operation[index];
}

static void unlock(struct machine *m, struct thread *t, int index, int site)
{
    struct object *o = sim_object_of(m, t->process, LOCK, index);
    uint64_t address = sim_address_of(m, t->process, LOCK, index);
    if (sim_is_recorded(m, o)) {
        sim_emit_release(m, t, address, unlock_operation(index, site), site, 0);
        sim_note_release(o, t, site);
    }
    if (o->owner == t->index && --o->depth > 0)
        return;
    o->last_give = t->now;
    sim_give(m, t, o, (unsigned)lock_operation[index], site);
    if (index == NESTED)
        sim_give(m, t, o, OP_SEMAPHORE, site);
    o->owner = NOBODY;
    if (index != NESTED) {
        wake_first(m, o, t);
    } else if (o->queued) {
        o->owner = o->queue[0];
        sim_emit_release(m, t, address, OP_SEMAPHORE, site, 0);
        sim_wake_in_turn(m, o, t, site);
    }
}

/* The lock that is made of a semaphore: who waits for it must have come to the semaphore. */
static bool is_early(const struct machine *m, const struct object *o, int index,
                     const struct thread *t)
{
    return index == NESTED && o->queued && t->now < m->threads[o->queue[0]].wait.start + 2;
}

bool sim_do_unlock(struct machine *m, struct thread *t, const struct sim_op *op)
{
    int index = op->what % LOCKS;
    struct object *o = sim_object_of(m, t->process, LOCK, index);
    if (o->owner != t->index)
        return true;
    if (o->last_return == t->now || o->last_give == t->now || is_early(m, o, index, t))
        return false;
    unlock(m, t, index, op->site);
    return true;
}

/* The outer block lies around the inner one and keeps a waker only in the part it falls into. */
static void resume_nested(struct machine *m, struct thread *t)
{
    struct wait *w = &t->wait;
    struct release outer = sim_last_by_other(w->object, t, w->start);
    struct release after = outer.time == t->now ? outer : nobody;
    sim_fill_block(m, t, w->start, w->start + 1, OP_USER, w->site, nobody, false);
    sim_tell(m, t,
             &(struct sim_told){w->object, w->address, OP_SEMAPHORE, w->start + 1, t->now, 0,
                                w->ended, false});
    sim_take(m, t, w->object, OP_SEMAPHORE);
    sim_emit_block(m, t, w->start + 1, w->address, OP_SEMAPHORE, 0);
    sim_fill_block(m, t, t->now, t->now + 1, OP_USER, w->site, after, false);
    t->now++;
    own(m, t, w->object, OP_USER);
    sim_end_wait(m, t);
    t->last_piece = 0; /* the outer one; it lies in pieces */
}

static void end_simple_wait(struct machine *m, struct thread *t, struct release ended)
{
    const struct wait *w = &t->wait;
    struct sim_told told = {w->object, w->address, w->operation, w->start,
                            t->now,    w->site,    ended,        false};
    sim_tell(m, t, &told);
    sim_end_wait(m, t);
}

static void resume_lock(struct machine *m, struct thread *t)
{
    struct object *o = t->wait.object;
    if (o->owner == t->index) {
        resume_nested(m, t);
    } else if (o->owner == NOBODY) {
        end_simple_wait(m, t, sim_last_by_other(o, t, t->wait.start));
        own(m, t, o, t->wait.operation);
    } else {
        t->retry = NEVER;
    }
}

/* Read-write locks: handed on in turn, to all readers that stand first. Who comes to read joins
 * those who do already, past the writers that wait, at one of the two. */

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

bool sim_do_rwlock(struct machine *m, struct thread *t, const struct sim_op *op)
{
    int index = op->what % RWLOCKS;
    bool write = op->code == SIM_WRLOCK;
    struct object *o = sim_object_of(m, t->process, RWLOCK, index);
    if (rwlock_is_held(o, t))
        return true;
    unsigned operation = write ? OP_WRITE_LOCK : OP_READ_LOCK;
    uint64_t address = sim_address_of(m, t->process, RWLOCK, index);
    bool in_turn = !o->queued || (!write && index == READERS_FIRST);
    if (!in_turn || !rwlock_is_free(o, write)) {
        sim_begin_wait(m, t, op, o, address, operation);
        return true;
    }
    rwlock_take(o, t, write);
    sim_take(m, t, o, operation);
    sim_emit_taking(m, t, o, address, operation, op->site);
    return true;
}

static void rwunlock(struct machine *m, struct thread *t, int index, int site)
{
    struct object *o = sim_object_of(m, t->process, RWLOCK, index);
    if (sim_is_recorded(m, o))
        sim_emit_release(m, t, sim_address_of(m, t->process, RWLOCK, index),
                         o->owner == NOBODY ? OP_READ_LOCK : OP_WRITE_LOCK, site, 0);
    o->owner = o->owner == t->index ? NOBODY : o->owner;
    o->readers &= ~(1u << t->index);
    o->last_give = t->now;
    sim_give(m, t, o, OP_WRITE_LOCK, site);
    while (o->queued) {
        struct thread *next = &m->threads[o->queue[0]];
        bool write = next->wait.code == SIM_WRLOCK;
        if (!rwlock_is_free(o, write))
            break;
        rwlock_take(o, next, write);
        sim_leave_queue(o, next);
        next->wait.ended = (struct release){t->index, t->now, site};
        next->retry = t->now + next->wait.time;
    }
}

bool sim_do_rwunlock(struct machine *m, struct thread *t, const struct sim_op *op)
{
    struct object *o = sim_object_of(m, t->process, RWLOCK, op->what % RWLOCKS);
    if (!rwlock_is_held(o, t))
        return true;
    if (o->last_return == t->now || o->last_give == t->now)
        return false;
    rwunlock(m, t, op->what % RWLOCKS, op->site);
    return true;
}

/* Semaphores, pipes, the room in pipes, and a futex that counts. */

bool sim_do_wait(struct machine *m, struct thread *t, const struct sim_op *op)
{
    int index = op->what % SEMAPHORES;
    struct object *o = sim_object_of(m, t->process, SEMAPHORE, index);
    unsigned operation = (unsigned)semaphore_operation[index];
    uint64_t address = sim_address_of(m, t->process, SEMAPHORE, index);
    if (o->count > 0) {
        o->count--;
        sim_take(m, t, o, operation);
        if (operation == OP_SEMAPHORE)
            sim_emit_taking(m, t, o, address, operation, op->site);
        return true;
    }
    if (sim_is_too_near(o, t))
        return false;
    sim_begin_wait(m, t, op, o, address, operation);
    return true;
}

static void post(struct machine *m, struct thread *t, int index, int site)
{
    struct object *o = sim_object_of(m, t->process, SEMAPHORE, index);
    if (sim_is_recorded(m, o) && index != OUTSIDE) {
        sim_emit_release(m, t, sim_address_of(m, t->process, SEMAPHORE, index),
                         (unsigned)semaphore_operation[index], site, 0);
        sim_note_release(o, t, site);
    }
    o->last_release = t->now;
    sim_give(m, t, o, (unsigned)semaphore_operation[index], site);
    if (o->queued)
        sim_wake_in_turn(m, o, t, site);
    else
        o->count++;
}

bool sim_do_post(struct machine *m, struct thread *t, const struct sim_op *op)
{
    struct object *o = sim_object_of(m, t->process, SEMAPHORE, op->what % SEMAPHORES);
    if (o->last_return == t->now || o->last_release == t->now)
        return false;
    post(m, t, op->what % SEMAPHORES, op->site);
    return true;
}

static void resume_semaphore(struct machine *m, struct thread *t)
{
    struct object *o = t->wait.object;
    bool outside = o == sim_object_of(m, t->process, SEMAPHORE, OUTSIDE);
    struct release ended = t->wait.operation == OP_ROOM ? sim_last_by_other(o, t, t->wait.start)
                           : outside                    ? nobody
                                                        : t->wait.ended;
    end_simple_wait(m, t, ended);
    sim_take(m, t, o, t->wait.operation);
}

/* Conditions: woken, and then the mutex has to be had again. */

static bool cond_wait(struct machine *m, struct thread *t, const struct sim_op *op, bool again)
{
    int index = op->what % CONDITIONS;
    struct object *o = sim_object_of(m, t->process, CONDITION, index);
    struct object *mutex = sim_object_of(m, t->process, LOCK, index);
    if (mutex->owner != t->index)
        return true;
    if (sim_is_too_near(o, t) || mutex->last_return == t->now || mutex->last_give == t->now)
        return false;
    uint64_t probe = sim_probe_at(op->site, SIM_PROBE_LOCK);
    sim_emit(m, t, RECORD_RELEASE, t->now,
             (uint64_t[]){sim_address_of(m, t->process, LOCK, index),
                          probe | (uint64_t)OP_MUTEX << 32, again ? 3 : 0});
    sim_note_release(mutex, t, op->site);
    sim_give(m, t, mutex, OP_MUTEX, op->site);
    mutex->last_give = t->now;
    mutex->owner = NOBODY;
    wake_first(m, mutex, t);
    mutex->waiters++;
    sim_begin_wait(m, t, op, o, sim_address_of(m, t->process, CONDITION, index), OP_COND);
    t->wait.mutex = mutex;
    t->wait.again = again;
    return true;
}

bool sim_do_cond_wait(struct machine *m, struct thread *t, const struct sim_op *op)
{
    return cond_wait(m, t, op, false);
}

bool sim_do_await(struct machine *m, struct thread *t, const struct sim_op *op)
{
    const struct object *o = sim_object_of(m, t->process, CONDITION, op->what % CONDITIONS);
    const struct object *mutex = sim_object_of(m, t->process, LOCK, op->what % CONDITIONS);
    bool again = t->awaits;
    if (mutex->owner != t->index || (again && o->count != t->epoch)) {
        t->awaits = false;
        return true;
    }
    if (!again)
        t->epoch = o->count;
    t->await_op = (int)(op - m->c->ops);
    t->awaits = cond_wait(m, t, op, again) || again;
    return t->state == BLOCKED;
}

static void wake_waiters(struct machine *m, struct thread *t, int index, int site, bool all,
                         bool advance)
{
    struct object *o = sim_object_of(m, t->process, CONDITION, index);
    o->count += advance;
    if (sim_is_recorded(m, o))
        sim_emit_release(m, t, sim_address_of(m, t->process, CONDITION, index), OP_COND, site, all);
    o->last_release = t->now;
    do {
        if (o->queued)
            sim_wake_in_turn(m, o, t, site);
    } while (all && o->queued);
}

bool sim_do_signal(struct machine *m, struct thread *t, const struct sim_op *op)
{
    if (sim_object_of(m, t->process, CONDITION, op->what % CONDITIONS)->last_release == t->now)
        return false;
    wake_waiters(m, t, op->what % CONDITIONS, op->site, op->code != SIM_SIGNAL,
                 op->code == SIM_ADVANCE);
    return true;
}

static bool is_queued(const struct object *o, const struct thread *t)
{
    for (int i = 0; i < o->queued; i++)
        if (o->queue[i] == t->index)
            return true;
    return false;
}

static void tell_condition(struct machine *m, struct thread *t)
{
    const struct wait *w = &t->wait;
    struct release free = sim_last_by_other(w->mutex, t, w->ended.time);
    struct sim_told whole = {w->object, w->address, OP_COND,  w->start,
                             t->now,    w->site,    w->ended, w->again};
    sim_tell(m, t, &whole);
    if (free.thread == NOBODY)
        return;
    struct sim_told second = {w->mutex, 0, OP_MUTEX, w->ended.time, t->now, w->site, free, false};
    sim_fill_told(m, t, &second);
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
    sim_leave_queue(mutex, t);
    mutex->waiters--;
    mutex->last_return = t->now;
    tell_condition(m, t);
    own(m, t, mutex, OP_MUTEX);
    sim_end_wait(m, t);
    if (w->code == SIM_AWAIT && w->object->count == t->epoch)
        t->next_op = t->await_op; /* once more */
    else
        t->awaits = false;
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

bool sim_do_arrive(struct machine *m, struct thread *t, const struct sim_op *op)
{
    int index = op->what % BARRIERS;
    struct object *o = sim_object_of(m, t->process, BARRIER, index);
    uint64_t address = sim_address_of(m, t->process, BARRIER, index);
    if (sim_is_too_near(o, t))
        return false;
    o->last_release = t->now;
    sim_emit_release(m, t, address, OP_BARRIER, op->site, 1);
    if (++o->count == 2 + index)
        let_all_go_on(m, o, t, op->site);
    else
        sim_begin_wait(m, t, op, o, address, OP_BARRIER);
    return true;
}

void sim_resume(struct machine *m, struct thread *t)
{
    t->now = t->retry;
    switch (t->wait.code) {
    case SIM_LOCK:
        resume_lock(m, t);
        break;
    case SIM_WAIT:
        resume_semaphore(m, t);
        break;
    case SIM_COND_WAIT:
    case SIM_AWAIT:
        resume_condition(m, t);
        break;
    case SIM_RDLOCK:
    case SIM_WRLOCK:
        end_simple_wait(m, t, t->wait.ended);
        sim_take(m, t, t->wait.object, t->wait.operation);
        break;
    default:
        end_simple_wait(m, t, t->wait.ended);
    }
}

/* Who waits for what nobody will do any more is helped by a thread that comes for this only. */
void sim_help(struct machine *m, struct thread *t, struct thread *helper)
{
    struct wait *w = &t->wait;
    int index =
        w->object ? (int)(w->object - sim_object_of(m, t->process, LOCK, 0)) % MOST_OBJECTS : 0;
    switch (w->code) {
    case SIM_LOCK:
        unlock(m, helper, index, 0);
        break;
    case SIM_RDLOCK:
    case SIM_WRLOCK:
        w->object->readers = 0;
        if (w->object->owner != NOBODY)
            w->object->owner = helper->index;
        rwunlock(m, helper, index, 0);
        break;
    case SIM_WAIT:
        post(m, helper, index, 0);
        break;
    case SIM_COND_WAIT:
    case SIM_AWAIT:
        if (w->ended.thread == NOBODY)
            wake_waiters(m, helper, index, 0, false, true);
        else
            unlock(m, helper, (int)(w->mutex - sim_object_of(m, t->process, LOCK, 0)), 0);
        break;
    case SIM_ARRIVE:
        w->object->last_release = helper->now;
        sim_emit_release(m, helper, w->address, OP_BARRIER, 0, 1);
        let_all_go_on(m, w->object, helper, 0);
        break;
    default:
        t->retry = helper->now;
    }
}
