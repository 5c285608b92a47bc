/* cleaning.h - what finished loops have left and need no more.
 *
 *     vprofiler-out/003/tree, pristine, rounds/NN/trace      goes
 *                      /report.*, loop.json, logs             stays
 *
 * The newest result keeps the trace that `report`, `show`, `compare` and `export` read, unless
 * `all` is set; so does a loop that is not finished, for it can be resumed. A folder that is in use,
 * was made with --keep, or is no loop's (a recording), is left alone, and nothing is followed that
 * is a link.
 */
#ifndef DRIVER_WORKBENCH_CLEANING_H
#define DRIVER_WORKBENCH_CLEANING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

struct cleaning {
    const char *out;
    bool all;  /* also the newest result's trace, unfinished loops, and the parser's cache */
    bool only; /* nothing is removed: what would be */
    /* These tell what was done; the names are those of folders ("001, 003"). */
    uint64_t bytes; /* on the disk */
    unsigned count; /* of the loops that lost something */
    struct str cleaned, in_use, kept, unfinished, others;
    struct str newest; /* whose trace stayed */
};

bool cleaning_do(struct cleaning *cleaning, struct error *error);
void cleaning_release(struct cleaning *cleaning);

#endif
