/* live_run.h - one run of a program that carries all probes, while they are switched.
 *
 *        run starts                                              it ends, or is ended
 *     |--|-------- window 1 -----------|-----|--- window 2 ---|--
 *        on: what round 1 times          off   what round 2 times
 *
 *     live_run_start(&live, &target, &round, probe_count, &error)
 *     live_run_open_window(&live, on)            probe i records where on[i] is not 0
 *     live_run_wait(&live, seconds)              false: the program has ended
 *     live_run_close_window(&live, &error)       ... analyse live.trace; perhaps wait on
 *     live_run_move_window(&live)                the window begins now instead
 *     live_run_switch(&live, on)                 so too, with other probes on
 *     live_run_restore_window(&live, &error)     the round before's window instead
 *     live_run_rest(&live)                       all probes off
 *     live_run_end(&live, &error)
 *
 * The window is written into the trace's files, so that whoever reads them later counts the same
 * intervals. Probes stay on when it is closed: closed again later, it has become longer. A program
 * that still runs at the end is told to end, and has ten seconds for that.
 */
#ifndef DRIVER_WORKBENCH_LIVE_RUN_H
#define DRIVER_WORKBENCH_LIVE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "driver/workbench/processor_time.h"
#include "driver/workbench/switch_file.h"
#include "driver/workbench/target.h"

struct live_run {
    const struct target *target;
    bool started; /* and not ended yet */
    struct str trace, log;
    struct target_round round;
    struct target_command command;
    struct switch_file switches;
    uint32_t window_generation; /* of `window`; 0: of the round before, whose times are not known
                                   any more for each process */
    uint64_t from_ns;           /* where the window began; CLOCK_MONOTONIC */
    uint64_t window[2];         /* from, until: as it was closed last; until 0: never */
    uint64_t earlier[2];        /* the round before's */
    struct processor_time began_with;
    double used_ns; /* of the processors in the window; 0: it is not known */
};

/* The folder must be there. All probes are off. */
bool live_run_start(struct live_run *live, const struct target *target, unsigned number,
                    uint32_t probe_count, struct error *error);
void live_run_open_window(struct live_run *live, const unsigned char *on);
bool live_run_wait(struct live_run *live, double seconds);
bool live_run_close_window(struct live_run *live, struct error *error);
/* The window's length is told as it was closed, or as it is open. */
double live_run_closed_s(const struct live_run *live);
double live_run_window_s(const struct live_run *live);
void live_run_move_window(struct live_run *live);
void live_run_switch(struct live_run *live, const unsigned char *on);
bool live_run_restore_window(struct live_run *live, struct error *error);
void live_run_rest(struct live_run *live);
bool live_run_end(struct live_run *live, struct error *error);
void live_run_release(struct live_run *live);

#endif
