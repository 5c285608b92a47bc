/* path_sums.h - what is added up of rows as they are found, by call path.
 *
 *     row      interval 120, serve 120, parse 40, lock 80          each path with all below it
 *     added    x, x*x, x*L of each path, and x in the tail;
 *              x*y of each path with the one above it, and with each of its siblings
 *
 *     struct path_sums sums;
 *     path_sums_init(&sums);
 *     path_sums_meet(&sums, parent, blamed); ...            paths 0, 1, ..., the root first
 *     path_sums_take(&sums, shares, count); ...             to the open row
 *     path_sums_close(&sums, latency, tail);                or path_sums_drop: it is not added
 *     path_sums_finish(&sums);                              no more rows: all is in the blocks
 *     path_sums_in(&sums, &sums.blocks[b], path)[PATH_SUM] ...
 *     path_sums_release(&sums);
 *
 * Siblings stand side by side in groups of eight (variance/lanes.h), which a row that has one of
 * them adds as a whole. Who has taken time must have been taken up by all that are above, too.
 *
 * The own time of a path with others below it is what those leave of it, so its sums follow from
 * these: with x of the path and c, d of those below it
 *     sum (x - sum c)^2     = sum x^2 - 2 sum x*c + sum c^2 + 2 sum c*d
 *     sum (x - sum c) * d   = sum x*d - sum c*d
 * The sums are exact: 64 bits while they can't overflow, else 128. By block, for what hangs below a
 * path that is not blamed; what else there is has one block for all rows, and of each block only what
 * is as many numbers as paths: its times and their products with the latency. One thread at a time.
 */
#ifndef VARIANCE_PATH_SUMS_H
#define VARIANCE_PATH_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/jackknife.h"
#include "trace/timeline.h"
#include "variance/lanes.h"

/* The sums of a path stand so in a block, from `at` on. */
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
    uint32_t place;  /* group * LANES + lane */
    uint32_t rank;   /* among the siblings, in the order in which they were met */
    uint32_t among;  /* the family of those */
    uint32_t family; /* of the paths below it, or PATH_NO_FAMILY */
    uint32_t line;   /* where the sums of a path that has none by block stand among path_lines */
    bool blamed;
};
#define PATH_NO_FAMILY 0u /* what is above the root is no path */

/* A family is the paths below one. */
struct path_family {
    uint32_t above; /* the place of that one */
    uint32_t count;
    uint32_t *groups; /* of the ranks 0 to 7, 8 to 15, ... */
    uint32_t group_count, group_capacity;
    bool blamed; /* the one above is */
};

struct path_group {
    size_t at;       /* of its sums: LANES_ROWS rows, and LANES for each group before it */
    uint32_t family; /* that it is of */
    uint32_t number; /* in that */
    uint32_t above;  /* as the family's */
};

/* Time and calls of a path in the open row. */
struct path_share {
    uint32_t place, calls;
    time_ns ns;
};

struct path_block {
    __int128 *sums;
    size_t count;
};

/* A line has the sums that those of several paths add up to. */
struct path_line {
    __int128 sum, latency;
};

struct path_lines {
    struct path_line *items;
    size_t count;
};

/* The numbers stand in lines of memory. */
struct path_numbers {
    uint64_t *items;
    size_t count, capacity;
};

struct path_sums {
    const struct lanes *lanes;
    struct path_slot *paths;
    uint32_t path_count, path_capacity;
    struct path_family *families;
    uint32_t family_count, family_capacity;
    struct path_group *groups;
    uint32_t group_count, group_capacity;
    uint32_t *path_at;            /* by place */
    struct path_numbers x, calls; /* by place: of the open row; of all rows */
    struct path_numbers open;     /* sums of the latest rows, which are not in a block yet */
    uint64_t square;              /* of the latencies of those, added up: no sum is greater */
    uint32_t row;                 /* that is open, from 1 */
    uint32_t *row_of;             /* by group: the latest that has one of its paths */
    uint32_t *met, met_count;     /* groups that the row has; room for all and one more */
    struct lanes_group *adding;   /* the same, while they are added up */
    uint32_t block;               /* that rows are added to */
    struct path_block blocks[JACKKNIFE_BLOCKS], rest;
    size_t block_size, rest_size;              /* what is at `at` of all paths */
    struct path_lines lines[JACKKNIFE_BLOCKS]; /* of the paths in `rest`, by block */
    uint32_t line_count;
    __int128 *tails; /* by path: x in the rows of the tail */
};

void path_sums_init(struct path_sums *sums);
void path_sums_release(struct path_sums *sums);
/* The next path; the root is its own parent. */
void path_sums_meet(struct path_sums *sums, uint32_t parent, bool blamed);

/* Some paths have more time in the open row, which may be less than nothing for a while. */
void path_sums_take(struct path_sums *sums, const struct path_share *shares, uint32_t count);
/* The result is what a path has of the open row that none below it has. */
time_ns path_sums_own(const struct path_sums *sums, uint32_t path);
/* The row's times are added up, or forgotten. */
void path_sums_close(struct path_sums *sums, time_ns latency, bool tail);
void path_sums_drop(struct path_sums *sums);
/* Rows are another block's from here on. */
void path_sums_begin(struct path_sums *sums, uint32_t block);
void path_sums_finish(struct path_sums *sums);

/* The place is that of the path of a rank. */
static inline uint32_t path_family_place(const struct path_family *family, uint32_t rank)
{
    return family->groups[rank / LANES] * LANES + rank % LANES;
}

static inline uint32_t path_sums_sibling(const struct path_sums *sums, uint32_t path, uint32_t rank)
{
    const struct path_family *family = &sums->families[sums->paths[path].among];
    return sums->path_at[path_family_place(family, rank)];
}

/* The result is true if the sums of a path are one block's, false if they are those of all rows. */
static inline bool path_sums_by_block(const struct path_sums *sums, uint32_t path)
{
    return !sums->families[sums->paths[path].among].blamed;
}

/* The sums of a path, by enum path_sum, in the block or the rest that it belongs to; NULL: all
 * 0. */
static inline const __int128 *path_sums_in(const struct path_sums *sums,
                                           const struct path_block *block, uint32_t path)
{
    const struct path_slot *slot = &sums->paths[path];
    return slot->at < block->count ? block->sums + slot->at : NULL;
}

/* What a path takes in the intervals of a block, whether the block has all of its sums or not. */
struct path_line path_sums_line(const struct path_sums *sums, uint32_t block, uint32_t path);

#endif
