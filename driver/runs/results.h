/* results.h - what each family found in a run.
 *
 *     struct results results;
 *     if (results_make(&results, &input, &error)) ... results_of(&results, &family_variance)
 *     results_release(&results);
 */
#ifndef DRIVER_RUNS_RESULTS_H
#define DRIVER_RUNS_RESULTS_H

#include "driver/family.h"

enum { RESULTS_MOST = 8 };

struct results {
    void *of[RESULTS_MOST]; /* as `families`; NULL: it found nothing, or was not asked */
};

/* Families are asked that need no more than calls and what the input says. The first one must find
 * something, and the laws of all must hold. False: there is nothing to
 * release. */
bool results_make(struct results *results, const struct family_input *input, struct error *error);
void results_release(struct results *results);

/* Gives a family's result; NULL where it found nothing. */
const void *results_of(const struct results *results, const struct family *family);
/* Gives the intervals of the first family that is of intervals; NULL where none is. */
const struct interval_summary *results_intervals(const struct results *results, double *coverage);
/* Makes a part for each family that found something, and counts them. */
uint32_t results_parts(const struct results *results, struct report_part *parts);
void results_judge(const struct results *results, const struct report *report,
                   const struct family_input *input, struct doubts *doubts);
void results_illustrate(const struct results *results, const struct family_input *input);

#endif
