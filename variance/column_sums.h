/* column_sums.h - what all paths of one function take together in a row, and the sums of that.
 *
 *     row        serve/get/send 40   serve/put/send 0   serve/put/flush 80   flush/flush 30
 *     columns    send 40             flush 80: what is below itself counts where it is highest
 *     added      x, x*x, x*L of a column; or x*x less the squares of its paths; x in the tail
 *
 * Sums of products tell how paths vary together only of siblings (variance/path_sums.h): sites
 * that stand elsewhere in the tree need this. A column is the paths of one kind-class and name that
 * are outermost among those; or all own times of the paths of one name, whoever is above. Of what
 * is not blamed only sum x^2 - sum of squares apart  =  2 * sum of products of two of its paths is
 * asked, which is 0 until a column has a second path: it is added from then on. A blamed column
 * (woken-by) is added from the first, and has all of its sums here. One thread at a time.
 */
#ifndef VARIANCE_COLUMN_SUMS_H
#define VARIANCE_COLUMN_SUMS_H

#include "base/hash_map.h"
#include "variance/node_kind.h"
#include "variance/path_sums.h"

/* A blamed column has these sums; any other one has its products alone. */
enum column_sum { COLUMN_SUM, COLUMN_SQUARE, COLUMN_LATENCY, COLUMN_SUMS, COLUMN_PRODUCTS = 0 };

struct column {
    enum node_kind kind; /* a class of node_kind_of_call, or NODE_BODY: own times */
    uint32_t callee;     /* whose name its paths have */
    uint32_t members, first;
    uint32_t end; /* of its sums in a block; 0: it is not added up */
    uint64_t x;   /* of the open row, as `squares` */
    __int128 squares;
    __int128 tail;
};

/* The place of a path has its columns + 1, or 0. */
struct column_place {
    uint32_t whole, own;
};

/* A group of paths has a bit for each lane that is in a column. */
struct column_mask {
    uint8_t whole, own;
};

struct column_sums {
    struct column *columns;
    uint32_t count, capacity;
    struct hash_map known; /* (kind, name) -> column + 1 */
    uint32_t *column_of;   /* by path: the column of its name, in it or below one that is, + 1 */
    uint32_t path_count, path_capacity;
    struct column_place *at;
    struct column_mask *masks;
    uint8_t *marked; /* by group: one of its masks is set */
    uint32_t group_count;
    uint32_t size;  /* of a block: where the sums of the latest column end */
    uint32_t *open; /* columns of the open row; room for all and one more */
    struct path_block blocks[JACKKNIFE_BLOCKS];
};

void column_sums_release(struct column_sums *c);

/* The next path of `paths`, just met there; the root is met, too. Paths of one `name` have one
 * name. */
void column_sums_meet(struct column_sums *c, const struct path_sums *paths, enum node_kind kind,
                      uint32_t callee, uint32_t name);
/* The open row of `paths`, which is about to be closed, is added up. */
void column_sums_close(struct column_sums *c, const struct path_sums *paths, time_ns latency,
                       bool tail);
static inline uint32_t column_size(const struct column *column)
{
    return column->kind == NODE_WOKEN_BY ? COLUMN_SUMS : 1;
}

/* The sums stand by enum column_sum; NULL: all are 0. */
const __int128 *column_sums_in(const struct column_sums *c, uint32_t block, uint32_t column);

#endif
