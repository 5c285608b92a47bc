/* Sums of random rows over random trees against a plain computation of the same, in each way that
 * this processor has. */
#include <stdio.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "variance/row_sums.h"

/* How a tree and its rows are drawn. */
struct shape {
    const char *name;
    uint32_t nodes;
    uint32_t most_children;
    uint32_t rows;
    uint32_t one_in; /* a row has one leaf in as many */
    uint64_t most_ns;
    uint32_t long_row; /* one row in as many is 1000 times longer; 0: none */
};

struct drawn {
    const struct shape *shape;
    uint64_t random;
    struct sibling *places;
    bool *inner; /* by node */
    uint32_t pair_count;
    uint32_t path_count;
    uint32_t *leaf_of;   /* by path: about two are one leaf */
    uint64_t *inclusive; /* by node, of the row */
    struct moments *moments;
    __int128 *products;
};

static uint64_t draw(struct drawn *d, uint64_t bound)
{
    return hash_mix(d->random++) % bound;
}

/* Breadth first, as tree_shape.h numbers nodes. */
static void draw_tree(struct drawn *d)
{
    uint32_t count = 1;
    d->places[0] = (struct sibling){0};
    for (uint32_t n = 0; count < d->shape->nodes; n++) {
        uint32_t left = d->shape->nodes - count;
        uint32_t children = (uint32_t)draw(d, d->shape->most_children + 1) + (n + 1 == count);
        children = children < left ? children : left;
        children = d->shape->most_children == d->shape->nodes ? left : children;
        d->inner[n] = children;
        for (uint32_t i = 0; i < children; i++) {
            d->places[count++] = (struct sibling){n, d->pair_count};
            d->pair_count += children - 1 - i;
        }
    }
}

static void draw_paths(struct drawn *d)
{
    for (uint32_t n = 0; n < d->shape->nodes; n++)
        for (uint64_t i = d->inner[n] ? 0 : 1 + draw(d, 3); i > 0; i--)
            d->leaf_of[d->path_count++] = n;
}

/* The row's cells; its latency. */
static time_ns draw_row(struct drawn *d, uint32_t row, struct table_cell *cells, size_t *count)
{
    const struct shape *shape = d->shape;
    bool is_long = shape->long_row && row % shape->long_row == 0;
    time_ns latency = 0;
    for (uint32_t path = 0; path < d->path_count; path++)
        if (draw(d, shape->one_in) == 0) {
            time_ns ns = 1 + (time_ns)draw(d, shape->most_ns * (is_long ? 1000 : 1));
            cells[(*count)++] = (struct table_cell){path, ns};
            latency += ns;
        }
    return latency;
}

static void add_plainly(struct drawn *d, const struct table_cell *cells, size_t count,
                        time_ns latency, bool tail)
{
    uint32_t nodes = d->shape->nodes;
    memset(d->inclusive, 0, sizeof *d->inclusive * nodes);
    for (size_t i = 0; i < count; i++)
        d->inclusive[d->leaf_of[cells[i].node]] += (uint64_t)cells[i].own_ns;
    for (uint32_t n = nodes; n-- > 1;)
        d->inclusive[d->places[n].parent] += d->inclusive[n];
    for (uint32_t n = 0; n < nodes; n++) {
        __int128 x = d->inclusive[n];
        d->moments[n].sum += x;
        d->moments[n].square += x * x;
        d->moments[n].latency += x * latency;
        d->moments[n].tail += tail ? x : 0;
        __int128 *product = d->products + d->places[n].pair;
        for (uint32_t m = n + 1; n && m < nodes && d->places[m].parent == d->places[n].parent; m++)
            *product++ += x * d->inclusive[m];
    }
}

static bool run_rows(struct drawn *d, const struct lanes *lanes)
{
    const struct shape *shape = d->shape;
    struct table_cell *cells = memory_alloc(sizeof *cells * d->path_count);
    struct row_sums sums;
    bool same = true;
    row_sums_init(&sums, d->places, shape->nodes, d->pair_count);
    sums.columns.lanes = lanes;
    for (int round = 0; round < 2; round++) {
        memset(d->moments, 0, sizeof *d->moments * shape->nodes);
        memset(d->products, 0, sizeof *d->products * d->pair_count);
        for (uint32_t row = 0; row < shape->rows; row++) {
            size_t count = 0;
            time_ns latency = draw_row(d, row, cells, &count);
            add_plainly(d, cells, count, latency, row % 10 == 3);
            row_sums_add(&sums, cells, count, d->leaf_of, latency, row % 10 == 3);
        }
        row_sums_settle(&sums);
        same &= sums.row_count == shape->rows;
        same &= !memcmp(sums.moments, d->moments, sizeof *d->moments * shape->nodes);
        same &= !memcmp(sums.products, d->products, sizeof *d->products * d->pair_count);
        row_sums_clear(&sums);
    }
    row_sums_release(&sums);
    memory_free(cells);
    return same;
}

static bool check(const struct shape *shape, uint64_t seed)
{
    struct drawn d = {.shape = shape, .random = seed << 32};
    d.places = memory_alloc(sizeof *d.places * shape->nodes);
    d.inner = memory_zeroed(sizeof *d.inner * shape->nodes);
    d.leaf_of = memory_alloc(sizeof *d.leaf_of * shape->nodes * 3);
    d.inclusive = memory_alloc(sizeof *d.inclusive * shape->nodes);
    d.moments = memory_alloc(sizeof *d.moments * shape->nodes);
    draw_tree(&d);
    draw_paths(&d);
    d.products = memory_alloc(sizeof *d.products * d.pair_count);
    bool same = true;
    const struct lanes *lanes;
    for (uint32_t place = 0; (lanes = lanes_at(place)); place++)
        if (!run_rows(&d, lanes)) {
            printf("%s, seed %llu, %s: another sum\n", shape->name, (unsigned long long)seed,
                   lanes->name);
            same = false;
        }
    memory_free(d.places);
    memory_free(d.inner);
    memory_free(d.leaf_of);
    memory_free(d.inclusive);
    memory_free(d.moments);
    memory_free(d.products);
    return same;
}

int main(void)
{
    static const struct shape shapes[] = {
        {"the root alone", 1, 1, 3, 1, 1000, 0},
        {"no row", 20, 5, 0, 1, 1000, 0},
        {"one row", 20, 5, 1, 1, 1000, 0},
        {"63 rows", 60, 9, 63, 4, 100000, 0},
        {"64 rows", 60, 9, 64, 4, 100000, 0},
        {"65 rows", 60, 9, 65, 4, 100000, 0},
        {"130 rows", 200, 9, 130, 10, 100000, 0},
        {"all nodes", 60, 9, 130, 1, 100000, 0},
        {"a chain", 100, 1, 70, 3, 1000, 0},
        {"times up to 2^29", 40, 9, 200, 8, UINT64_C(1) << 29, 0},
        {"times up to 2^32", 40, 9, 200, 8, UINT64_C(1) << 32, 0},
        {"times up to 2^50", 40, 9, 70, 4, UINT64_C(1) << 50, 0},
        {"a few long rows", 40, 9, 700, 8, UINT64_C(1) << 27, 150},
        {"500 siblings, all", 501, 501, 6, 1, 100000, 0},
        {"500 siblings, few", 501, 501, 130, 100, 100000, 0},
        {"500 siblings, two", 501, 501, 65, 400, UINT64_C(1) << 33, 0},
        {"10,000 nodes", 10000, 30, 60, 500, 100000, 0},
        {"50,000 nodes", 50000, 30, 20, 3000, 100000, 0},
    };
    bool same = true;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (uint64_t seed = 1; seed <= (shapes[i].nodes < 300 ? 20 : 2); seed++)
            same = check(&shapes[i], seed) && same;
    return same ? 0 : 1;
}
