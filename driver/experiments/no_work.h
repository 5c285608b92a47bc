/* no_work.h - what is said of a program that does no work which could be measured. */
#ifndef DRIVER_EXPERIMENTS_NO_WORK_H
#define DRIVER_EXPERIMENTS_NO_WORK_H

#include <stdbool.h>

#include "base/error.h"
#include "trace/delay_format.h"

/* Fewer than `least` units of work were completed, while the program still runs, or until it ended. Returns false. */
bool no_work_tell(const struct trace_delays *delays, int least, bool running, struct error *error);
/* No process of it was seen; `begin` is the question's: "Is it". Returns false. */
bool no_work_no_trace(const char *begin, struct error *error);

#endif
