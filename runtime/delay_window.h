/* delay_window.h - how many intervals have begun and ended, for whoever experiments to wait for.
 *
 *     counting     |------------------------|
 *     intervals      |----|  |---|     |---------|         three are of the window
 *     open          0 1    0  1   0     1         0        until then the experiment goes on
 *
 * An id is known within its process. Any thread, signal-safe.
 */
#ifndef RUNTIME_DELAY_WINDOW_H
#define RUNTIME_DELAY_WINDOW_H

#include "trace/delay_format.h"

/* `what` is enum vprof_mark_1. */
void delay_window_mark(struct trace_delays *delays, uint32_t process, unsigned what,
                       unsigned long id);

#endif
