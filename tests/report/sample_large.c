/* A program of 5,000 nodes: every function splits its time unevenly among up to six callees, some
 * of which block, do I/O or queue. Names are as long as those of C++. */
#include <stdio.h>

#include "sample.h"

enum { LARGE_NODES = 5000, NAME_BYTES = 120, MOST_DEPTH = 24, MOST_CALLEES = 6 };

struct stem {
    uint32_t depth;
    uint32_t typical_ns; /* what a leaf takes, more or less */
};

static char names[LARGE_NODES][NAME_BYTES];
static struct stem stems[LARGE_NODES];

static enum node_kind leaf_kind(bool blamed)
{
    static const enum node_kind kinds[] = {NODE_BODY, NODE_BODY, NODE_FUNCTION,
                                           NODE_IO,   NODE_WAIT, NODE_QUEUE};
    return kinds[sample_random_below(blamed ? 3 : 6)];
}

static void name_node(uint32_t index)
{
    static const char *const objects[] = {"session",      "store::page_cache<store::lru, 4096>",
                                          "wal",          "std::vector<std::pair<int, char>>",
                                          "index::btree", "net::connection"};
    static const char *const verbs[] = {"read",  "append", "lookup", "commit",
                                        "flush", "decode", "encode", "push_back"};
    snprintf(names[index], NAME_BYTES, "%s::%s_%u", objects[sample_random_below(6)],
             verbs[sample_random_below(8)], index);
}

/* One callee takes about half, the others ever less. */
static void plant_callee(struct sample *sample, uint32_t parent, uint32_t place)
{
    uint32_t index = sample->tree.node_count, part = stems[parent].typical_ns >> (place + 1);
    const struct tree_node *above = &sample->tree.nodes[parent];
    bool woken = above->kind == NODE_CALL;
    stems[index] = (struct stem){stems[parent].depth + 1, part + sample_random_below(part / 2 + 1)};
    bool leaf = place > 0 && sample_random_below(3) == 0;
    bool blocks = !leaf && sample_random_below(12) == 0;
    name_node(index);
    struct sample_plan plan = {woken    ? NODE_WOKEN_BY
                               : blocks ? NODE_CALL
                               : leaf   ? leaf_kind(above->blamed)
                                        : NODE_FUNCTION,
                               names[index],
                               parent,
                               "src/server/request_pipeline.cc",
                               10 + index,
                               MOST_DEPTH - stems[index].depth,
                               above->blamed || woken};
    sample_plant(sample, &plan, index);
}

static void give_callees(struct sample *sample, uint32_t index)
{
    enum node_kind kind = sample->tree.nodes[index].kind;
    bool grows = kind == NODE_INTERVAL || kind == NODE_FUNCTION || kind == NODE_CALL ||
                 kind == NODE_WOKEN_BY;
    if (!grows || stems[index].depth >= MOST_DEPTH - 1)
        return;
    uint32_t callees = kind == NODE_CALL ? 1 : 2 + sample_random_below(MOST_CALLEES - 1);
    for (uint32_t place = 0; place < callees && sample->tree.node_count < LARGE_NODES; place++)
        plant_callee(sample, index, place);
}

/* Slow intervals are slow in all of it, as under load, so every node has its share. */
static void fill_leaf(struct sample *sample, uint32_t index)
{
    uint32_t typical = stems[index].typical_ns + 1;
    for (uint64_t i = 0; i < sample->tree.intervals.count; i++)
        sample->cells[index][i] =
            typical / 2 + sample_random_below(typical) + (i % 25 == 7 ? typical * (i % 4) : 0);
}

void sample_fill_large(struct sample *sample)
{
    static bool calls[LARGE_NODES];
    stems[0] = (struct stem){0, 40000000};
    for (uint32_t i = 0; i < sample->tree.node_count; i++)
        give_callees(sample, i);
    for (uint32_t i = sample->tree.node_count; i-- > 1;) {
        if (!calls[i])
            fill_leaf(sample, i);
        calls[sample->tree.nodes[i].parent] = true;
    }
}
