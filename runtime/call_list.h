/* call_list.h - the calls that this thread is in, by their numbers from the outermost, 0.
 *
 *     for (uint32_t i = call_list_count(); i-- > 0;) ... call_list_at(i)->start
 *
 *   outer      | main | serve |                   moved away, where there are too many
 *   direct     | parse | field | ...  |           the innermost, up to CALL_LIST_MAX
 *
 * A handler may add calls at any moment, and leaves them again; a jump of its own forgets all.
 */
#ifndef RUNTIME_CALL_LIST_H
#define RUNTIME_CALL_LIST_H

#include <stdint.h>

#include "runtime/log_state.h"
#include "runtime/open_call.h"

#define CALL_LIST_MAX ((uint32_t)VPROF_CALLS_1)

static inline uint32_t call_list_count(void)
{
    uint32_t depth = log_self.direct.depth;
    return log_self.outer_count + (depth < CALL_LIST_MAX ? depth : CALL_LIST_MAX);
}

/* An index may be old, as a signal handler that jumps away can make its thread forget all calls: it
 * never leads elsewhere than to some call. */
static inline uint32_t call_list_inner(uint32_t index)
{
    return (index - log_self.outer_count) % CALL_LIST_MAX;
}

static inline struct vprof_call_1 *call_list_at(uint32_t index)
{
    return index < log_self.outer_count ? &log_self.outer[index].call
                                        : &log_self.direct.calls[call_list_inner(index)];
}

static inline uint64_t *call_list_target(uint32_t index)
{
    return index < log_self.outer_count ? &log_self.outer[index].target
                                        : &log_self.targets[call_list_inner(index)];
}

static inline uint64_t *call_list_began(uint32_t index)
{
    return index < log_self.outer_count ? &log_self.outer[index].began
                                        : &log_self.began[call_list_inner(index)];
}

static inline struct open_call call_list_copy(uint32_t index)
{
    return (struct open_call){*call_list_at(index), *call_list_target(index),
                              *call_list_began(index), 0};
}

static inline void call_list_move(uint32_t to, uint32_t from)
{
    *call_list_target(to) = *call_list_target(from);
    *call_list_began(to) = *call_list_began(from);
    *call_list_at(to) = *call_list_at(from);
}

/* The first `count` calls stay; the others get no record here. `direct` is set first: a handler's
 * calls go behind what it shows. */
static inline void call_list_cut(uint32_t count)
{
    uint32_t outer = log_self.outer_count;
    log_self.direct.depth = count > outer ? count - outer : 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (count < outer)
        log_self.outer_count = count;
}

#endif
