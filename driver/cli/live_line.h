/* live_line.h - the last line of a terminal, which says what goes on and for how long.
 *
 *     [2] build and run  0:12, in all 0:41  so far: 61 % of the latency variance of toy is lock_wait
 *
 *     live_line_set("[2] build and run");     drawn again every quarter of a second from now on
 *     live_line_note("61 % of ...");
 *     live_line_clear();                      before anything else is printed; it comes back
 *     live_line_end();                        for good: before results and questions
 *
 * The line is drawn only where live_line_possible() (stderr is a terminal, and not a dumb one), by
 * a thread of its own, which is started by the first set and takes no signals.
 */
#ifndef DRIVER_CLI_LIVE_LINE_H
#define DRIVER_CLI_LIVE_LINE_H

#include <stdbool.h>

bool live_line_possible(void);
void live_line_set(const char *phase);
void live_line_note(const char *best);
void live_line_clear(void);
void live_line_end(void);

#endif
