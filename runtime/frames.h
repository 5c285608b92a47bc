/* frames.h - the timed calls that this thread is in: those that a jump leaves get their record.
 *
 *     frames_push(frame, start, id);      at a call's entry
 *     frames_jump(now, to);               just before a longjmp: some of them will vanish
 *     frames_settle(frame, now, &call);   at its exit, if frames_is_innermost() does not say so
 *
 *   | main | serve | parse | field |    a jump from here to serve: parse and field, which are
 *   | main | serve | reply |            deeper, are gone, and recorded as ended by the jump
 *
 * Where a jump does not say how far it goes (jump_target.h), and of calls that may be in one frame
 * with where it goes, a call is gone when one higher up the stack is entered or left after the
 * jump, or it itself; the outermost of those that are gone may not be known before who called it
 * returns. Calls are numbered from the outermost, 0. Sites (site_hit.h) know of their calls only
 * from here: where there are more than FRAMES_MAX, the outer ones are moved elsewhere. Probes keep
 * what they need themselves, and put no call here that has no room. Signal-safe; no locks; per
 * thread.
 */
#ifndef RUNTIME_FRAMES_H
#define RUNTIME_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/log.h"

#define FRAMES_MAX ((uint32_t)VPROF_CALLS_1)
/* Bits of a call's `target`: it has one; others' stacks were on the thread since it was entered. */
enum { FRAMES_TARGET = 1, FRAMES_PART = 2 };
/* A call may be entered before its function's frame is there and left within it, or entered within
 * it and left when it is gone: compilers make the frame where it is needed (shrink-wrapping). */
#define FRAMES_NEAR_BYTES 4096u

/* A call is entered at `at`, in a function whose stack ends at `below`: what a jump may have left
 * there and deeper is gone, and so is the same call with what it had called. Others may be alive:
 * where functions are inlined into one, who calls may lie deeper than what it calls. */
void frames_leave(uintptr_t below, uintptr_t at, uint32_t id);
/* The thread has just come to this stack, and enters a call here: what lies deeper, or here, was
 * another one's, which had the memory before. */
void frames_arrive(uintptr_t at, uint32_t id);
/* The way out of frames_pop() where it is not simply the innermost; *call is the call. */
void frames_settle(const struct vprof_frame_1 *frame, uint64_t now, struct log_outer_call *call);
/* The stack will end at `to`; 0: somewhere. */
void frames_jump(uint64_t now, uintptr_t to);
/* The same for a call that has no frame, a site's, and ends at `now`. */
void frames_leave_at(uint32_t index, uint64_t now);
/* None of them will have a record. */
void frames_forget(void);

uint32_t frames_count(void);
struct vprof_call_1 *frames_call(uint32_t index);
uint64_t *frames_target(uint32_t index);
struct log_outer_call frames_copy(uint32_t index);
/* The record of a call, or of its last part; `start` as in the call, `end` its end. */
void frames_record(const struct log_outer_call *call, uint64_t end, unsigned how);

/* ---- for stacks.h: the calls of one stack go, those of another one come */

/* The part so far has its record. */
void frames_suspend(uint32_t index, uint64_t now);
/* From `now` on it is the innermost call. */
void frames_resume(const struct log_outer_call *call, uint64_t now);
/* There are as many, without a record of the others. */
void frames_cut(uint32_t count);
void frames_look_for_jumps(void);

/* When `direct.calls` is full. False: there can be no more now. */
bool frames_make_room(void);
/* When it is empty: outer calls come back, if there are any. */
void frames_fill(void);
/* The thread ends. */
void frames_end(void);

static inline void frames_push(const void *frame, uint64_t start, uint32_t id)
{
    struct vprof_thread_1 *f = &log_self.direct;
    uint32_t depth = f->depth;
    f->depth = depth + 1; /* first: a handler's frames go behind */
    if (__builtin_expect(depth < FRAMES_MAX, 1)) {
        f->calls[depth].start = start;
        f->calls[depth].at = (uintptr_t)frame;
        f->calls[depth].jump = 0;
        f->calls[depth].id = id;
        f->calls[depth].target = 0;
    }
}

static inline bool frames_is_innermost(uint64_t start)
{
    const struct vprof_thread_1 *f = &log_self.direct;
    uint32_t depth = f->depth - 1;
    return !f->jumped && depth < FRAMES_MAX && f->calls[depth].start == start;
}

/* Calls are held against a jump. */
static inline bool frames_any_jump(void)
{
    return log_self.sites_epoch & LOG_JUMPED;
}

#endif
