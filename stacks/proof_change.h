/* proof_change.h - of functions that were measured on both sides of a comparison: are there more calls, or longer ones?
 *
 *     struct proof_changes changes = {.requests = true};                a request, else a second
 *     proof_changes_add(&changes, 0, &proof);                           A's runs, then B's; each may be released then
 *     proof_changes_add(&changes, 1, &proof);
 *     proof_changes_make(&changes);
 *     changes.items[0]         parse: 10.0 calls of 2.00 ms -> 40.0 of 3.00 ms; 75 ms by calls, 25 ms by length
 *     proof_changes_release(&changes);
 *
 * Parts are as of stats/product_change.h. Intervals are by the jackknife over the runs of both sides, with Student's t for
 * two runs less; of a side with fewer than PROOF_CHANGE_RUNS runs it is not known what differs from run to run. Functions
 * are the same ones by name, in whichever file; those whose length is not known of both sides are left out.
 */
#ifndef STACKS_PROOF_CHANGE_H
#define STACKS_PROOF_CHANGE_H

#include "base/arena.h"
#include "stacks/proof.h"
#include "stats/product_change.h"

enum { PROOF_CHANGE_RUNS = 3 };

/* What one run measured of a function. */
struct measured_run {
    double calls, time; /* a unit; ns */
    uint8_t side;
};

struct proof_change {
    const char *name; /* without the file */
    struct measured_run *runs;
    size_t run_count, run_capacity;
    /* After proof_changes_make: */
    uint32_t sides[2];            /* runs of each */
    double calls[2], length[2];   /* means; a unit, ns */
    struct product_change change; /* ns a unit: first by calls, second by length */
    struct product_change half;   /* of the 95 % intervals; NAN: not known */
};

struct proof_changes {
    bool requests;
    struct proof_change *items; /* after proof_changes_make: the largest change first */
    size_t count, capacity;
    struct arena arena; /* names */
};

void proof_changes_add(struct proof_changes *changes, int side, const struct proof *proof);
void proof_changes_make(struct proof_changes *changes);
void proof_changes_release(struct proof_changes *changes);

#endif
