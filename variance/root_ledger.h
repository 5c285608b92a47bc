/* root_ledger.h - who does it: every leaf of the tree, added up by whom its time goes back to.
 *
 *     share   own  waits
 *      78 %   32     46    collect_stats      46 in others, which wait for table_lock meanwhile
 *      12 %   12      -    parse
 *       6 %    -      -    wake-up latency
 *                          ...
 *     100 %
 *
 * Who was waited for stands in the place of the call that blocked (variance/leaf_owner.h says who
 * owns a leaf). A line's share is Cov(its time, L)/Var(L) over all intervals; its tail share is
 * that of the tail as in variance_tree.h.
 *
 * Law 10: the sums of all lines are the root's, in integers: the shares add up to 1, and so do the
 * tail's. root_ledger_check() verifies it. A line is the sum of its parts, and of its ways.
 *
 * Lives in the tree's arena; borrows names of the function table. Read-only once built.
 */
#ifndef VARIANCE_ROOT_LEDGER_H
#define VARIANCE_ROOT_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "variance/leaf_owner.h"
#include "variance/variance_tree.h"

struct block_sums;

/* Sums over all intervals of the time of some leaves. */
struct ledger_sums {
    __int128 sum, latency, tail;
    double share, tail_share;
};

/* A part is what the owner did in the intervals themselves, or what they waited for in one place. */
struct ledger_part {
    uint32_t waited;    /* the call, queue or wait of the largest share; 0: in the intervals */
    const char *in;     /* the lock's or the call's name; NULL: in the intervals themselves */
    const char *type;   /* the owner was at work for "another interval (type)"; NULL: for none */
    const char *thread; /* where its thread began, if that is another function; NULL */
    const char *taker;  /* who had the processor that was waited for; NULL */
    struct ledger_sums sums;
};

/* A way is a call below the owner that its time was spent in. */
struct ledger_way {
    const char *name; /* NULL: its own body */
    bool waits;       /* it is no call, but a disk, a timer or the like that was waited for */
    struct ledger_sums sums;
};

struct ledger_line {
    enum owner_kind kind;
    const char *name;
    uint32_t node;     /* where its share is largest */
    uint32_t function; /* or FUNCTION_NONE */
    const char *file;  /* "" where unknown */
    uint32_t line;
    uint32_t leaves;
    struct ledger_sums all, own, waits, unseen; /* all = own + waits */
    double ci95[2];                             /* of all.share */
    double own_ci95[2], waits_ci95[2];
    struct ledger_part *parts; /* the largest share first */
    struct ledger_way *ways;   /* the same */
    uint32_t part_count, way_count;
};

struct root_ledger {
    struct ledger_line *lines; /* the largest share first */
    uint32_t count;
};

void root_ledger_build(struct root_ledger *ledger, struct variance_tree *tree,
                       const struct block_sums *sums, const struct function_table *functions);
/* The result is NULL where the law holds; else it is a text that says what does not add up. */
const char *root_ledger_check(const struct root_ledger *ledger, const struct variance_tree *tree);

#endif
