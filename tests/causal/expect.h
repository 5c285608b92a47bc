/* expect.h - what tests of made runs have in common: what is expected of them, and chance. */
#ifndef TESTS_CAUSAL_EXPECT_H
#define TESTS_CAUSAL_EXPECT_H

#include <stdio.h>
#include <stdlib.h>

static int failures;

static inline void expect(int holds, const char *what)
{
    if (holds)
        return;
    printf("not so: %s\n", what);
    failures++;
}

/* Between 0 and 1, and neither. */
static inline double uniform(unsigned *state)
{
    return (rand_r(state) + 0.5) / (RAND_MAX + 1.0);
}

#endif
