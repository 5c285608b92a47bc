/* check.h - CHECK(condition): say where a test failed and go on; CHECK_DONE() is main's result. */
#ifndef TESTS_TRACE_CHECK_H
#define TESTS_TRACE_CHECK_H

#include <stdio.h>

static int check_failures;

#define CHECK(condition)                                                                           \
    ((condition) ? (void)0                                                                         \
                 : (void)(check_failures++,                                                        \
                          fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition)))
#define CHECK_DONE() (check_failures ? 1 : 0)

#endif
