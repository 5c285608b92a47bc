/* recorded_calls.h - how often each function was recorded, on the intervals' paths or not.
 *
 *     struct recorded_calls calls;
 *     recorded_calls_count(&calls, &run, &table);
 *     calls.of[function], calls.all, calls.stretch_ns
 *     recorded_calls_release(&calls);
 *
 * Between the first interval's begin and the last one's end, of those that are complete: there the
 * records of all processes are whole. A function's are those of the calls in it, too, that are
 * recorded because it is opened. Reads every call of that time once, which is little beside the
 * analysis.
 */
#ifndef DRIVER_LOOP_RECORDED_CALLS_H
#define DRIVER_LOOP_RECORDED_CALLS_H

#include <stdint.h>

#include "trace/function_table.h"
#include "trace/timeline.h"

struct recorded_calls {
    uint64_t *of; /* by function */
    uint64_t all;
    time_ns stretch_ns;
};

void recorded_calls_count(struct recorded_calls *calls, const struct timelines *run,
                          const struct function_table *table);
void recorded_calls_release(struct recorded_calls *calls);

#endif
