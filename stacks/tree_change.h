/* tree_change.h - which contexts take more or less time than before, and how sure that is.
 *
 *     A   serve    1.0 ms a request     parse 2.0    compress 5.0
 *     B   serve    1.0                  parse 2.1    compress 40.0    audit 7.0
 *         compress +35.0 (+34.1 .. +35.9)   audit +7.0, new   parse +0.1, not told from noise
 *
 *     struct tree_changes changes;
 *     tree_changes_find(&changes, sides);
 *     tree_changes_release(&changes);
 *
 * Node by node in the two trees laid over each other (tree_match.h), and not path by path, as a shared
 * path with one new leaf would be new as a whole. What is compared is own time a unit: a request, a
 * second, or the run, so that more load is no change.
 *
 * A frame that only one version has takes time that was its caller's before, or the other way round:
 * a function was split, inlined, or no more. Such frames, the largest change first, are one with the
 * context of their function that both versions have (frame_shadow.h), or with the innermost frame above
 * them that both have, if so its change is nearer to 0. Else they are new, or gone.
 *
 * The interval is that of the ratio of sums, of two independent sides, by the block jackknife
 * (stats/jackknife.h): of blocks if both sides have CHANGE_BLOCKS of them, of runs if both have
 * CHANGE_RUNS, and of the two the wider one; but no narrower than the number of samples allows: one
 * sample in each of three runs is no steady time. Those are named that the procedure of Benjamini and
 * Hochberg (1995) names over all nodes: of what it names one in twenty is wrong in the mean, and
 * where nothing has changed it names anything in one of twenty comparisons. Nodes weigh by their part of
 * the time of both sides (Genovese, Roeder, Wasserman: Biometrika 93, 2006). First A is compared with
 * itself, its first half with its second: what differs there by more than A and B do is not named.
 */
#ifndef STACKS_TREE_CHANGE_H
#define STACKS_TREE_CHANGE_H

#include <stdbool.h>

#include "stacks/tree_match.h"

enum { CHANGE_BLOCKS = 20, CHANGE_RUNS = 3 };
#define CHANGE_WRONG 0.05 /* of what is named */
/* What has less of the time of both sides is not asked for, as the more is asked the less is told (chosen). */
#define CHANGE_LEAST 0.0005

struct change_side {
    const struct context_tree *tree;
    const double *own;            /* [node * blocks + block], in ns */
    const double *units;          /* by block: how many requests, seconds or runs it has */
    uint32_t blocks;              /* in order of time */
    const uint32_t *run_of_block; /* 0, 1, ... ascending; NULL: it is one run */
    const double
        *variance; /* as `own`, in ns^2: what the number of samples leaves open; NULL: not known */
};

enum node_presence { NODE_IN_BOTH, NODE_NEW, NODE_GONE };

struct node_change {
    uint32_t node[2];      /* or CONTEXT_NONE */
    double own[2];         /* ns a unit, of all that are one with it */
    double change;         /* B's less A's */
    double error, ci95[2]; /* infinite: not known */
    double p;              /* that it is not more than noise */
    double floor;          /* how much A's halves differ */
    uint32_t joined;       /* frames of one version that are one with it */
    enum node_presence presence;
    bool told;
};

struct tree_changes {
    struct node_change *items; /* those that are told first, then the largest change first */
    uint32_t count, told;
    uint32_t unsteady;      /* how many differ between A's two halves: A is no measure then */
    uint32_t *change_of[2]; /* by node of a side: its item; CONTEXT_NONE: it has no own time */
    bool sure;              /* there are enough blocks or runs to tell anything */
    struct tree_match match;
};

/* Borrows the sides for as long as it works. A side has at least one block, and units in each. */
void tree_changes_find(struct tree_changes *changes, const struct change_side sides[2]);
void tree_changes_release(struct tree_changes *changes);

#endif
