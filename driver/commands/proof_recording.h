/* proof_recording.h - the second recording, in which functions are measured call by call, beside a result.
 *
 *     vprofiler-out/003/rounds/01/     the first: stacks
 *     vprofiler-out/003/proof/trace/   the second: points of the functions, and the kernel's side
 *                       proof/run.log, refused.txt
 *
 *     struct proof_recording told;
 *     proof_recording_make(&record, stacks, "vprofiler-out/003")       a running process is watched again,
 *                                                                      a command runs again
 *     proof_recording_open(&told, "vprofiler-out/003", stacks);         stacks->proof, where there is one
 *     ... stacks->proof = NULL ...
 *     proof_recording_release(&told);
 */
#ifndef DRIVER_COMMANDS_PROOF_RECORDING_H
#define DRIVER_COMMANDS_PROOF_RECORDING_H

#include "driver/commands/proof_choice.h"
#include "driver/commands/watched_program.h"
#include "stacks/stacks.h"

struct proof_wish {
    const struct watched_values *values;
    struct proof_choice *choice;
    struct proof_place place;
};

struct proof_recording {
    struct timelines run;
    struct proof proof;
    struct str refused; /* lines */
    bool opened;
};

/* Says what goes wrong: what stacks tell is as true without it. */
void proof_recording_make(const struct proof_wish *wish, const struct stacks *stacks,
                          const char *result);
/* The stacks' proof is the recording's, and has to be forgotten before it. */
void proof_recording_open(struct proof_recording *recording, const char *result,
                          struct stacks *stacks);
void proof_recording_release(struct proof_recording *recording);

#endif
