/* stack_recorder.h - a thread that writes down with which stacks threads of the run wait, and wake
 * others (stack_events.h, unwinder.h, stack_file.h).
 *
 *     struct stack_recorder *stacks = stack_recorder_start(directory, &wish, &layout, &list, &error);
 *     ...
 *     stack_recorder_stop(stacks, &report);
 *
 * It works beside the recorder's own thread, which may not wait while a stack is unwound. What fails
 * here leaves all else of the recording as it is.
 */
#ifndef SAMPLER_STACK_RECORDER_H
#define SAMPLER_STACK_RECORDER_H

#include <sys/types.h>

#include "base/error.h"
#include "sampler/kernel_event.h"
#include "sampler/point_plan.h"
#include "sampler/stack_wish.h"
#include "sampler/watch_list.h"

#define STACK_RECORDER_FILE "stacks.vtr"

struct stack_recorder;

struct stack_report {
    uint64_t stacks, cut; /* that were written; of them, without their outermost calls */
    uint64_t lost;        /* that found no room in the kernel's rings */
    uint64_t own_ns;      /* the thread's time on a processor */
    uint64_t copied;      /* stacks that the kernel copied */
};

/* Borrows the layout and the list. Without a layout: of what the user's own threads run outside of the kernel, which
 * are watched one by one. `points` are those that will be watched, or NULL: where the kernel's return probe will be
 * among them, stacks go on behind it. NULL: none can be recorded, and why. */
struct stack_recorder *stack_recorder_start(const char *directory, const struct stack_wish *wish,
                                            const struct event_layout *layout,
                                            const struct point_plan *points,
                                            struct watch_list *list, struct error *error);
/* Gives how many threads of the process there will be no stacks of. */
size_t stack_recorder_watch(struct stack_recorder *recorder, pid_t pid);
void stack_recorder_pause(struct stack_recorder *recorder, bool paused);
/* Ends it and frees the recorder. False: the file is not whole. */
bool stack_recorder_stop(struct stack_recorder *recorder, struct stack_report *report,
                         struct error *error);

#endif
