/* joined_run.h - the runs of several hosts as one.
 *
 *     host a   |-- its intervals --|
 *     host b                        |-- its intervals --|      one host after the other
 *
 * Clocks of two hosts are never compared: each host's times are moved as a whole, to behind those
 * of the host before it. So intervals stand by host and then by time, and the time-ordered blocks
 * of the jackknife are stretches of one host's time (at most one block a border holds the end of
 * one and the beginning of the next).
 *
 *     struct joined_run joined;
 *     if (joined_run_make(&joined, parts, count, &error)) ... joined.run
 *
 * Takes `parts` over, and changes the times and numbers in them. Their calls may be in the files.
 */
#ifndef TRACE_JOINED_RUN_H
#define TRACE_JOINED_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/timeline.h"

struct joined_run {
    struct timelines run;    /* its own arrays; what they point to is the parts' */
    struct timelines *parts; /* of count 1: NULL, `run` is the part */
    uint32_t count;
};

/* `parts` is from memory.h and belongs to `joined` whatever comes out. */
bool joined_run_make(struct joined_run *joined, struct timelines *parts, uint32_t count,
                     struct error *error);
void joined_run_release(struct joined_run *joined);

#endif
