#include "trace/calibration.h"

static void add_point(struct calibration_range *range, struct trace_calibration point)
{
    if (!range->any || point.ticks < range->first.ticks)
        range->first = point;
    if (!range->any || point.ticks > range->last.ticks)
        range->last = point;
    range->any = true;
}

bool calibration_is_sane(const struct trace_calibration calibration[2])
{
    return calibration[1].ticks > calibration[0].ticks &&
           calibration[1].monotonic_ns > calibration[0].monotonic_ns;
}

void calibration_range_add(struct calibration_range *range,
                           const struct trace_calibration calibration[2])
{
    add_point(range, calibration[0]);
    if (calibration_is_sane(calibration))
        add_point(range, calibration[1]);
}
