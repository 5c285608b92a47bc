#include "runtime/jumps.h"

#include <stddef.h>

#include "runtime/frames.h"
#include "runtime/stacks.h"
#include "runtime/trace_file.h"

/* ---- marks: of calls that a jump may have left ----
 *
 * What a jump has left is known at once where that says how far up the stack it goes. But functions
 * may have been inlined into the one that it comes back to, and it may say nothing; then calls are
 * marked with its time, and the next few that are entered or left are held against the marks. The
 * rest is told when what called it is left. So a thread is slow after a jump for LOOKS calls, and
 * not for as long as a call lasts that might have been left and was not. */
enum { LOOKS = 32 };
#define FRAME_BYTES_MAX ((uintptr_t)256 << 10) /* of most functions */

static void looked(void)
{
    frames_set_looks(log_self.looks ? log_self.looks - 1 : 0);
}

static void mark(struct vprof_call_1 *call, uint64_t now)
{
    if (!frames_is_marked(call))
        call->jump = now;
}

/* A marked call is gone once another one is entered at `at`. Who is back from a signal stack has
 * left all that was on it. */
static bool is_gone(const struct vprof_call_1 *call, uintptr_t at)
{
    if (!frames_is_marked(call))
        return false;
    if (call->at <= at)
        return !stacks_is_on_signal_stack_only(at, call->at);
    return call->at - at > FRAMES_FAR_BYTES && stacks_is_on_signal_stack_only(call->at, at);
}

static void leave_below(uintptr_t at)
{
    uint32_t count = call_list_count();
    while (count && is_gone(call_list_at(count - 1), at)) {
        struct open_call gone = call_list_copy(--count);
        call_list_cut(count);
        frames_record(&gone, gone.call.jump, TRACE_LEFT_BY_JUMP);
    }
}

static bool is_left_at(const struct vprof_call_1 *call, uintptr_t at, uint32_t id)
{
    return frames_is_marked(call) && call->at == at && call->id == id;
}

/* Calls that were there at `jump` went with the one that it was the first to leave. */
static bool went_by(const struct vprof_call_1 *call, uint64_t jump)
{
    return frames_is_marked(call) && call->start <= jump;
}

/* A jump has left the call. */
static void record(uint32_t index)
{
    struct open_call call = call_list_copy(index);
    frames_record(&call, call.call.jump, TRACE_LEFT_BY_JUMP);
}

/* A call that is entered anew was left before, and what it had called went with it. */
static void leave_again(uintptr_t at, uint32_t id)
{
    uint32_t end = call_list_count(), first = 0, kept;
    while (first < end && !is_left_at(call_list_at(first), at, id))
        first++;
    if (first == end)
        return;
    uint64_t jump = call_list_at(first)->jump;
    for (uint32_t i = end; i-- > first;)
        if (went_by(call_list_at(i), jump))
            record(i);
    kept = first;
    for (uint32_t i = first; i < end; i++)
        if (!went_by(call_list_at(i), jump))
            call_list_move(kept++, i);
    call_list_cut(kept);
}

void jumps_entered(uintptr_t below, uintptr_t at, uint32_t id)
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
    uint32_t end = call_list_count(), kept = index;
    for (uint32_t i = index + 1; i < end; i++) {
        const struct vprof_call_1 *call = call_list_at(i);
        if (frames_is_marked(call))
            continue;
        if (stacks_may_differ(call->at, at))
            call_list_move(kept++, i);
        else
            trace_file_lost(lost);
    }
    return kept;
}

/* The call leaves as it should: what is above it is gone, and what is below it has survived the
 * jumps since it was entered. Above it, calls of other stacks of this thread go to these. `lost`
 * tells that what is forgotten here has no record, as that of a probe has. */
static void leave_at(uint32_t index, bool lost, uint64_t now)
{
    struct vprof_call_1 left = *call_list_at(index);
    for (uint32_t i = call_list_count(); i-- > index + 1;)
        if (frames_is_marked(call_list_at(i)))
            record(i);
    call_list_cut(keep_others(index, left.at, lost));
    if (call_list_count() > index)
        stacks_part(index, left.at, now);
    for (uint32_t i = 0; i < index && frames_is_marked(&left); i++)
        if (call_list_at(i)->jump >= left.start)
            call_list_at(i)->jump = 0;
    looked();
}

static void leave(uint32_t index, bool lost, uint64_t now)
{
    log_self.latest_jump = 0;
    if (index + 1 == call_list_count() && !frames_any_jump())
        call_list_cut(index);
    else
        leave_at(index, lost, now);
}

void jumps_left(uint32_t index, uint64_t now)
{
    leave(index, true, now);
}

/* A call that other stacks came between has another start by now than its frame says. */
static bool is_of(const struct vprof_call_1 *call, const void *frame, uint64_t start)
{
    return call->start == start || (call->target & CALL_PART && call->at == (uintptr_t)frame);
}

void jumps_settle(const struct vprof_frame_1 *frame, uint64_t now, struct open_call *call)
{
    struct vprof_thread_1 *f = &log_self.direct;
    for (uint32_t i = call_list_count(); i-- > 0;)
        if (is_of(call_list_at(i), frame, frame->start)) {
            *call = call_list_copy(i);
            leave(i, false, now);
            return;
        }
    if (f->depth > CALL_LIST_MAX)
        f->depth--;
    *call = (struct open_call){.call = {.start = frame->start, .id = frame->id}};
    if (frame->start < log_self.came) { /* on another thread, where its part so far is known */
        call->call.start = log_self.came;
        call->call.target = CALL_PART;
        call->began = frame->start;
    }
}

/* ---- jumps themselves ---- */

static void leave_by_jump(uint64_t now)
{
    uint32_t count = call_list_count() - 1;
    struct open_call gone = call_list_copy(count);
    call_list_cut(count);
    frames_record(&gone, frames_is_marked(&gone.call) ? gone.call.jump : now, TRACE_LEFT_BY_JUMP);
}

/* Of two calls at one address of the stack, the outer one was left by an earlier jump. */
static void leave_older(uint32_t index)
{
    const struct vprof_call_1 newer = *call_list_at(index);
    if (!frames_is_marked(&newer))
        leave_again(newer.at, newer.id);
}

/* A jump goes to an address on this stack: what lies deeper is gone, and whether what is in one
 * frame with it is gone, nobody knows. */
static void jump_to(uintptr_t to, uint64_t now)
{
    while (call_list_count() && call_list_at(call_list_count() - 1)->at < to)
        leave_by_jump(now);
    uint32_t count = call_list_count();
    call_list_cut(count); /* calls that are not watched are gone as well */
    if (count)
        leave_older(count - 1);
    for (uint32_t i = call_list_count(); i-- > 0 && call_list_at(i)->at - to < FRAME_BYTES_MAX;)
        mark(call_list_at(i), now);
    frames_set_looks(count ? LOOKS : 0);
}

static void jump_anywhere(uint64_t now)
{
    uint32_t count = call_list_count();
    for (uint32_t i = 0; i < count; i++)
        mark(call_list_at(i), now);
    frames_set_looks(count ? LOOKS : 0);
}

void jumps_made(uint64_t now, uintptr_t to)
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
