/* time_window.h - a stretch of time, added to the windows in which it lies.
 *
 *     borders  |   0   |   1   |   2   |
 *     stretch      |-------|                 half a window in each of the first two
 *
 * What lies before the first border, or behind the last, is of the first or the last window.
 */
#ifndef WAITS_TIME_WINDOW_H
#define WAITS_TIME_WINDOW_H

#include "waits/cascade.h"

/* The window in which `time` lies: windows are of one length, but for a ns. */
static inline uint32_t time_window_of(const time_ns *borders, time_ns time)
{
    const uint32_t last = CASCADE_WINDOWS - 1;
    time_ns length = borders[CASCADE_WINDOWS] - borders[0];
    if (time <= borders[0] || length <= 0)
        return 0;
    if (time >= borders[CASCADE_WINDOWS])
        return last;
    uint32_t window = (uint32_t)((double)(time - borders[0]) / (double)length * CASCADE_WINDOWS);
    window = window > last ? last : window;
    while (window > 0 && borders[window] > time)
        window--;
    while (window < last && borders[window + 1] <= time)
        window++;
    return window;
}

static inline void time_window_add(time_ns *windows, const time_ns *borders, time_ns from,
                                   time_ns until)
{
    for (uint32_t w = time_window_of(borders, from); from < until; w++) {
        bool last = w == CASCADE_WINDOWS - 1;
        time_ns end = last || borders[w + 1] > until ? until : borders[w + 1];
        if (end > from) {
            windows[w] += end - from;
            from = end;
        }
    }
}

#endif
