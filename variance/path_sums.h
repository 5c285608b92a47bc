/* path_sums.h - what is added up of rows as they are found, by call path.
 *
 *     row      interval 120, serve 120, parse 40, lock 80          each path with all below it
 *     added    x, x*x, x*L of each path, and x in the tail;
 *              x*y of each path with the one above it and with its siblings that were met before it
 *
 *     struct path_sums sums;
 *     path_sums_init(&sums);
 *     path_sums_meet(&sums, parent, blamed); ...                     paths 0, 1, ..., the root
 * first path_sums_add(&sums, cells, count, latency, tail); ...         a row each
 *     path_sums_settle(&sums);                                       then `blocks` and `rest` are
 * all path_sums_in(&sums, &sums.blocks[b], path)[PATH_SUM] ... path_sums_release(&sums);
 *
 * The own time of a path with others below it is what those leave of it, so its sums follow from
 * these: with x of the path and c, d of those below it
 *     sum (x - sum c)^2     = sum x^2 - 2 sum x*c + sum c^2 + 2 sum c*d
 *     sum (x - sum c) * d   = sum x*d - sum c*d
 * The sums are exact: 64 bits while they can't overflow, else 128. By block, for what hangs below a
 * path that is not blamed; what else there is has one block for all rows. One thread at a time.
 */
#ifndef VARIANCE_PATH_SUMS_H
#define VARIANCE_PATH_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/jackknife.h"
#include "trace/timeline.h"
#include "variance/lanes.h"

/* Of a row, what a path took: with all below it, and without. */
struct path_cell {
    uint32_t path;
    time_ns total_ns, own_ns;
};

/* Where a path's sums stand, from `at` on. */
enum path_sum {
    PATH_SUM,
    PATH_SQUARE,
    PATH_LATENCY,
    PATH_ABOVE,   /* products with the parent */
    PATH_SIBLINGS /* with the siblings of the ranks 0 to rank - 1 */
};

struct path_slot {
    size_t at;
    uint32_t parent; /* of the root: itself */
    uint32_t rank;   /* among the siblings, in the order in which they were met */
    uint32_t among;  /* the family of those */
    uint32_t family; /* of the paths below it, or PATH_NO_FAMILY */
    bool blamed, among_blamed;
};
#define PATH_NO_FAMILY 0u /* what is above the root is no path */

/* A path and those below it, by rank. */
struct path_family {
    uint64_t total;  /* of the path, in the row */
    uint64_t row;    /* the latest that has one below it */
    uint64_t *x;     /* by rank; 0: the row has it not */
    uint32_t *met;   /* ranks that the row has */
    size_t *at;      /* by rank: where products with siblings begin */
    uint32_t *paths; /* by rank */
    uint32_t met_count, count, capacity;
    bool blamed; /* the path is */
};

struct path_block {
    __int128 *sums;
    size_t count;
};

struct path_sums {
    const struct lanes *lanes;
    struct path_slot *paths;
    uint32_t path_count, path_capacity;
    struct path_family *families;
    uint32_t family_count, family_capacity;
    struct path_pool {
        uint64_t *sums; /* of the latest rows, which are not in a block yet */
        size_t count, capacity;
    } pools[2];      /* the second: below what is blamed */
    uint64_t square; /* of the latencies of those rows, added up: no sum is greater */
    uint64_t row;    /* the latest, from 1 */
    uint32_t *met;   /* families that it has; room for all and one more */
    uint32_t block;  /* that rows are added to */
    struct path_block blocks[JACKKNIFE_BLOCKS], rest;
    __int128 *tails; /* by path: x in the rows of the tail */
    size_t tail_capacity;
};

void path_sums_init(struct path_sums *sums);
void path_sums_release(struct path_sums *sums);
/* The next path; the root is its own parent. */
void path_sums_meet(struct path_sums *sums, uint32_t parent, bool blamed);

/* The cells have each path above one of them, and stand in an order in which what is below a path
 * comes before it. */
void path_sums_add(struct path_sums *sums, const struct path_cell *cells, size_t count,
                   time_ns latency, bool tail);
void path_sums_settle(struct path_sums *sums);
/* Rows are another block's from here on. */
void path_sums_begin(struct path_sums *sums, uint32_t block);

/* Whether the sums of a path are one block's, or those of all rows. */
static inline bool path_sums_by_block(const struct path_sums *sums, uint32_t path)
{
    return !sums->paths[path].among_blamed;
}

/* The sums of a path, by enum path_sum, in the block or the rest that it belongs to; NULL: all
 * 0. */
static inline const __int128 *path_sums_in(const struct path_sums *sums,
                                           const struct path_block *block, uint32_t path)
{
    const struct path_slot *slot = &sums->paths[path];
    return slot->at < block->count ? block->sums + slot->at : NULL;
}

#endif
