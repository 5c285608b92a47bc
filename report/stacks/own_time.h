/* own_time.h - the own times of all contexts, one by one: what other viewers call samples.
 *
 *     own_times_visit(&stacks->times, take, context);
 *         take(context, {node, ran or queue or ..., OWN_NO_REASON, ns})
 *         take(context, {node, TIME_OFF, reason, ns})        once for each reason
 *
 * They add up to the time of all threads.
 */
#ifndef REPORT_STACKS_OWN_TIME_H
#define REPORT_STACKS_OWN_TIME_H

#include "stacks/context_times.h"

#define OWN_NO_REASON UINT32_MAX

struct own_time {
    uint32_t node, reason;
    enum context_time kind;
    time_ns time; /* > 0 */
};

typedef void own_time_take(void *context, const struct own_time *own);
void own_times_visit(const struct context_times *times, own_time_take *take, void *context);

#endif
