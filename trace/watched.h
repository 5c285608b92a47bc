/* watched.h - how much of the kernel's scheduler was seen, of all of a run at once.
 *
 *     process 1   |-------------|                  a recorder that saw all of it: ALL
 *     process 2                    |---------|     none, or one that saw less: NOTHING, OWN ...
 *     the run                                      what is known of both
 *
 * What is said of a run must hold of each of its processes, though traces of several runs may lie
 * in one folder.
 */
#ifndef TRACE_WATCHED_H
#define TRACE_WATCHED_H

#include <stdint.h>

#include "trace/trace_reader.h"

/* Gives the one of the two that says less. */
enum trace_watched watched_lesser(enum trace_watched a, enum trace_watched b);
/* The readers of processes come first, those of recorders behind them. */
enum trace_watched watched_of_all(const struct trace_reader *readers, uint32_t processes,
                                  uint32_t count);

#endif
