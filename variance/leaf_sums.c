#include "variance/leaf_sums.h"

#include "base/memory.h"

static void add(struct leaf_sums *sums, uint32_t node, uint32_t block, struct path_line line,
                int by)
{
    struct path_line *to = &sums->lines[(size_t)node * JACKKNIFE_BLOCKS + block];
    to->sum += by * line.sum;
    to->latency += by * line.latency;
}

/* A path's own time is what those below it leave of it. */
static void add_path(struct leaf_sums *sums, const struct tree_shape *shape,
                     const struct table_part *part, uint32_t path, uint32_t block)
{
    struct path_line line = path_sums_line(&part->sums, block, path);
    uint32_t at = part->node_of[path];
    add(sums, shape->node_of[at], block, line, 1);
    if (shape->own_of[at] != shape->node_of[at])
        add(sums, shape->own_of[at], block, line, 1);
    if (!path)
        return;
    uint32_t above = part->node_of[part->sums.paths[path].parent];
    if (shape->own_of[above] != shape->node_of[above])
        add(sums, shape->own_of[above], block, line, -1);
}

void leaf_sums_init(struct leaf_sums *sums, const struct variance_tree *tree,
                    const struct tree_shape *shape, const struct interval_table *table)
{
    sums->lines = memory_zeroed(sizeof *sums->lines * tree->node_count * JACKKNIFE_BLOCKS);
    for (uint32_t i = 0; i < table->part_count; i++)
        for (uint32_t p = 0; p < table->parts[i].sums.path_count; p++)
            for (uint32_t b = 0; b < JACKKNIFE_BLOCKS; b++)
                add_path(sums, shape, &table->parts[i], p, b);
}

void leaf_sums_release(struct leaf_sums *sums)
{
    memory_free(sums->lines);
    *sums = (struct leaf_sums){0};
}
