#include "variance/row_columns.h"

#include <string.h>

#include "base/memory.h"

/* Of a tree of many nodes each row has but a few: shorter columns stay in a near cache, 2 MiB, or
 * take 64 bytes a node. */
enum { MOST_ROWS = LANES * LANES_MOST_STEPS, MOST_TIMES = 1 << 18 };

static uint32_t find_height(uint32_t node_count)
{
    uint32_t height = MOST_TIMES / node_count / LANES * LANES;
    return height < LANES ? LANES : height > MOST_ROWS ? MOST_ROWS : height;
}

static void make_columns(struct row_columns *columns)
{
    size_t bytes = sizeof *columns->times * columns->height;
    columns->ones = memory_zeroed_lines(bytes);
    columns->latencies = memory_zeroed_lines(bytes);
    columns->times = memory_zeroed_lines(bytes * columns->node_count);
    for (uint32_t r = 0; r < columns->height; r++)
        columns->ones[r] = 1;
}

void row_columns_init(struct row_columns *columns, const struct sibling *places,
                      uint32_t node_count)
{
    *columns = (struct row_columns){.places = places,
                                    .lanes = lanes_at(0),
                                    .node_count = node_count,
                                    .height = find_height(node_count)};
    make_columns(columns);
    columns->masks = memory_zeroed(sizeof *columns->masks * node_count);
    columns->seen = memory_zeroed(sizeof *columns->seen * (node_count / 64 + 1));
    columns->nodes = memory_alloc(sizeof *columns->nodes * node_count);
    columns->met = memory_alloc(sizeof *columns->met * ((size_t)node_count + 1));
}

void row_columns_release(struct row_columns *columns)
{
    memory_free(columns->ones);
    memory_free(columns->latencies);
    memory_free(columns->times);
    memory_free(columns->masks);
    memory_free(columns->seen);
    memory_free(columns->nodes);
    memory_free(columns->met);
}

bool row_columns_close(struct row_columns *columns, uint64_t latency, bool tail)
{
    uint64_t square;
    columns->wide |= __builtin_mul_overflow(latency, latency, &square) ||
                     __builtin_add_overflow(columns->square, square, &columns->square);
    columns->latencies[columns->row_count] = latency;
    columns->tail |= (uint64_t)tail << columns->row_count;
    columns->seen[0] |= 1; /* also where no row has a cell */
    columns->word = columns->node_count / 64 + 1;
    return ++columns->row_count < columns->height;
}

static bool is_sibling(const struct row_columns *columns, uint32_t node)
{
    const struct sibling *places = columns->places;
    return node && places[node].parent == places[columns->nodes[0]].parent;
}

/* From the last node to the first, so that all below a node is folded before it comes, and siblings
 * follow each other. */
bool row_columns_next(struct row_columns *columns)
{
    for (columns->count = 0; columns->word > 0; columns->word--) {
        uint64_t *seen = &columns->seen[columns->word - 1];
        while (*seen) {
            uint32_t bit = 63 - (uint32_t)__builtin_clzll(*seen);
            uint32_t node = (columns->word - 1) * 64 + bit;
            if (columns->count && !is_sibling(columns, node))
                return true;
            columns->nodes[columns->count++] = node;
            *seen ^= UINT64_C(1) << bit;
        }
    }
    return columns->count;
}

/* Only the root's column is left. */
static void clear(struct row_columns *columns)
{
    memset(columns->times, 0, sizeof *columns->times * columns->height);
    memset(columns->latencies, 0, sizeof *columns->latencies * columns->height);
    columns->masks[0] = columns->tail = columns->square = 0;
    columns->wide = false;
    columns->row_count = 0;
}

static void fold_node(struct row_columns *columns, uint32_t node, uint32_t parent, uint32_t steps)
{
    uint64_t *from = row_columns_at(columns, node), *to = row_columns_at(columns, parent);
    uint64_t mask = columns->masks[node];
    columns->masks[parent] |= mask;
    columns->masks[node] = 0;
    if (!row_columns_few(mask)) {
        columns->lanes->move(to, from, steps);
        return;
    }
    for (; mask; mask &= mask - 1) {
        int row = __builtin_ctzll(mask);
        to[row] += from[row];
        from[row] = 0;
    }
}

void row_columns_fold(struct row_columns *columns)
{
    uint32_t parent = columns->places[columns->nodes[0]].parent;
    uint32_t steps = row_columns_steps(columns);
    if (columns->nodes[0] == 0) {
        clear(columns);
        return;
    }
    for (uint32_t i = 0; i < columns->count; i++)
        fold_node(columns, columns->nodes[i], parent, steps);
    columns->seen[parent / 64] |= UINT64_C(1) << parent % 64;
    if (columns->word < parent / 64 + 1)
        columns->word = parent / 64 + 1;
}
