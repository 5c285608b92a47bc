/* root_difference.h - who does it, in A and in B: the lines of two root ledgers, side by side.
 *
 *     collect_stats       0.9 -> 1.6 ms      +28 % of A's mean latency
 *     parse               0.4 -> 0.4 ms        0 %
 *     wake-up latency     0.1 -> 0.1 ms        0 %
 *
 * Lines are those of variance/root_ledger.h, matched by kind and name; changes are as in
 * variance/difference.h, of the time that goes back to each and of its covariance with the latency.
 * Those of all lines add up to the latency's, in both. A function that is a helper on one side
 * (variance/helper_set.h) is one on both, so that what it takes is its caller's here and there.
 *
 * Where one side times a function that the other has and does not time, its time goes back to
 * another function there: `blind` names it, and no function's line is compared.
 */
#ifndef VARIANCE_ROOT_DIFFERENCE_H
#define VARIANCE_ROOT_DIFFERENCE_H

#include "variance/difference.h"
#include "variance/leaf_owner.h"

struct root_change {
    enum owner_kind kind;
    const char *name;
    const char *file; /* "" where unknown */
    uint32_t line;
    bool there[2];
    double part[DIFFERENCE_WAYS][2]; /* of its side's latency and variance */
    struct change changes[DIFFERENCE_WAYS];
};

struct root_difference {
    struct root_change *lines; /* the greatest change of the variance first */
    uint32_t count;
    uint32_t judged; /* changes that are judged together */
    const char *blind;
};

/* The arguments are as of difference_make(). */
void root_difference_make(struct root_difference *difference, const struct difference_side sides[2],
                          const struct timed_functions *timed,
                          const struct jackknife_sum latency[DIFFERENCE_WAYS],
                          const struct change_rule *rule);
void root_difference_release(struct root_difference *difference);
/* The line whose change goes with the latency's most, up (sign 1) or down (-1), told from 0; NULL:
 * none is. */
const struct root_change *root_difference_first(const struct root_difference *difference,
                                                enum difference_way way, int sign);

#endif
