/* timeline_check.h - what trace/timeline.h promises of every run, however damaged its files are. */
#ifndef TESTS_TRACE_TIMELINE_CHECK_H
#define TESTS_TRACE_TIMELINE_CHECK_H

#include "trace/timeline.h"

/* NULL, or what is broken. */
const char *timeline_check(const struct timelines *run);

#endif
