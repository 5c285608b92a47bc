#include "variance/family_sums.h"

/* Columns that are multiplied by one, a call each. */
enum { TOGETHER = 16 };

static void multiply(const struct row_columns *columns, uint32_t node,
                     const struct lanes_product *products, uint32_t count)
{
    const uint64_t *x = row_columns_at(columns, node);
    uint32_t steps = row_columns_steps(columns);
    if (columns->wide)
        lanes_multiply_wide(x, products, count, steps);
    else
        columns->lanes->multiply(x, products, count, steps);
}

/* Of `node` and a later sibling. */
static inline __int128 *pair_of(const struct row_columns *columns, __int128 *products,
                                uint32_t node, uint32_t later)
{
    return &products[columns->places[node].pair + (later - node - 1)];
}

/* Of a node that few rows have. */
static void add_cells(const struct row_columns *columns, struct moments *moments, uint32_t node)
{
    const uint64_t *at = row_columns_at(columns, node);
    uint64_t sum = 0, square = 0, latency = 0;
    for (uint64_t rows = columns->masks[node]; rows; rows &= rows - 1) {
        int row = __builtin_ctzll(rows);
        uint64_t x = at[row];
        sum += x;
        square += x * x;
        latency += x * columns->latencies[row];
    }
    moments[node].sum += sum;
    moments[node].square += square;
    moments[node].latency += latency;
}

/* Multiplies the column of the i-th of the siblings with `list`, of which `count` are there, and if
 * `pairs` with those before it. */
static void add_products(const struct row_columns *columns, __int128 *products, uint32_t i,
                         bool pairs, struct lanes_product list[TOGETHER], uint32_t count)
{
    uint32_t node = columns->nodes[i];
    uint64_t mask = columns->masks[node];
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

/* The moments of the i-th of the siblings, and its pairs with those before it if `pairs`. */
static void add_node(const struct row_columns *columns, struct moments *moments, __int128 *products,
                     uint32_t i, bool pairs)
{
    uint32_t node = columns->nodes[i];
    struct lanes_product list[TOGETHER];
    if (!columns->wide && row_columns_few(columns->masks[node])) {
        add_cells(columns, moments, node);
        if (pairs)
            add_products(columns, products, i, pairs, list, 0);
        return;
    }
    list[0] = (struct lanes_product){columns->ones, &moments[node].sum};
    list[1] = (struct lanes_product){row_columns_at(columns, node), &moments[node].square};
    list[2] = (struct lanes_product){columns->latencies, &moments[node].latency};
    add_products(columns, products, i, pairs, list, 3);
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
    uint64_t bit = UINT64_C(1) << row;
    uint32_t count = 0;
    for (uint32_t i = 0; i < columns->count; i++) {
        uint32_t node = columns->nodes[i];
        columns->met[count].node = node;
        count += (columns->masks[node] & bit) != 0;
    }
    for (uint32_t i = 0; i < count; i++)
        columns->met[i].ns = row_columns_at(columns, columns->met[i].node)[row];
    return count;
}

static void add_row_pairs(const struct row_columns *columns, __int128 *products, uint32_t row)
{
    const struct row_sibling *met = columns->met;
    uint32_t count = find_met(columns, row);
    for (uint32_t i = 1; i < count; i++) {
        uint64_t x = met[i].ns;
        __int128 *next = products + columns->places[met[i].node].pair;
        for (uint32_t j = 0; j < i; j++)
            next[met[j].node - met[i].node - 1] += (__int128)x * met[j].ns;
    }
}

/* The rows that have two of the siblings or more. */
static uint64_t rows_of_pairs(const struct row_columns *columns)
{
    uint64_t once = 0, twice = 0;
    for (uint32_t i = 0; i < columns->count; i++) {
        uint64_t mask = columns->masks[columns->nodes[i]];
        twice |= once & mask;
        once |= mask;
    }
    return twice;
}

/* In about fours of cycles. A pair of columns takes one, and one more for each four steps; a
 * sibling looked for in a row a quarter, one met there 5, and a pair of those a half. */
static bool by_column(const struct row_columns *columns, uint64_t rows_of_pairs)
{
    uint64_t size = columns->count, cells = 0;
    uint64_t rows = (uint64_t)__builtin_popcountll(rows_of_pairs);
    for (uint32_t i = 0; i < columns->count; i++)
        cells += (uint64_t)__builtin_popcountll(columns->masks[columns->nodes[i]]);
    uint64_t of_columns = size * size / 2 * (4 + row_columns_steps(columns)) / 4;
    return of_columns < rows * size / 4 + 5 * cells + cells * cells / rows / 4;
}

void family_sums_add(const struct row_columns *columns, struct moments *moments, __int128 *products)
{
    uint64_t rows = rows_of_pairs(columns);
    bool pairs = rows && by_column(columns, rows);
    for (uint32_t i = 0; i < columns->count; i++) {
        add_node(columns, moments, products, i, pairs);
        add_tail(columns, moments, columns->nodes[i]);
    }
    for (; rows && !pairs; rows &= rows - 1)
        add_row_pairs(columns, products, (uint32_t)__builtin_ctzll(rows));
}
