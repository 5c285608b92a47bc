/* calibration.h - the first and the last known moment of some files' clock.
 *
 *     struct calibration_range range = {0};
 *     calibration_range_add(&range, header->calibration); ...
 *     range.last.ticks - range.first.ticks        in as many ns as monotonic_ns differ by
 */
#ifndef TRACE_CALIBRATION_H
#define TRACE_CALIBRATION_H

#include <stdbool.h>

#include "trace/trace_format.h"

struct calibration_range {
    struct trace_calibration first, last;
    bool any;
};

/* The range takes in one file's calibrations: that at its start, and the latest, where that one is
 * sane. */
void calibration_range_add(struct calibration_range *range,
                           const struct trace_calibration calibration[2]);

/* The later point is not there yet when the process was killed early, and may be torn. */
bool calibration_is_sane(const struct trace_calibration calibration[2]);

#endif
