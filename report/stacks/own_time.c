#include "report/stacks/own_time.h"

static void visit_off(const struct context_times *times, uint32_t node, own_time_take *take,
                      void *context)
{
    size_t count;
    const struct context_reason *reasons = context_reasons_of(times, node, &count);
    for (size_t i = 0; i < count; i++)
        if (reasons[i].own > 0)
            take(context, &(struct own_time){node, reasons[i].reason, TIME_OFF, reasons[i].own});
}

void own_times_visit(const struct context_times *times, own_time_take *take, void *context)
{
    for (uint32_t n = 1; n < times->fold.tree.count; n++)
        for (int k = 0; k < CONTEXT_TIMES; k++) {
            time_ns time = times->sums[n].own[k];
            if (k == TIME_OFF)
                visit_off(times, n, take, context);
            else if (time > 0)
                take(context, &(struct own_time){n, OWN_NO_REASON, (enum context_time)k, time});
        }
}
