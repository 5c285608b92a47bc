#include "runtime/frames.h"

#include <stddef.h>
#include <string.h>

#include "runtime/clock.h"
#include "runtime/log.h"
#include "runtime/pages.h"
#include "runtime/signals.h"
#include "runtime/trace_file.h"

#define OUTER_MAX (UINT32_C(1) << 14)
#define MOVED (CALL_LIST_MAX / 2) /* at once */

/* ---- calls that the list has no room for ---- */

static void move_outward(struct vprof_thread_1 *f)
{
    struct open_call *to = log_self.outer + log_self.outer_count;
    for (uint32_t i = 0; i < MOVED; i++)
        to[i] = (struct open_call){f->calls[i], log_self.targets[i], log_self.began[i], 0};
    memmove(f->calls, f->calls + MOVED, (CALL_LIST_MAX - MOVED) * sizeof *f->calls);
    memmove(log_self.targets, log_self.targets + MOVED,
            (CALL_LIST_MAX - MOVED) * sizeof *log_self.targets);
    memmove(log_self.began, log_self.began + MOVED,
            (CALL_LIST_MAX - MOVED) * sizeof *log_self.began);
    for (uint32_t i = CALL_LIST_MAX - MOVED; i < CALL_LIST_MAX; i++)
        f->calls[i].jump = 0;
    f->depth -= MOVED;
    log_self.outer_count += MOVED;
}

static void move_inward(struct vprof_thread_1 *f)
{
    uint32_t outer = log_self.outer_count, n = outer < MOVED ? outer : MOVED;
    const struct open_call *from = log_self.outer + (outer - n);
    for (uint32_t i = 0; i < n; i++) {
        f->calls[i] = from[i].call;
        log_self.targets[i] = from[i].target;
        log_self.began[i] = from[i].began;
    }
    log_self.outer_count = outer - n;
    f->depth = n;
}

/* Calls that are never left would be in the way for ever: those of coroutines that were given up,
 * say. */
static void drop_outermost(void)
{
    if (log_self.outer_count + MOVED > OUTER_MAX)
        log_self.outer_count = 0;
}

static bool have_outer(void)
{
    if (!log_self.outer && log_self.state != LOG_CLOSED)
        log_self.outer = pages_take(OUTER_MAX * sizeof *log_self.outer);
    return log_self.outer != NULL;
}

bool frames_make_room(void)
{
    struct vprof_thread_1 *f = &log_self.direct;
    struct signal_set before = signals_block();
    if (f->depth == CALL_LIST_MAX && have_outer()) {
        drop_outermost();
        move_outward(f);
    }
    signals_restore(before);
    return f->depth < CALL_LIST_MAX;
}

void frames_fill(void)
{
    struct vprof_thread_1 *f = &log_self.direct;
    struct signal_set before = signals_block();
    if (f->depth == 0)
        move_inward(f);
    signals_restore(before);
}

void frames_end(void)
{
    struct signal_set before = signals_block();
    if (log_self.outer)
        pages_give(log_self.outer, OUTER_MAX * sizeof *log_self.outer);
    log_self.outer_count = 0;
    log_self.outer = NULL;
    signals_restore(before);
}

/* ---- records ---- */

static void record_part(const struct open_call *call, uint64_t duration, unsigned how)
{
    struct trace_part *r = log_reserve(sizeof *r);
    if (!r)
        return;
    r->duration = duration;
    r->target = call->call.target & CALL_TARGET ? call->target : 0;
    r->began = call->call.target & CALL_PART ? call->began : call->call.start;
    r->probe = call->call.id;
    r->how = how;
    r->spare = 0;
    log_commit(&r->head, call->call.start, TRACE_PART);
}

static void record_whole(const struct open_call *call, uint64_t duration, unsigned how)
{
    struct trace_function_long *r = log_reserve(sizeof *r);
    if (!r)
        return;
    r->duration = duration;
    r->target = call->call.target & CALL_TARGET ? call->target : 0;
    r->probe = call->call.id;
    r->how = how;
    log_commit(&r->head, call->call.start, r->target ? TRACE_CALL : TRACE_FUNCTION_LONG);
}

/* Counters of two cores may differ a bit. A call that a jump left before it would have come back
 * has no more part: one without extent, told late, would take others' calls for its own. */
void frames_record(const struct open_call *call, uint64_t end, unsigned how)
{
    uint64_t start = call->call.start, duration = end > start ? end - start : 0;
    if (how == TRACE_LEFT_BY_JUMP && call->call.target & CALL_PART && !duration)
        return;
    if (how == TRACE_SUSPENDED || call->call.target & CALL_PART)
        record_part(call, duration, how);
    else
        record_whole(call, duration, how);
}

/* ---- what the thread's next calls have to look at ---- */

void frames_set_looks(uint32_t looks)
{
    bool several = frames_are_on_several_stacks();
    log_self.looks = looks;
    log_self.direct.jumped = looks || several;
    log_self.sites_epoch = (log_self.sites_epoch & ~LOG_FLAGS) | (looks ? LOG_JUMPED : 0) |
                           (several ? LOG_SEVERAL : 0);
}

void frames_forget(void)
{
    call_list_cut(0);
    frames_set_looks(0);
}

/* ---- stacks ---- */

void frames_arrive(uintptr_t at, uint32_t id)
{
    uint32_t end = call_list_count();
    for (uint32_t i = 0; i < end; i++) {
        const struct vprof_call_1 *call = call_list_at(i);
        if (call->at < at || (call->at == at && call->id == id)) {
            call_list_cut(i);
            return;
        }
    }
}

void frames_suspend(uint32_t index, uint64_t now)
{
    struct open_call call = call_list_copy(index);
    if (frames_is_marked(&call.call)) /* it may be gone since then */
        now = call.call.jump;
    if (now > call.call.start)
        frames_record(&call, now, TRACE_SUSPENDED);
    if (!(call.call.target & CALL_PART)) {
        *call_list_began(index) = call.call.start;
        call_list_at(index)->target |= CALL_PART;
    }
}

void frames_resume(const struct open_call *call, uint64_t now)
{
    struct vprof_thread_1 *f = &log_self.direct;
    if (f->depth >= CALL_LIST_MAX && !frames_make_room())
        return;
    uint32_t index = f->depth++;
    f->calls[index] = call->call;
    f->calls[index].start = now;
    f->calls[index].jump = frames_is_marked(&call->call) ? now : 0;
    log_self.targets[index] = call->target;
    log_self.began[index] = call->began;
}
