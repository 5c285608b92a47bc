#include "variance/row_sums.h"

#include <string.h>

#include "base/memory.h"

/* 64 rows of this latency still fit: what settling costs is spread over as many. */
#define SHORT_NS (INT64_C(1) << 29)

void row_sums_init(struct row_sums *sums, const struct sibling *places, uint32_t node_count,
                   uint32_t pair_count)
{
    *sums = (struct row_sums){.places = places, .node_count = node_count, .pair_count = pair_count};
    sums->inclusive = memory_zeroed(sizeof *sums->inclusive * node_count);
    sums->seen = memory_zeroed(sizeof *sums->seen * (node_count / 64 + 1));
    sums->nodes = memory_alloc(sizeof *sums->nodes * node_count);
    sums->times = memory_alloc(sizeof *sums->times * node_count);
    sums->short_moments = memory_zeroed(sizeof *sums->short_moments * node_count);
    sums->short_products = memory_zeroed(sizeof *sums->short_products * pair_count);
    sums->moments = memory_zeroed(sizeof *sums->moments * node_count);
    sums->products = memory_zeroed(sizeof *sums->products * pair_count);
}

void row_sums_release(struct row_sums *sums)
{
    memory_free(sums->inclusive);
    memory_free(sums->seen);
    memory_free(sums->nodes);
    memory_free(sums->times);
    memory_free(sums->short_moments);
    memory_free(sums->short_products);
    memory_free(sums->moments);
    memory_free(sums->products);
    *sums = (struct row_sums){0};
}

/* The node and its ancestors are part of the row. */
static inline void touch(struct row_sums *sums, uint32_t node)
{
    for (; node != NODE_NONE && !(sums->seen[node / 64] >> node % 64 & 1);
         node = sums->places[node].parent)
        sums->seen[node / 64] |= UINT64_C(1) << node % 64;
}

/* Lists what was touched, and forgets it. */
static void gather(struct row_sums *sums)
{
    uint32_t count = 0;
    for (uint32_t word = 0; word * 64 < sums->node_count; word++) {
        for (uint64_t bits = sums->seen[word]; bits; bits &= bits - 1)
            sums->nodes[count++] = word * 64 + (uint32_t)__builtin_ctzll(bits);
        sums->seen[word] = 0;
    }
    sums->count = count;
}

static void unfold(struct row_sums *sums, const struct table_cell *cells, size_t count,
                   const uint32_t *leaf_of)
{
    touch(sums, 0);
    for (size_t i = 0; i < count; i++) {
        uint32_t leaf = leaf_of[cells[i].node];
        touch(sums, leaf);
        sums->inclusive[leaf] += cells[i].own_ns;
    }
    gather(sums);
    for (uint32_t i = sums->count; i-- > 0;) { /* children before parents */
        uint32_t node = sums->nodes[i];
        time_ns x = sums->inclusive[node];
        sums->times[i] = (uint64_t)x;
        sums->inclusive[node] = 0;
        if (i)
            sums->inclusive[sums->places[node].parent] += x;
    }
}

static void add_short(struct row_sums *sums, uint64_t latency)
{
    for (uint32_t i = 0; i < sums->count; i++) {
        struct short_moments *moments = &sums->short_moments[sums->nodes[i]];
        uint64_t x = sums->times[i];
        moments->sum += x;
        moments->square += x * x;
        moments->latency += x * latency;
    }
}

static void add_wide(struct row_sums *sums, time_ns latency)
{
    for (uint32_t i = 0; i < sums->count; i++) {
        struct moments *moments = &sums->moments[sums->nodes[i]];
        time_ns x = (time_ns)sums->times[i];
        moments->sum += x;
        moments->square += (__int128)x * x;
        moments->latency += (__int128)x * latency;
    }
}

/* Siblings follow each other in the ascending nodes of a row. */
static void add_short_pairs(struct row_sums *sums)
{
    for (uint32_t i = 1; i + 1 < sums->count; i++) {
        uint32_t a = sums->nodes[i], end = sums->places[a].end;
        uint64_t x = sums->times[i], *products = sums->short_products + sums->places[a].pair;
        for (uint32_t j = i + 1; j < sums->count && sums->nodes[j] < end; j++)
            products[sums->nodes[j] - a - 1] += x * sums->times[j];
    }
}

static void add_wide_pairs(struct row_sums *sums)
{
    for (uint32_t i = 1; i + 1 < sums->count; i++) {
        uint32_t a = sums->nodes[i], end = sums->places[a].end;
        uint64_t x = sums->times[i];
        __int128 *products = sums->products + sums->places[a].pair;
        for (uint32_t j = i + 1; j < sums->count && sums->nodes[j] < end; j++)
            products[sums->nodes[j] - a - 1] += (__int128)x * sums->times[j];
    }
}

/* No time of a row is longer than its latency, so no sum of times or products is greater than that
 * of the squared latencies. */
void row_sums_add(struct row_sums *sums, const struct table_cell *cells, size_t count,
                  const uint32_t *leaf_of, time_ns latency, bool tail)
{
    unfold(sums, cells, count, leaf_of);
    sums->row_count++;
    if (latency < SHORT_NS) {
        uint64_t l = (uint64_t)latency;
        if (__builtin_add_overflow(sums->short_square, l * l, &sums->short_square)) {
            row_sums_settle(sums);
            sums->short_square = l * l;
        }
        add_short(sums, l);
        add_short_pairs(sums);
    } else {
        add_wide(sums, latency);
        add_wide_pairs(sums);
    }
    for (uint32_t i = 0; tail && i < sums->count; i++)
        sums->moments[sums->nodes[i]].tail += sums->times[i];
}

void row_sums_settle(struct row_sums *sums)
{
    for (uint32_t n = 0; n < sums->node_count; n++) {
        sums->moments[n].sum += sums->short_moments[n].sum;
        sums->moments[n].square += sums->short_moments[n].square;
        sums->moments[n].latency += sums->short_moments[n].latency;
    }
    for (uint32_t p = 0; p < sums->pair_count; p++)
        sums->products[p] += sums->short_products[p];
    memset(sums->short_moments, 0, sizeof *sums->short_moments * sums->node_count);
    memset(sums->short_products, 0, sizeof *sums->short_products * sums->pair_count);
    sums->short_square = 0;
}

void row_sums_clear(struct row_sums *sums)
{
    sums->row_count = 0;
    memset(sums->moments, 0, sizeof *sums->moments * sums->node_count);
    memset(sums->products, 0, sizeof *sums->products * sums->pair_count);
}
