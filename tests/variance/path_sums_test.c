/* Sums of random rows over random trees against a plain computation of the same, in each way that
 * this processor has. */
#include <stdio.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "variance/path_sums.h"

/* How a tree and its rows are drawn. */
struct shape {
    const char *name;
    uint32_t paths;
    uint32_t most_children;
    uint32_t rows;
    uint32_t one_in; /* a row has one path in as many, and all that are above */
    uint64_t most_ns;
    uint32_t long_row;     /* one row in as many is 1000 times longer; 0: none */
    uint32_t one_blamed;   /* one path in as many is, and all that are below; 0: none */
    bool met_while_adding; /* paths come with the rows */
};

enum { BLOCKS = 3 };

struct drawn {
    const struct shape *shape;
    uint64_t random;
    uint32_t *parents;
    bool *blamed;
    uint64_t *total; /* by path, of the row */
    bool *has;       /* by path: the row has it */
    struct path_share *shares;
    /* What is expected, by block and path: with the latency, and with each path. */
    struct moments {
        __int128 sum, square, latency, tail;
    } * moments;
    __int128 *products;
};

static uint64_t draw(struct drawn *d, uint64_t bound)
{
    return hash_mix(d->random++) % bound;
}

static void draw_tree(struct drawn *d)
{
    uint32_t parent = 0, left = 0;
    for (uint32_t p = 1; p < d->shape->paths; p++) {
        while (!left) {
            left = (uint32_t)draw(d, d->shape->most_children + 1);
            parent = p == 1 ? 0 : (uint32_t)draw(d, p);
            left = d->shape->most_children == d->shape->paths ? d->shape->paths : left;
        }
        left--;
        d->parents[p] = parent;
        d->blamed[p] =
            d->blamed[parent] || (d->shape->one_blamed && draw(d, d->shape->one_blamed) == 0);
    }
}

/* A path's time in two shares, the second of which takes some of the first back. */
static void share(struct drawn *d, const struct path_sums *sums, uint32_t path, uint32_t *count)
{
    time_ns total = (time_ns)d->total[path], more = (time_ns)draw(d, 1000);
    uint32_t place = sums->paths[path].place;
    d->shares[(*count)++] = (struct path_share){place, 1, total + more};
    d->shares[(*count)++] = (struct path_share){place, 2, -more};
}

/* The row's shares; its latency. */
static uint64_t draw_row(struct drawn *d, const struct path_sums *sums, uint32_t row,
                         uint32_t *count)
{
    const struct shape *shape = d->shape;
    uint32_t paths = sums->path_count;
    bool is_long = shape->long_row && row % shape->long_row == 0;
    memset(d->total, 0, sizeof *d->total * shape->paths);
    memset(d->has, 0, sizeof *d->has * shape->paths);
    for (uint32_t p = 0; p < paths; p++)
        if (draw(d, shape->one_in) == 0) {
            d->total[p] = draw(d, shape->most_ns * (is_long ? 1000 : 1)) + 1;
            d->has[p] = true;
        }
    for (uint32_t p = paths; p-- > 1;)
        if (d->has[p]) {
            d->has[d->parents[p]] = true;
            d->total[d->parents[p]] += d->total[p];
        }
    for (uint32_t p = paths; p-- > 0;)
        if (d->has[p])
            share(d, sums, p, count);
    return d->total[0] + 7;
}

static void add_plainly(struct drawn *d, uint32_t block, uint64_t latency, bool tail)
{
    uint32_t paths = d->shape->paths;
    for (uint32_t p = 0; p < paths; p++) {
        __int128 x = d->total[p];
        bool by_block = !d->blamed[d->parents[p]];
        struct moments *m = &d->moments[(by_block ? block : BLOCKS) * (size_t)paths + p];
        __int128 *products =
            &d->products[((by_block ? block : BLOCKS) * (size_t)paths + p) * paths];
        m->sum += x;
        m->square += x * x;
        m->latency += x * latency;
        d->moments[p].tail += tail ? x : 0;
        for (uint32_t q = 0; q < p && x; q++)
            products[q] += x * d->total[q];
    }
}

static bool same_path(const struct drawn *d, const struct path_sums *sums, uint32_t block,
                      uint32_t p)
{
    static const __int128 none[PATH_SIBLINGS];
    const struct path_slot *slot = &sums->paths[p];
    size_t at = block * (size_t)d->shape->paths + p;
    const struct moments *m = &d->moments[at];
    const __int128 *products = &d->products[at * d->shape->paths];
    const __int128 *found =
        path_sums_in(sums, block == BLOCKS ? &sums->rest : &sums->blocks[block], p);
    if (path_sums_by_block(sums, p) == (block == BLOCKS))
        return true;
    const __int128 *first = found ? found : none;
    bool same = first[PATH_SUM] == m->sum && first[PATH_SQUARE] == m->square &&
                first[PATH_LATENCY] == m->latency;
    same &= !p || first[PATH_ABOVE] == products[slot->parent];
    for (uint32_t rank = 0; rank < slot->rank; rank++) {
        uint32_t sibling = path_sums_sibling(sums, p, rank);
        same &= (found ? found[PATH_SIBLINGS + rank] : 0) == products[sibling];
    }
    return same && sums->tails[p] == d->moments[p].tail;
}

static bool run_rows(struct drawn *d, const struct lanes *lanes)
{
    const struct shape *shape = d->shape;
    size_t paths = shape->paths;
    struct path_sums sums;
    bool same = true;
    memset(d->moments, 0, sizeof *d->moments * paths * (BLOCKS + 1));
    memset(d->products, 0, sizeof *d->products * paths * paths * (BLOCKS + 1));
    path_sums_init(&sums);
    sums.lanes = lanes;
    for (uint32_t row = 0; row < shape->rows; row++) {
        uint32_t count = 0;
        uint32_t block = (uint32_t)((uint64_t)row * BLOCKS / shape->rows);
        uint32_t known =
            shape->met_while_adding ? 1 + row * shape->paths / shape->rows : shape->paths;
        while (sums.path_count < known)
            path_sums_meet(&sums, d->parents[sums.path_count], d->blamed[sums.path_count]);
        if (sums.block != block)
            path_sums_begin(&sums, block);
        uint64_t latency = draw_row(d, &sums, row, &count);
        path_sums_take(&sums, d->shares, count);
        if (row % 16 == 5) {
            path_sums_drop(&sums);
            continue;
        }
        add_plainly(d, block, latency, row % 10 == 3);
        path_sums_close(&sums, (time_ns)latency, row % 10 == 3);
    }
    path_sums_finish(&sums);
    for (uint32_t block = 0; block <= BLOCKS; block++)
        for (uint32_t p = 0; p < sums.path_count; p++)
            same &= same_path(d, &sums, block, p);
    path_sums_release(&sums);
    return same;
}

static bool check(const struct shape *shape, uint64_t seed)
{
    struct drawn d = {.shape = shape, .random = seed << 32};
    size_t paths = shape->paths;
    d.parents = memory_zeroed(sizeof *d.parents * paths);
    d.blamed = memory_zeroed(sizeof *d.blamed * paths);
    d.total = memory_alloc(sizeof *d.total * paths);
    d.has = memory_alloc(sizeof *d.has * paths);
    d.shares = memory_alloc(sizeof *d.shares * paths * 2);
    d.moments = memory_alloc(sizeof *d.moments * paths * (BLOCKS + 1));
    d.products = memory_alloc(sizeof *d.products * paths * paths * (BLOCKS + 1));
    draw_tree(&d);
    bool same = true;
    const struct lanes *lanes;
    for (uint32_t place = 0; (lanes = lanes_at(place)); place++)
        if (!run_rows(&d, lanes)) {
            printf("%s, seed %llu, %s: another sum\n", shape->name, (unsigned long long)seed,
                   lanes->name);
            same = false;
        }
    memory_free(d.parents);
    memory_free(d.blamed);
    memory_free(d.total);
    memory_free(d.has);
    memory_free(d.shares);
    memory_free(d.moments);
    memory_free(d.products);
    return same;
}

int main(void)
{
    static const struct shape shapes[] = {
        {"the root alone", 1, 1, 3, 1, 1000, 0, 0, false},
        {"one row", 20, 5, 1, 1, 1000, 0, 0, false},
        {"a few rows", 60, 9, 63, 4, 100000, 0, 0, false},
        {"many rows", 200, 9, 130, 10, 100000, 0, 0, false},
        {"all paths", 60, 9, 130, 1, 100000, 0, 0, false},
        {"some blamed", 60, 9, 130, 3, 100000, 0, 10, false},
        {"met while adding", 100, 9, 130, 3, 100000, 40, 10, true},
        {"a chain", 100, 1, 70, 3, 1000, 0, 0, false},
        {"times up to 2^29", 40, 9, 200, 8, UINT64_C(1) << 29, 0, 0, false},
        {"times up to 2^32", 40, 9, 200, 8, UINT64_C(1) << 32, 0, 10, false},
        {"times up to 2^50", 40, 9, 70, 4, UINT64_C(1) << 50, 0, 0, false},
        {"a few long rows", 40, 9, 700, 8, UINT64_C(1) << 27, 150, 10, false},
        {"8 siblings", 9, 9, 200, 2, 100000, 0, 0, false},
        {"9 siblings", 10, 10, 200, 2, 100000, 0, 0, true},
        {"17 siblings", 18, 18, 200, 3, 100000, 0, 0, false},
        {"500 siblings, all", 501, 501, 6, 1, 100000, 0, 0, false},
        {"500 siblings, few", 501, 501, 60, 100, 100000, 0, 0, false},
        {"500 siblings, two", 501, 501, 30, 400, UINT64_C(1) << 33, 20, 0, true},
    };
    bool same = true;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (uint64_t seed = 1; seed <= (shapes[i].paths < 300 ? 20 : 2); seed++)
            same = check(&shapes[i], seed) && same;
    return same ? 0 : 1;
}
