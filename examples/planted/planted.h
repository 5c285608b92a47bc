/* planted.h - what the example programs have in common: a clock, fixed chance, and the truth.
 *
 *     enum { LOCK = 1 };                             the planted part; column 0 is the latency
 *     rows[i].ns[LATENCY] = ...; rows[i].ns[LOCK] = ...;
 *     truth_write((const char *const[]){"lock"}, 1, rows, count);
 *
 * The program measures its own planted cause with CLOCK_MONOTONIC, so that a report about it can
 * be compared with what really happened in that very run. truth_write() prints one line for people
 * and appends one line of JSON to the file that the environment names as PLANTED_TRUTH.
 *
 * Each example folder holds its own copy of this pair, so that it is whole when copied elsewhere.
 */
#ifndef PLANTED_H
#define PLANTED_H

#include <stdint.h>

enum { LATENCY = 0, TRUTH_PARTS_MAX = 2, SIZE = 1 + TRUTH_PARTS_MAX };

/* One request: its latency, then the time that it spent in each planted part. Where requests differ
 * in what was asked for, how much that was (SI_VALUE), and of what type it is (SI_TYPE). */
struct truth_row {
    int64_t ns[1 + TRUTH_PARTS_MAX];
    int64_t size;
    const char *type; /* NULL: none of them has a type or a size */
};

int64_t now_ns(void);

/* The same numbers in every run: 0 <= result < bound. `*state` is the seed, and not 0. */
unsigned random_below(unsigned *state, unsigned bound);

/* `names` and `parts` leave the latency out. Variances have the divisor count - 1. */
void truth_write(const char *const *names, int parts, const struct truth_row *rows, int count);

#endif
