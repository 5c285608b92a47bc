#include "stacks/stratum.h"

#include "base/memory.h"
#include "stats/apportion.h"

void stratum_add(struct stratum *stratum, uint32_t node, uint64_t weight, double variance)
{
    uint64_t *known = hash_map_put(&stratum->of, node);
    if (!*known) {
        VEC_PUSH(stratum->parts, stratum->count, stratum->capacity) =
            (struct stratum_part){.node = node};
        *known = stratum->count;
    }
    struct stratum_part *part = &stratum->parts[*known - 1];
    part->weight += weight;
    part->variance += variance;
    stratum->weight += weight;
    stratum->variance += variance;
    stratum->seen++;
}

void stratum_share(struct stratum *stratum, time_ns time)
{
    uint64_t *weights = memory_alloc((stratum->count + 1) * sizeof *weights);
    int64_t *parts = memory_alloc((stratum->count + 1) * sizeof *parts);
    for (size_t i = 0; i < stratum->count; i++)
        weights[i] = stratum->parts[i].weight;
    apportion(time, weights, stratum->count, parts);
    for (size_t i = 0; i < stratum->count; i++)
        stratum->parts[i].time = parts[i];
    memory_free(weights);
    memory_free(parts);
}

void stratum_clear(struct stratum *stratum)
{
    hash_map_release(&stratum->of);
    stratum->of = (struct hash_map){0};
    stratum->count = 0;
    stratum->weight = stratum->seen = 0;
    stratum->variance = 0;
}

void stratum_release(struct stratum *stratum)
{
    hash_map_release(&stratum->of);
    memory_free(stratum->parts);
    *stratum = (struct stratum){0};
}

static double variance_of(const struct stratum *stratum, time_ns time,
                          const struct stratum_below *of)
{
    double scale = (double)time / (double)stratum->weight;
    double p = (double)of->weight / (double)stratum->weight;
    double few = 1 / (2 * (double)stratum->seen + 2);
    double variance = (1 - 2 * p) * of->variance + p * p * stratum->variance;
    double least = few * (1 - few) * stratum->variance;
    return scale * scale * (variance > least ? variance : least);
}

double stratum_variance(const struct stratum *stratum, time_ns time,
                        const struct stratum_part *part)
{
    struct stratum_below of = {part->weight, part->variance};
    return stratum->weight && time > 0 ? variance_of(stratum, time, &of) : 0;
}

void stratum_spread(const struct stratum *stratum, time_ns time, const struct context_tree *tree,
                    uint32_t least_depth, struct stratum_below *below, double *variance)
{
    if (!stratum->weight || time <= 0)
        return;
    for (size_t i = 0; i < stratum->count; i++)
        for (uint32_t n = stratum->parts[i].node; tree->nodes[n].depth >= least_depth;
             n = tree->nodes[n].parent) {
            below[n].weight += stratum->parts[i].weight;
            below[n].variance += stratum->parts[i].variance;
        }
    for (size_t i = 0; i < stratum->count; i++)
        for (uint32_t n = stratum->parts[i].node;
             tree->nodes[n].depth >= least_depth && below[n].weight; n = tree->nodes[n].parent) {
            variance[n] += variance_of(stratum, time, &below[n]);
            below[n] = (struct stratum_below){0};
        }
}
