/* kernel_recording.h - the kernel's side of the user's program, recorded beside it (sampler.h).
 *
 *     kernel_recording_start(&recording, wish, trace)    before the program
 *     kernel_recording_watch(&recording, pid)            it has started
 *     kernel_recording_stop(&recording)                  it has ended
 *
 * One line is said of what is recorded, and what is therefore unknown, where that is new. Whatever
 * fails here is said, too, and the program runs on.
 */
#ifndef DRIVER_WORKBENCH_KERNEL_RECORDING_H
#define DRIVER_WORKBENCH_KERNEL_RECORDING_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/str.h"
#include "sampler/point_plan.h"
#include "sampler/stack_wish.h"
#include "trace/trace_format.h"

enum kernel_mode { KERNEL_OFF, KERNEL_AUTO, KERNEL_ON };
/* The names of the modes on a command line; ends with NULL. */
extern const char *const kernel_modes[];
enum kernel_mode kernel_mode_of(const char *name);

struct sampler;

struct kernel_recording {
    struct sampler *sampler; /* NULL: nothing is recorded */
};

struct kernel_wish {
    enum kernel_mode mode;
    bool endless; /* of a program that does not end by itself only the newest records are kept */
    struct stack_wish stacks;
    const struct point_plan *points; /* borrowed; NULL: none are watched */
};
void kernel_recording_start(struct kernel_recording *recording, struct kernel_wish wish,
                            const char *directory);
/* False and errno: of some of its threads nothing will be recorded. */
bool kernel_recording_watch(struct kernel_recording *recording, pid_t pid);
void kernel_recording_stop(struct kernel_recording *recording);

/* A trial tells what this user may record here; texts are "" where there is nothing to say. */
struct kernel_trial {
    enum trace_watched watched;
    struct str missing, cure;
};
/* Records for a moment, into a folder that is removed again; false: not even a file can be
 * written. */
bool kernel_trial_make(struct kernel_trial *trial, struct error *error);
void kernel_trial_release(struct kernel_trial *trial);

/* Fails, with the cure, where KERNEL_ON asks for what may not be recorded here: no switch of any
 * thread. */
bool kernel_recording_require(enum kernel_mode mode, struct error *error);

#endif
