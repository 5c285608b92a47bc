/* site_sums.h - what all sites of one function take together in an interval, of all threads' parts.
 *
 *     uint32_t id = site_sums_find(&sums, NODE_FUNCTION, "send");    INTERN_NONE: has one site
 *     site_sums_at(&sums, id, b)[COLUMN_PRODUCTS]                    in block b
 *
 * The columns of variance/column_sums.h, by kind-class and name. Sums of integers: the same bits
 * whoever added which rows. Owns its arrays.
 */
#ifndef VARIANCE_SITE_SUMS_H
#define VARIANCE_SITE_SUMS_H

#include "base/hash_map.h"
#include "variance/column_sums.h"

struct callee_table;
struct interval_table;
struct str;

struct site_sums {
    struct intern names; /* "2 send" */
    struct site_slot {
        size_t at;
        uint32_t size; /* in each block */
    } * slots;         /* by name */
    __int128 *sums;    /* [at + block * size + enum column_sum] */
    size_t size;
    __int128 *tails; /* by name */
};

void site_sums_init(struct site_sums *sums, const struct interval_table *table,
                    const struct callee_table *callees);
void site_sums_release(struct site_sums *sums);

/* A body is found by the name of its node. */
uint32_t site_sums_find(const struct site_sums *sums, enum node_kind kind, const char *name);

/* A key can be looked for as site_sums_key() writes it, too. */
uint32_t site_sums_find_key(const struct site_sums *sums, const char *key);
void site_sums_key(enum node_kind kind, const char *name, struct str *key);

static inline const __int128 *site_sums_at(const struct site_sums *sums, uint32_t id,
                                           uint32_t block)
{
    return sums->sums + sums->slots[id].at + (size_t)block * sums->slots[id].size;
}

#endif
