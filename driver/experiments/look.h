/* look.h - what is known of a run that is still being experimented with, from its files as they are.
 *
 *     struct look look;
 *     if (look_open(&look, "rounds/01/trace", &error)) { look_spread(&look, &metric); look_release(&look); }
 *
 * The program goes on meanwhile; nothing of it is counted.
 */
#ifndef DRIVER_EXPERIMENTS_LOOK_H
#define DRIVER_EXPERIMENTS_LOOK_H

#include "base/error.h"
#include "causal/width.h"
#include "trace/timeline.h"

struct look {
    struct timelines run;
};

bool look_open(struct look *look, const char *trace, struct error *error);
/* With all of its calls. */
bool look_open_calls(struct look *look, const char *trace, struct error *error);
/* How much the run varies without a delay, by what was watched before the first block: of the first that is known of the
 * p99, the mean and the period. */
struct causal_spread look_spread(const struct look *look, enum causal_metric *metric);
/* What a target of the screening brings at least (causal/screen.h). */
double look_bound(const struct look *look, uint32_t target);
/* Half of the width of what is told of a target, at the level where it is widest; INFINITY: not known. */
double look_width(const struct look *look, uint32_t target);
void look_release(struct look *look);

#endif
