#include <string.h>

#include "base/memory.h"
#include "driver/init/request_search.h"

/* ---- others that are as likely ---- */

/* Where the tree has several, what none is seen to get to is of any. */
static bool are_of_two_programs(const struct search *search, const struct request_path *a,
                                const struct request_path *b)
{
    return search->program_count > 1 &&
           !(search->programs[a->around] & search->programs[b->around]);
}

/* Another one is as likely where it weighs nearly as much; and, whatever it weighs, where it is
 * another loop, other lines of the same function, or of another program of the tree. */
static bool is_rival(struct search *search, const struct request_path *first,
                     const struct request_path *other)
{
    enum { NEARLY = 6 };
    if (other->part || !other->certain || !(other->source <= SOURCE_CALLBACK || other->task))
        return false;
    if (other->function == first->function)
        return first->shape == REQUEST_TURN && other->shape == REQUEST_TURN &&
               (other->begin.line >= first->end.line || other->end.line <= first->begin.line);
    if (other->weight > first->weight - NEARLY || are_of_two_programs(search, first, other))
        return true;
    return first->loop != FLOW_NONE && other->loop != FLOW_NONE &&
           !request_reaches(search, first->function, other->function);
}

static bool is_part_of_turn(struct search *search, const struct request_path *first,
                            const struct request_path *other)
{
    return other->source <= SOURCE_CALLBACK && other->shape == REQUEST_TURN &&
           other->loop != FLOW_NONE && other->function != first->function &&
           request_reaches_near(search, other->function, first->function);
}

/* A socket that is received from elsewhere, and nothing tells whose it is. */
static bool has_stranger(struct search *search, const struct request_path *first)
{
    for (uint32_t call = 0; call < search->flow->call_count; call++) {
        struct library_role role = flow_graph_role(search->graph, call);
        uint32_t within = search->flow->calls[call].function;
        if (role.role == ROLE_RECEIVE && role.socket && within != FLOW_NONE &&
            !request_only_looks(search, call) && !request_descriptor_marks(search, call, &role) &&
            !request_reaches(search, first->function, within))
            return true;
    }
    return false;
}

/* ---- what is only passed on ---- */

/* A member, or a variable of the function that receives: other variables serve calls of their own. */
static bool is_buffer(const struct flow_node *node, uint32_t function)
{
    if (node->kind != FLOW_MEMBER && !(node->kind == FLOW_LOCAL && node->function == function))
        return false;
    return strstr(node->type, "char[") || strstr(node->type, "char [") ||
           strstr(node->type, "uint8_t[") || strstr(node->type, "uint8_t [");
}

/* The arrays that the argument may point into, by way of what it is a copy of: buffer + used. */
static void find_buffers(const struct search *search, uint32_t call, int argument,
                         uint32_t function, struct id_list *found)
{
    enum { MOST_NODES = 400 };
    const struct flow *flow = search->flow;
    struct flow_list list = flow_graph_argument(search->graph, call, argument);
    struct id_list todo = {0};
    for (uint32_t i = 0; i < list.count; i++)
        if ((flow->items[list.first + i] & 1) ||
            is_buffer(&flow->nodes[flow->items[list.first + i] / 2], function))
            id_list_add(&todo, flow->items[list.first + i] / 2);
    for (uint32_t at = 0; at < todo.count && at < MOST_NODES; at++) {
        const struct id_list *in = &search->graph->in[todo.items[at]];
        bool buffer = is_buffer(&flow->nodes[todo.items[at]], function);
        if (buffer)
            id_list_add(found, todo.items[at]);
        for (uint32_t i = 0; i < in->count && !buffer; i++) {
            const struct flow_edge *edge = &flow->edges[in->items[i]];
            if ((edge->copy || is_buffer(&flow->nodes[edge->from], function)) && !edge->through &&
                !id_list_has(&todo, edge->from))
                id_list_add(&todo, edge->from);
        }
    }
    memory_free(todo.items);
}

/* recv(from, buffer, ...); send(to, buffer, ...): what connects to others passes that on. */
static bool is_passed_on(const struct search *search, uint32_t source)
{
    const struct flow *flow = search->flow;
    struct library_role receives = flow_graph_role(search->graph, source);
    struct id_list filled = {0};
    bool connects = false, passed = false;
    uint32_t function = flow->calls[source].function;
    find_buffers(search, source, receives.data, function, &filled);
    for (uint32_t call = 0; call < flow->call_count && filled.count; call++) {
        struct library_role role = flow_graph_role(search->graph, call);
        connects |= role.role == ROLE_CONNECT;
        struct id_list sent = {0};
        if (role.role == ROLE_SEND && role.data >= 0 && !passed)
            find_buffers(search, call, role.data, function, &sent);
        for (uint32_t i = 0; i < sent.count && !passed; i++)
            passed = id_list_has(&filled, sent.items[i]);
        memory_free(sent.items);
    }
    memory_free(filled.items);
    return connects && passed;
}

static const char *doubt_of(struct search *search, const struct request_path *first)
{
    const struct request_paths *paths = search->paths;
    if (!first->certain && first->task)
        return "nobody is seen to wait for its end";
    if (first->apart)
        return "what answers is in another branch than what receives";
    if (first->events)
        return "it calls whatever is registered for an event, and some of that receives nothing";
    if (!first->certain && first->source == SOURCE_ACCEPT)
        return "it takes a connection, and how many requests come over one is not known";
    if (!first->certain)
        return "that what is received comes from a client, and the answer goes to it, is not seen "
               "in the source";
    for (uint32_t i = 1; i < paths->count; i++) {
        if (is_part_of_turn(search, first, &paths->items[i]))
            return "it is a part of another one, which is one turn of a loop";
        if (is_rival(search, first, &paths->items[i]))
            return "another one is as likely";
    }
    if (has_stranger(search, first))
        return "it is received from another socket as well, and whose that is is not known";
    if (first->source == SOURCE_RECEIVE && is_passed_on(search, first->source_call))
        return "what is received is passed on as it is, and the program connects to others: the "
               "answer may come from them";
    return NULL;
}

void request_judge(struct search *search)
{
    struct request_paths *paths = search->paths;
    if (!paths->count)
        return;
    paths->doubt = doubt_of(search, &paths->items[0]);
    paths->sure = !paths->doubt;
}
