#include "runtime/frames.h"

#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/log.h"

static uint32_t watched(const struct vprof_thread_1 *f)
{
    return f->depth < FRAMES_MAX ? f->depth : FRAMES_MAX;
}

static void record(const struct vprof_call_1 *frame)
{
    struct trace_function_long *r = log_reserve(sizeof *r);
    if (!r)
        return;
    r->duration = frame->jump > frame->start ? frame->jump - frame->start : 0;
    r->target = 0;
    r->probe = frame->id;
    r->how = TRACE_LEFT_BY_JUMP;
    log_commit(&r->head, frame->start, TRACE_FUNCTION_LONG);
}

static void set_jumped(struct vprof_thread_1 *f, bool any)
{
    f->jumped = any;
    log_self.sites_epoch = (log_self.sites_epoch & ~LOG_JUMPED) | (any ? LOG_JUMPED : 0);
}

/* A site's common case leaves a call's `jump` as it is: what is free has none. */
static void forget_jump(struct vprof_thread_1 *f)
{
    bool any = false;
    for (uint32_t i = 0; i < watched(f) && !any; i++)
        any = f->calls[i].jump != 0;
    for (uint32_t i = watched(f); i < FRAMES_MAX; i++)
        f->calls[i].jump = 0;
    set_jumped(f, any);
}

void frames_forget(void)
{
    log_self.direct.depth = 0;
    forget_jump(&log_self.direct);
}

/* A signal stack lies anywhere: what is on it leaves nothing of the thread's own stack. */
static bool is_on_signal_stack_only(uintptr_t at, uintptr_t other)
{
    stack_t stack = {.ss_flags = SS_DISABLE};
    syscall(SYS_sigaltstack, NULL, &stack);
    uintptr_t start = (uintptr_t)stack.ss_sp;
    return !(stack.ss_flags & SS_DISABLE) && at - start < stack.ss_size &&
           other - start >= stack.ss_size;
}

#define FAR_BYTES (16u << 10) /* that may be another stack; nearer ones are not asked about */

/* Once one is entered at `at`. Who is back from a signal stack has left all that was on it. */
static bool is_gone(const struct vprof_call_1 *call, uintptr_t at)
{
    if (!call->jump)
        return false;
    if (call->at <= at)
        return !is_on_signal_stack_only(at, call->at);
    return call->at - at > FAR_BYTES && is_on_signal_stack_only(call->at, at);
}

static void leave_below(uintptr_t at)
{
    struct vprof_thread_1 *f = &log_self.direct;
    uint32_t depth = watched(f);
    while (depth && is_gone(&f->calls[depth - 1], at)) {
        f->depth = --depth;
        record(&f->calls[depth]);
    }
}

static bool is_left_at(const struct vprof_call_1 *call, uintptr_t at, uint32_t id)
{
    return call->jump && call->at == at && call->id == id;
}

/* With one that `jump` was the first to leave: what it had called was there before. */
static bool went_by(const struct vprof_call_1 *call, uint64_t jump)
{
    return call->jump && call->start <= jump;
}

/* What the one that is entered anew had called went with it. */
static void leave_again(uintptr_t at, uint32_t id)
{
    struct vprof_thread_1 *f = &log_self.direct;
    uint32_t end = watched(f), first = 0, kept;
    while (first < end && !is_left_at(&f->calls[first], at, id))
        first++;
    if (first == end)
        return;
    uint64_t jump = f->calls[first].jump;
    for (uint32_t i = end; i-- > first;)
        if (went_by(&f->calls[i], jump))
            record(&f->calls[i]);
    kept = first;
    for (uint32_t i = first; i < end; i++)
        if (!went_by(&f->calls[i], jump)) {
            log_self.targets[kept] = log_self.targets[i];
            f->calls[kept++] = f->calls[i];
        }
    f->depth -= end - kept;
}

void frames_leave(uintptr_t below, uintptr_t at, uint32_t id)
{
    leave_below(below);
    leave_again(at, id);
    forget_jump(&log_self.direct);
}

/* The frame leaves as it should: what is above it is gone, and what is below it has survived the
 * jumps since it was entered. A frame above that no jump explains belongs to another stack of this
 * thread, and will leave by itself. */
static void leave_at(struct vprof_thread_1 *f, uint32_t index)
{
    uint32_t end = watched(f);
    f->depth = index;
    for (uint32_t i = end; i-- > index + 1;)
        if (f->calls[i].jump)
            record(&f->calls[i]);
    for (uint32_t i = 0; i < index && f->calls[index].jump; i++)
        if (f->calls[i].jump >= f->calls[index].start)
            f->calls[i].jump = 0;
    forget_jump(f);
}

void frames_settle(uint64_t start)
{
    struct vprof_thread_1 *f = &log_self.direct;
    for (uint32_t i = watched(f); i-- > 0;)
        if (f->calls[i].start == start) {
            leave_at(f, i);
            return;
        }
    if (f->depth > FRAMES_MAX)
        f->depth--;
}

void frames_jump(uint64_t now)
{
    struct vprof_thread_1 *f = &log_self.direct;
    for (uint32_t i = 0; i < watched(f); i++)
        if (!f->calls[i].jump)
            f->calls[i].jump = now;
    if (watched(f) > 0)
        set_jumped(f, true);
}
