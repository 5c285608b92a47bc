/* frames.h - the timed calls that this thread is in, of the stack that it is on.
 *
 *     frames_push(frame, start, id);      at a call's entry
 *     frames_is_innermost(start)          at its exit: it is simply the last one
 *
 *   | main | serve | parse | field |      numbered from the outermost, 0
 *
 * Sites (site_hit.h) know of their calls only from here: where there are more than CALL_LIST_MAX,
 * the outer ones are moved elsewhere. Probes keep what they need themselves, and put no call here
 * that has no room. What jumps leave is jumps.h's, what lies on other stacks is stacks.h's. Each
 * thread has its own; no locks; signal-safe.
 */
#ifndef RUNTIME_FRAMES_H
#define RUNTIME_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/call_list.h"
#include "runtime/log.h"

/* A call may be entered before its function's frame is there and left within it, or entered within
 * it and left when it is gone: compilers make the frame where it is needed (shrink-wrapping). */
#define FRAMES_NEAR_BYTES 4096u
/* Frames are seldom as large, on a fiber's stack: calls that lie farther apart may be on two. */
#define FRAMES_FAR_BYTES ((uintptr_t)16 << 10)

/* The record of a call that ended at `end`, or of its last part, is written. */
void frames_record(const struct open_call *call, uint64_t end, unsigned how);

/* No call gets a record here, and none is left. */
void frames_forget(void);

/* The next `looks` calls are held against jumps. This is also to be called when the thread has come
 * to a second stack: from then on all calls look where they are. */
void frames_set_looks(uint32_t looks);

/* The thread has just come to this stack, and enters a call at `at`: what lies deeper, or there,
 * was another stack's, which had the memory before. */
void frames_arrive(uintptr_t at, uint32_t id);

/* The thread goes to another stack at `now`: the call's part so far gets its record. */
void frames_suspend(uint32_t index, uint64_t now);
/* The thread is back at `now`: the call is the innermost one again. */
void frames_resume(const struct open_call *call, uint64_t now);

/* Outer calls are moved away when `direct.calls` is full. False: there can be no more now. */
bool frames_make_room(void);
/* Outer calls come back when `direct.calls` is empty, if there are any. */
void frames_fill(void);
/* The thread ends. */
void frames_end(void);

static inline void frames_push(const void *frame, uint64_t start, uint32_t id)
{
    struct vprof_thread_1 *f = &log_self.direct;
    uint32_t depth = f->depth;
    f->depth = depth + 1; /* first: a handler's frames go behind */
    if (__builtin_expect(depth < CALL_LIST_MAX, 1)) {
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
    return !f->jumped && depth < CALL_LIST_MAX && f->calls[depth].start == start;
}

/* A jump may have left the call. Common cases leave `jump` as they find it: a time before the
 * call's own start is that of a call that was there before. */
static inline bool frames_is_marked(const struct vprof_call_1 *call)
{
    return call->jump >= call->start;
}

/* Calls are held against a jump. */
static inline bool frames_any_jump(void)
{
    return log_self.sites_epoch & LOG_JUMPED;
}

/* The thread is on several stacks by turns (stacks.h). */
static inline bool frames_are_on_several_stacks(void)
{
    return log_self.stacks != NULL;
}

#endif
