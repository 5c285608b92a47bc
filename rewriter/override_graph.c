#include "rewriter/override_graph.h"

#include "base/memory.h"

struct override_link {
    uint32_t overrider; /* member */
    uint32_t next;      /* index + 1 */
};

void override_graph_init(struct override_graph *graph, const struct fact_function *functions,
                         uint32_t count)
{
    *graph = (struct override_graph){0};
    size_t bytes = (count + 1) * sizeof(uint32_t);
    graph->member = memory_alloc(bytes);
    graph->first = memory_zeroed(bytes);
    graph->next = memory_zeroed(bytes);
    graph->overriders = memory_zeroed(bytes);
    graph->seen = memory_zeroed(bytes);
    for (uint32_t i = count; i-- > 0;) {
        uint32_t member = graph->member[i] = intern_add(&graph->usrs, functions[i].usr);
        graph->next[i] = graph->first[member];
        graph->first[member] = i + 1;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < functions[i].override_count; k++) {
            uint32_t *head = &graph->overriders[graph->member[functions[i].overrides[k]]];
            struct override_link link = {graph->member[i], *head};
            VEC_PUSH(graph->links, graph->link_count, graph->link_capacity) = link;
            *head = (uint32_t)graph->link_count;
        }
}

static void visit_member(struct override_graph *graph, uint32_t member)
{
    if (graph->seen[member] == graph->question)
        return;
    graph->seen[member] = graph->question;
    for (uint32_t f = graph->first[member]; f; f = graph->next[f - 1])
        VEC_PUSH(graph->reached, graph->reached_count, graph->reached_capacity) = f - 1;
}

uint32_t override_graph_reach(struct override_graph *graph, uint32_t function)
{
    graph->question++;
    graph->reached_count = 0;
    visit_member(graph, graph->member[function]);
    for (size_t i = 0; i < graph->reached_count; i++) {
        uint32_t link = graph->overriders[graph->member[graph->reached[i]]];
        for (; link; link = graph->links[link - 1].next)
            visit_member(graph, graph->links[link - 1].overrider);
    }
    return (uint32_t)graph->reached_count;
}

void override_graph_release(struct override_graph *graph)
{
    intern_release(&graph->usrs);
    memory_free(graph->member);
    memory_free(graph->first);
    memory_free(graph->next);
    memory_free(graph->overriders);
    memory_free(graph->links);
    memory_free(graph->seen);
    memory_free(graph->reached);
}
