#include "runtime/frames.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/clock.h"
#include "runtime/log.h"
#include "runtime/stacks.h"
#include "runtime/system.h"
#include "runtime/trace_file.h"

#define OUTER_MAX (UINT32_C(1) << 14)
#define MOVED (FRAMES_MAX / 2) /* at once */

/* ---- the calls, of which the innermost are the thread's `direct.calls` ---- */

static uint32_t watched(const struct vprof_thread_1 *f)
{
    return f->depth < FRAMES_MAX ? f->depth : FRAMES_MAX;
}

/* An index may be old: handlers can forget all calls. It never leads elsewhere than to some call.
 */
static uint32_t inner(uint32_t index, uint32_t outer)
{
    return (index - outer) % FRAMES_MAX;
}

uint32_t frames_count(void)
{
    return log_self.outer_count + watched(&log_self.direct);
}

struct vprof_call_1 *frames_call(uint32_t index)
{
    uint32_t outer = log_self.outer_count;
    return index < outer ? &log_self.outer[index].call
                         : &log_self.direct.calls[inner(index, outer)];
}

uint64_t *frames_target(uint32_t index)
{
    uint32_t outer = log_self.outer_count;
    return index < outer ? &log_self.outer[index].target : &log_self.targets[inner(index, outer)];
}

static uint64_t *frames_began(uint32_t index)
{
    uint32_t outer = log_self.outer_count;
    return index < outer ? &log_self.outer[index].began : &log_self.began[inner(index, outer)];
}

struct log_outer_call frames_copy(uint32_t index)
{
    return (struct log_outer_call){*frames_call(index), *frames_target(index), *frames_began(index),
                                   0};
}

/* `direct` first: a handler's calls go behind what it shows. */
static void set_count(uint32_t count)
{
    uint32_t outer = log_self.outer_count;
    log_self.direct.depth = count > outer ? count - outer : 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (count < outer)
        log_self.outer_count = count;
}

static void move_outward(struct vprof_thread_1 *f)
{
    struct log_outer_call *to = log_self.outer + log_self.outer_count;
    for (uint32_t i = 0; i < MOVED; i++)
        to[i] = (struct log_outer_call){f->calls[i], log_self.targets[i], log_self.began[i], 0};
    memmove(f->calls, f->calls + MOVED, (FRAMES_MAX - MOVED) * sizeof *f->calls);
    memmove(log_self.targets, log_self.targets + MOVED,
            (FRAMES_MAX - MOVED) * sizeof *log_self.targets);
    memmove(log_self.began, log_self.began + MOVED, (FRAMES_MAX - MOVED) * sizeof *log_self.began);
    for (uint32_t i = FRAMES_MAX - MOVED; i < FRAMES_MAX; i++)
        f->calls[i].jump = 0;
    f->depth -= MOVED;
    log_self.outer_count += MOVED;
}

static void move_inward(struct vprof_thread_1 *f)
{
    uint32_t outer = log_self.outer_count, n = outer < MOVED ? outer : MOVED;
    const struct log_outer_call *from = log_self.outer + (outer - n);
    for (uint32_t i = 0; i < n; i++) {
        f->calls[i] = from[i].call;
        log_self.targets[i] = from[i].target;
        log_self.began[i] = from[i].began;
    }
    log_self.outer_count = outer - n;
    f->depth = n;
}

/* Those that are never left are in the way for ever where nothing is dropped: of coroutines that
 * were given up, say. */
static void drop_outermost(void)
{
    if (log_self.outer_count + MOVED > OUTER_MAX)
        log_self.outer_count = 0;
}

static bool have_outer(void)
{
    if (!log_self.outer && log_self.state != LOG_CLOSED) {
        void *fresh = mmap(NULL, OUTER_MAX * sizeof *log_self.outer, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        log_self.outer = fresh == MAP_FAILED ? NULL : fresh;
    }
    return log_self.outer != NULL;
}

bool frames_make_room(void)
{
    struct vprof_thread_1 *f = &log_self.direct;
    struct signal_set before = system_signals_block();
    if (f->depth == FRAMES_MAX && have_outer()) {
        drop_outermost();
        move_outward(f);
    }
    system_signals_restore(before);
    return f->depth < FRAMES_MAX;
}

void frames_fill(void)
{
    struct vprof_thread_1 *f = &log_self.direct;
    struct signal_set before = system_signals_block();
    if (f->depth == 0)
        move_inward(f);
    system_signals_restore(before);
}

void frames_end(void)
{
    struct signal_set before = system_signals_block();
    if (log_self.outer)
        munmap(log_self.outer, OUTER_MAX * sizeof *log_self.outer);
    log_self.outer_count = 0;
    log_self.outer = NULL;
    system_signals_restore(before);
}

/* ---- jumps ---- */

static void record_part(const struct log_outer_call *call, uint64_t duration, unsigned how)
{
    struct trace_part *r = log_reserve(sizeof *r);
    if (!r)
        return;
    r->duration = duration;
    r->target = call->call.target & FRAMES_TARGET ? call->target : 0;
    r->began = call->call.target & FRAMES_PART ? call->began : call->call.start;
    r->probe = call->call.id;
    r->how = how;
    r->spare = 0;
    log_commit(&r->head, call->call.start, TRACE_PART);
}

static void record_whole(const struct log_outer_call *call, uint64_t duration, unsigned how)
{
    struct trace_function_long *r = log_reserve(sizeof *r);
    if (!r)
        return;
    r->duration = duration;
    r->target = call->call.target & FRAMES_TARGET ? call->target : 0;
    r->probe = call->call.id;
    r->how = how;
    log_commit(&r->head, call->call.start, r->target ? TRACE_CALL : TRACE_FUNCTION_LONG);
}

/* Counters of two cores may differ a bit. Of a call that a jump left before it would have come back
 * there is no part more: one without extent, told late, would take others' calls for its own. */
void frames_record(const struct log_outer_call *call, uint64_t end, unsigned how)
{
    uint64_t start = call->call.start, duration = end > start ? end - start : 0;
    if (how == TRACE_LEFT_BY_JUMP && call->call.target & FRAMES_PART && !duration)
        return;
    if (how == TRACE_SUSPENDED || call->call.target & FRAMES_PART)
        record_part(call, duration, how);
    else
        record_whole(call, duration, how);
}

/* A jump has left it. */
static void record(uint32_t index)
{
    struct log_outer_call call = frames_copy(index);
    frames_record(&call, call.call.jump, TRACE_LEFT_BY_JUMP);
}

/* ---- marks: of calls that a jump may have left ----
 *
 * What a jump has left is known at once where that says how far up the stack it goes. But functions
 * may have been inlined into the one that it comes back to, and it may say nothing; then calls are
 * marked with its time, and the next few that are entered or left are held against the marks. The
 * rest is told when what called it is left. So a thread is slow after a jump for LOOKS calls, and
 * not for as long as a call lasts that might have been left and was not. */
enum { LOOKS = 32 };
#define FRAME_BYTES_MAX ((uintptr_t)256 << 10) /* of most functions */

static void set_looks(uint32_t looks)
{
    log_self.looks = looks;
    log_self.direct.jumped = looks || stacks_are_several();
    log_self.sites_epoch = (log_self.sites_epoch & ~LOG_FLAGS) | (looks ? LOG_JUMPED : 0) |
                           (stacks_are_several() ? LOG_SEVERAL : 0);
}

static void looked(void)
{
    set_looks(log_self.looks ? log_self.looks - 1 : 0);
}

/* A common case leaves a call's `jump` as it finds it: older than the call it is another's. */
static bool is_marked(const struct vprof_call_1 *call)
{
    return call->jump >= call->start;
}

static void mark(struct vprof_call_1 *call, uint64_t now)
{
    if (!is_marked(call))
        call->jump = now;
}

void frames_forget(void)
{
    set_count(0);
    set_looks(0);
}

#define FAR_BYTES (16u << 10) /* that may be another stack; nearer ones are not asked about */

/* Once one is entered at `at`. Who is back from a signal stack has left all that was on it. */
static bool is_gone(const struct vprof_call_1 *call, uintptr_t at)
{
    if (!is_marked(call))
        return false;
    if (call->at <= at)
        return !stacks_is_on_signal_stack_only(at, call->at);
    return call->at - at > FAR_BYTES && stacks_is_on_signal_stack_only(call->at, at);
}

static void leave_below(uintptr_t at)
{
    uint32_t count = frames_count();
    while (count && is_gone(frames_call(count - 1), at)) {
        struct log_outer_call gone = frames_copy(--count);
        set_count(count);
        frames_record(&gone, gone.call.jump, TRACE_LEFT_BY_JUMP);
    }
}

static bool is_left_at(const struct vprof_call_1 *call, uintptr_t at, uint32_t id)
{
    return is_marked(call) && call->at == at && call->id == id;
}

/* With one that `jump` was the first to leave: what it had called was there before. */
static bool went_by(const struct vprof_call_1 *call, uint64_t jump)
{
    return is_marked(call) && call->start <= jump;
}

static void move(uint32_t to, uint32_t from)
{
    *frames_target(to) = *frames_target(from);
    *frames_began(to) = *frames_began(from);
    *frames_call(to) = *frames_call(from);
}

/* What the one that is entered anew had called went with it. */
static void leave_again(uintptr_t at, uint32_t id)
{
    uint32_t end = frames_count(), first = 0, kept;
    while (first < end && !is_left_at(frames_call(first), at, id))
        first++;
    if (first == end)
        return;
    uint64_t jump = frames_call(first)->jump;
    for (uint32_t i = end; i-- > first;)
        if (went_by(frames_call(i), jump))
            record(i);
    kept = first;
    for (uint32_t i = first; i < end; i++)
        if (!went_by(frames_call(i), jump))
            move(kept++, i);
    set_count(kept);
}

void frames_leave(uintptr_t below, uintptr_t at, uint32_t id)
{
    leave_below(below);
    leave_again(at, id);
    log_self.latest_jump = 0;
    looked();
}

/* A call that no jump explains is on another stack, or was left without a word: by an exception in
 * C, say. */
static uint32_t keep_others(uint32_t index, uintptr_t at, bool lost)
{
    uint32_t end = frames_count(), kept = index;
    for (uint32_t i = index + 1; i < end; i++) {
        const struct vprof_call_1 *call = frames_call(i);
        if (is_marked(call))
            continue;
        if (stacks_may_differ(call->at, at))
            move(kept++, i);
        else
            trace_file_lost(lost);
    }
    return kept;
}

/* It leaves as it should: what is above it is gone, and what is below it has survived the jumps
 * since it was entered. Above it, calls of other stacks of this thread go to these. `lost`: what is
 * forgotten here has no record, as that of a probe has. */
static void leave_at(uint32_t index, bool lost, uint64_t now)
{
    struct vprof_call_1 left = *frames_call(index);
    for (uint32_t i = frames_count(); i-- > index + 1;)
        if (is_marked(frames_call(i)))
            record(i);
    set_count(keep_others(index, left.at, lost));
    if (frames_count() > index)
        stacks_part(index, left.at, now);
    for (uint32_t i = 0; i < index && is_marked(&left); i++)
        if (frames_call(i)->jump >= left.start)
            frames_call(i)->jump = 0;
    looked();
}

static void leave(uint32_t index, bool lost, uint64_t now)
{
    log_self.latest_jump = 0;
    if (index + 1 == frames_count() && !frames_any_jump())
        set_count(index);
    else
        leave_at(index, lost, now);
}

void frames_leave_at(uint32_t index, uint64_t now)
{
    leave(index, true, now);
}

/* A call that other stacks came between has another start by now than its frame says. */
static bool is_of(const struct vprof_call_1 *call, const void *frame, uint64_t start)
{
    return call->start == start || (call->target & FRAMES_PART && call->at == (uintptr_t)frame);
}

void frames_settle(const struct vprof_frame_1 *frame, uint64_t now, struct log_outer_call *call)
{
    struct vprof_thread_1 *f = &log_self.direct;
    for (uint32_t i = frames_count(); i-- > 0;)
        if (is_of(frames_call(i), frame, frame->start)) {
            *call = frames_copy(i);
            leave(i, false, now);
            return;
        }
    if (f->depth > FRAMES_MAX)
        f->depth--;
    *call = (struct log_outer_call){.call = {.start = frame->start, .id = frame->id}};
    if (frame->start < log_self.came) { /* on another thread, where its part so far is known */
        call->call.start = log_self.came;
        call->call.target = FRAMES_PART;
        call->began = frame->start;
    }
}

/* ---- stacks ---- */

void frames_arrive(uintptr_t at, uint32_t id)
{
    uint32_t end = frames_count();
    for (uint32_t i = 0; i < end; i++) {
        const struct vprof_call_1 *call = frames_call(i);
        if (call->at < at || (call->at == at && call->id == id)) {
            set_count(i);
            return;
        }
    }
}

void frames_suspend(uint32_t index, uint64_t now)
{
    struct log_outer_call call = frames_copy(index);
    if (is_marked(&call.call)) /* it may be gone since then */
        now = call.call.jump;
    if (now > call.call.start)
        frames_record(&call, now, TRACE_SUSPENDED);
    if (!(call.call.target & FRAMES_PART)) {
        *frames_began(index) = call.call.start;
        frames_call(index)->target |= FRAMES_PART;
    }
}

void frames_resume(const struct log_outer_call *call, uint64_t now)
{
    struct vprof_thread_1 *f = &log_self.direct;
    if (f->depth >= FRAMES_MAX && !frames_make_room())
        return;
    uint32_t index = f->depth++;
    f->calls[index] = call->call;
    f->calls[index].start = now;
    f->calls[index].jump = is_marked(&call->call) ? now : 0;
    log_self.targets[index] = call->target;
    log_self.began[index] = call->began;
}

void frames_cut(uint32_t count)
{
    set_count(count);
}

void frames_look_for_jumps(void)
{
    set_looks(log_self.looks);
}

/* ---- jumps themselves ---- */

static void leave_by_jump(uint64_t now)
{
    uint32_t count = frames_count() - 1;
    struct log_outer_call gone = frames_copy(count);
    set_count(count);
    frames_record(&gone, is_marked(&gone.call) ? gone.call.jump : now, TRACE_LEFT_BY_JUMP);
}

/* Two at one place of the stack: the outer one was left by an earlier jump. */
static void leave_older(uint32_t index)
{
    const struct vprof_call_1 newer = *frames_call(index);
    if (!is_marked(&newer))
        leave_again(newer.at, newer.id);
}

/* To a place of this stack: what lies deeper is gone, and of what is in one frame with it nothing
 * is known. */
static void jump_to(uintptr_t to, uint64_t now)
{
    while (frames_count() && frames_call(frames_count() - 1)->at < to)
        leave_by_jump(now);
    uint32_t count = frames_count();
    set_count(count); /* calls that are not watched are gone as well */
    if (count)
        leave_older(count - 1);
    for (uint32_t i = frames_count(); i-- > 0 && frames_call(i)->at - to < FRAME_BYTES_MAX;)
        mark(frames_call(i), now);
    set_looks(count ? LOOKS : 0);
}

static void jump_anywhere(uint64_t now)
{
    uint32_t count = frames_count();
    for (uint32_t i = 0; i < count; i++)
        mark(frames_call(i), now);
    set_looks(count ? LOOKS : 0);
}

void frames_jump(uint64_t now, uintptr_t to)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (log_self.moving)
        return;
    log_self.at_site = false;
    log_self.latest_jump = now;
    if (to > here && stacks_are_same(here, to))
        jump_to(to, now);
    else
        jump_anywhere(now);
}
