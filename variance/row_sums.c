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

/* From the last node to the first, so that all below a node was seen before it, and siblings follow
 * each other. The bits of the word at hand are in `bits`: through memory they would come late. */
static void unfold_word(struct row_sums *sums, uint32_t word)
{
    uint64_t bits = sums->seen[word];
    uint32_t found = sums->count;
    for (; bits; found++) {
        uint32_t bit = 63 - (uint32_t)__builtin_clzll(bits), node = word * 64 + bit;
        uint32_t parent = sums->places[node].parent;
        uint64_t parent_bit = (uint64_t)(node != 0) << parent % 64;
        time_ns ns = sums->inclusive[node];
        bits ^= UINT64_C(1) << bit;
        bits |= parent / 64 == word ? parent_bit : 0;
        sums->seen[parent / 64] |= parent_bit;
        sums->inclusive[parent] += ns;
        sums->inclusive[node] = 0;
        sums->nodes[found] = node;
        sums->times[found] = (uint64_t)ns;
    }
    sums->seen[word] = 0;
    sums->count = found;
}

static void unfold(struct row_sums *sums, const struct table_cell *cells, size_t count,
                   const uint32_t *leaf_of)
{
    sums->count = 0;
    sums->seen[0] |= 1;
    for (size_t i = 0; i < count; i++) {
        uint32_t leaf = leaf_of[cells[i].node];
        sums->inclusive[leaf] += cells[i].own_ns;
        sums->seen[leaf / 64] |= UINT64_C(1) << leaf % 64;
    }
    for (uint32_t word = sums->node_count / 64 + 1; word-- > 0;)
        unfold_word(sums, word);
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

/* The first of the siblings that stand before node i of the row, `first` being that of node i - 1.
 */
static inline uint32_t first_sibling(const struct row_sums *sums, uint32_t i, uint32_t first)
{
    bool same = sums->places[sums->nodes[i]].parent == sums->places[sums->nodes[first]].parent;
    return same ? first : i;
}

static void add_short_pairs(struct row_sums *sums)
{
    for (uint32_t i = 0, first = 0; i + 1 < sums->count; i++) {
        uint32_t node = sums->nodes[i];
        uint64_t x = sums->times[i], *products = sums->short_products + sums->places[node].pair;
        first = first_sibling(sums, i, first);
        for (uint32_t j = first; j < i; j++)
            products[sums->nodes[j] - node - 1] += x * sums->times[j];
    }
}

static void add_wide_pairs(struct row_sums *sums)
{
    for (uint32_t i = 0, first = 0; i + 1 < sums->count; i++) {
        uint32_t node = sums->nodes[i];
        __int128 x = sums->times[i], *products = sums->products + sums->places[node].pair;
        first = first_sibling(sums, i, first);
        for (uint32_t j = first; j < i; j++)
            products[sums->nodes[j] - node - 1] += x * sums->times[j];
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
