/* check.h - a condition that a test of the rewriter's units needs; `failures` counts those that do
 * not hold, and main returns failures != 0. */
#ifndef TESTS_REWRITER_CHECK_H
#define TESTS_REWRITER_CHECK_H

#include <stdio.h>

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

#endif
