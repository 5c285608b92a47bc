/* subject.h - the program that is experimented with: it is started, and started again where it ends; what it does is seen
 * in what its processes share (trace/delay_format.h).
 *
 *     struct subject subject = {.target = target, .round = {...}, .delays = delays};
 *     subject_start_again(&subject, &error)
 *     subject_wait(&subject, subject_has_done, subject_work(&subject) + 20, 30)
 *     subject_end(&subject, &error)
 */
#ifndef DRIVER_EXPERIMENTS_SUBJECT_H
#define DRIVER_EXPERIMENTS_SUBJECT_H

#include "base/error.h"
#include "driver/workbench/target.h"
#include "trace/delay_format.h"

struct subject {
    const struct target *target;
    struct target_round round;
    struct target_command command;
    struct trace_delays *delays; /* borrowed */
    bool started;
    uint32_t ended_runs;
};

/* Units of work that were completed; of a program that marks none, intervals. */
uint64_t subject_work(const struct subject *s);
/* False: the program has ended, or vprofiler was interrupted. */
bool subject_goes_on(const struct subject *s);

typedef bool subject_until(const struct subject *s, uint64_t value);
/* Waits until `done`, for the longest so long. */
bool subject_wait(const struct subject *s, subject_until *done, uint64_t value, double most_s);
/* So many units of work were completed; intervals have ended; of the window have begun; none of the window is open. */
subject_until subject_has_done, subject_has_ended, subject_has_counted, subject_none_open,
    subject_never;

/* A program that ends is run again, from where the plan is. False, with a sentence: it does nothing that can be
 * measured. */
bool subject_start_again(struct subject *s, struct error *error);
bool subject_end(struct subject *s, struct error *error);

#endif
