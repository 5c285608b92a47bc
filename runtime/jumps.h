/* jumps.h - calls that a longjmp leaves get their record, as ended by the jump.
 *
 *     jumps_made(now, to);                just before a longjmp: some calls will vanish
 *     jumps_entered(below, at, id);       at a call's entry while frames_any_jump()
 *     jumps_settle(frame, now, &call);    at its exit, if frames_is_innermost() does not say so
 *
 *   | main | serve | parse | field |    a jump from here to serve: parse and field, which are
 *   | main | serve | reply |            deeper, are gone
 *
 * Some jumps do not say how far they go (jump_target.h), and some calls may be in one frame with
 * where a jump goes. Such a call is gone when one higher up the stack is entered or left after the
 * jump, or it itself; the outermost of those that are gone may not be known before who called it
 * returns. Signal-safe; no locks; per thread.
 */
#ifndef RUNTIME_JUMPS_H
#define RUNTIME_JUMPS_H

#include <stdint.h>

struct open_call;
struct vprof_frame_1;

/* The stack will end at `to`; 0: nobody knows where. */
void jumps_made(uint64_t now, uintptr_t to);

/* A call is entered at `at`, in a function whose stack ends at `below`: what a jump may have left
 * there and deeper is gone, and so is the same call with what it had called. Others may be alive:
 * where functions are inlined into one, who calls may lie deeper than what it calls. */
void jumps_entered(uintptr_t below, uintptr_t at, uint32_t id);

/* A probe's call ends at `now`; *call is the call. */
void jumps_settle(const struct vprof_frame_1 *frame, uint64_t now, struct open_call *call);

/* A site's call, which has no frame, ends at `now`. */
void jumps_left(uint32_t index, uint64_t now);

#endif
