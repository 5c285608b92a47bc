/* pages_check.h - a run that is opened, its calls left in the files, against one that is loaded. */
#ifndef TESTS_TRACE_PAGES_CHECK_H
#define TESTS_TRACE_PAGES_CHECK_H

#include "trace/timeline.h"

/* NULL, or what is not the same: every call, its parent, and the innermost call of every moment. */
const char *pages_check(const struct timelines *loaded, const struct timelines *opened);

#endif
