/* difference.h - two variance trees laid over each other: what each node took in A and in B.
 *
 *     A  serve             B  serve               serve         2.0 -> 1.2 ms    -40 %
 *          lock                 lock                lock        1.5 -> 0.6 ms    -45 %
 *          parse                check               parse       0.5 -> 0         -25 %
 *                                                   check       0   -> 0.6 ms    +30 %
 *
 * Nodes are matched from the root on by kind and name (variance/shared_names.h); equal siblings are one. Changes are parts of
 * A's latency: of its mean, and of its variance (share of B less share of A, in A's variance). So
 * those of the leaves add up to that of the root, in both. Every kept node has an interval for
 * itself. Those that hold a good part of either latency are judged, all together at the level that
 * they were given.
 *
 * Where one side times a function that the other has and does not time, its calls are below another
 * node there: no node beside that function can be compared, nor what is below them (`blind`).
 *
 * Kept are the nodes that can be seen in a picture. Owns its nodes; texts are the trees'.
 */
#ifndef VARIANCE_DIFFERENCE_H
#define VARIANCE_DIFFERENCE_H

#include "stats/change.h"
#include "variance/node_blocks.h"
#include "variance/sample.h"
#include "variance/subject.h"

enum difference_way { DIFFERENCE_MEAN, DIFFERENCE_VARIANCE, DIFFERENCE_WAYS };

struct difference_node {
    enum node_kind kind;
    const char *name;
    const char *file; /* "" where unknown */
    uint32_t line;
    uint32_t parent; /* stands before; NODE_NONE: the root */
    uint32_t depth;
    bool blamed;
    bool there[2]; /* the node occurs in A, in B */
    const char
        *blind; /* a function that one side does not time, and why nothing is said; or NULL */
    double part[DIFFERENCE_WAYS][2]; /* of the whole of its side, A and B */
    struct change changes[DIFFERENCE_WAYS];
};

struct difference {
    struct difference_node *nodes;
    uint32_t node_count;
    uint32_t left_out; /* nodes too small to be kept */
    uint32_t judged;   /* changes that are judged together */
};

struct difference_side {
    const struct sample_side *side;
    const struct node_blocks *blocks;
};

/* The latency is A's, its mean and its variance. `rule` is that of all that is judged; its level is
 * shared out here. */
void difference_make(struct difference *difference, const struct difference_side sides[2],
                     const struct timed_functions *timed, const struct shared_names *shared,
                     const struct jackknife_sum latency[DIFFERENCE_WAYS],
                     const struct change_rule *rule);
void difference_release(struct difference *difference);

#endif
