#include "rewriter/flow.h"

#include "base/memory.h"

uint32_t flow_add_node(struct flow *flow, const char *key, enum flow_kind kind)
{
    uint32_t id = intern_add(&flow->keys, key);
    if (id == flow->node_count)
        VEC_PUSH(flow->nodes, flow->node_count, flow->node_capacity) = (struct flow_node){
            .kind = kind, .function = FLOW_NONE, .name = "", .type = "", .record = ""};
    return id;
}

uint32_t flow_add_function(struct flow *flow, const char *key)
{
    uint32_t node = flow_add_node(flow, key, FLOW_FUNCTION);
    uint64_t *known = hash_map_put(&flow->function_of, node);
    if (*known)
        return (uint32_t)*known - 1;
    *known = flow->function_count + 1;
    char *result = arena_printf(&flow->arena, "%s returns", key);
    struct flow_function fresh = {
        .name = "", .file = "", .node = node, .result = flow_add_node(flow, result, FLOW_RETURN)};
    flow->nodes[node].function = flow->nodes[fresh.result].function = flow->function_count;
    VEC_PUSH(flow->functions, flow->function_count, flow->function_capacity) = fresh;
    return flow->function_count - 1;
}

void flow_add_edge(struct flow *flow, const struct flow_edge *edge)
{
    if (edge->from != edge->to)
        VEC_PUSH(flow->edges, flow->edge_count, flow->edge_capacity) = *edge;
}

void flow_release(struct flow *flow)
{
    for (uint32_t i = 0; i < flow->block_count; i++)
        memory_free(flow->blocks[i].steps);
    memory_free(flow->nodes);
    memory_free(flow->functions);
    memory_free(flow->edges);
    memory_free(flow->calls);
    memory_free(flow->loops);
    memory_free(flow->leaves);
    memory_free(flow->blocks);
    memory_free(flow->arms);
    memory_free(flow->items);
    hash_map_release(&flow->function_of);
    intern_release(&flow->keys);
    arena_release(&flow->arena);
    *flow = (struct flow){0};
}
