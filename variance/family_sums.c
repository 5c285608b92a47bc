#include "variance/family_sums.h"

/* Columns that are multiplied by one, a call each. */
enum { TOGETHER = 16, OF_NODE = 3 };

static void multiply(const struct row_columns *columns, uint32_t node,
                     const struct lanes_product *products, uint32_t count)
{
    const uint64_t *x = row_columns_at(columns, node);
    uint32_t steps = row_columns_steps(columns);
    if (columns->wide)
        lanes_multiply_wide(x, products, count, steps);
    else
        lanes_multiply(x, products, count, steps);
}

/* Of `node` and a later sibling. */
static inline __int128 *pair_of(const struct row_columns *columns, __int128 *products,
                                uint32_t node, uint32_t later)
{
    return &products[columns->places[node].pair + (later - node - 1)];
}

static void add_cells(const struct row_columns *columns, struct moments *moments, uint32_t node)
{
    for (uint64_t rows = columns->masks[node]; rows; rows &= rows - 1) {
        int row = __builtin_ctzll(rows);
        __int128 x = row_columns_at(columns, node)[row];
        moments[node].sum += x;
        moments[node].square += x * x;
        moments[node].latency += x * columns->latencies[row];
    }
}

/* The i-th of the siblings: its moments, and the pairs with those before it if `pairs`. */
static void add_column(const struct row_columns *columns, struct moments *moments,
                       __int128 *products, uint32_t i, bool pairs)
{
    uint32_t node = columns->nodes[i], count = OF_NODE;
    uint64_t mask = columns->masks[node];
    struct lanes_product list[TOGETHER] = {{columns->ones, &moments[node].sum},
                                           {row_columns_at(columns, node), &moments[node].square},
                                           {columns->latencies, &moments[node].latency}};
    if (row_columns_few(mask)) {
        add_cells(columns, moments, node);
        count = 0;
    }
    for (uint32_t j = 0; pairs && j < i; j++) {
        uint32_t later = columns->nodes[j];
        list[count].column = row_columns_at(columns, later);
        list[count].total = pair_of(columns, products, node, later);
        count += (mask & columns->masks[later]) != 0;
        if (count == TOGETHER) {
            multiply(columns, node, list, count);
            count = 0;
        }
    }
    if (count)
        multiply(columns, node, list, count);
}

static void add_tail(const struct row_columns *columns, struct moments *moments, uint32_t node)
{
    const uint64_t *x = row_columns_at(columns, node);
    for (uint64_t rows = columns->tail; rows; rows &= rows - 1)
        moments[node].tail += x[__builtin_ctzll(rows)];
}

/* Lists those siblings that the row has. */
static uint32_t find_met(const struct row_columns *columns, uint32_t row)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < columns->count; i++) {
        columns->met[count] = columns->nodes[i];
        count += columns->masks[columns->nodes[i]] >> row & 1;
    }
    return count;
}

static void add_row_pairs(const struct row_columns *columns, __int128 *products, uint32_t row)
{
    const uint32_t *met = columns->met;
    uint32_t count = find_met(columns, row);
    for (uint32_t i = 1; i < count; i++) {
        __int128 x = row_columns_at(columns, met[i])[row];
        for (uint32_t j = 0; j < i; j++)
            *pair_of(columns, products, met[i], met[j]) += x * row_columns_at(columns, met[j])[row];
    }
}

struct density {
    uint64_t rows;  /* that have two of the siblings or more */
    uint64_t cells; /* of all rows */
};

static struct density find_density(const struct row_columns *columns)
{
    struct density density = {0};
    uint64_t once = 0;
    for (uint32_t i = 0; i < columns->count; i++) {
        uint64_t mask = columns->masks[columns->nodes[i]];
        density.rows |= once & mask;
        once |= mask;
        density.cells += (uint64_t)__builtin_popcountll(mask);
    }
    return density;
}

/* In about fours of cycles. A pair of columns takes one, and one more for each four steps; a
 * sibling looked for in a row a quarter, one met there 5, and a pair of those a half. */
static bool by_column(const struct row_columns *columns, const struct density *density)
{
    uint64_t size = columns->count, cells = density->cells;
    uint64_t rows = (uint64_t)__builtin_popcountll(density->rows);
    uint64_t of_columns = size * size / 2 * (4 + row_columns_steps(columns)) / 4;
    return of_columns < rows * size / 4 + 5 * cells + cells * cells / rows / 4;
}

void family_sums_add(const struct row_columns *columns, struct moments *moments, __int128 *products)
{
    struct density density = find_density(columns);
    bool pairs = density.rows && by_column(columns, &density);
    for (uint32_t i = 0; i < columns->count; i++) {
        add_column(columns, moments, products, i, pairs);
        add_tail(columns, moments, columns->nodes[i]);
    }
    for (uint64_t rows = pairs ? 0 : density.rows; rows; rows &= rows - 1)
        add_row_pairs(columns, products, (uint32_t)__builtin_ctzll(rows));
}
