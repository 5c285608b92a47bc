#include "driver/init/request_search.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"

/* ---- sources and sinks ---- */

bool request_is_other(unsigned marks)
{
    return (marks & FLOW_OTHER) && !(marks & (FLOW_ACCEPTED | FLOW_DATAGRAM));
}

unsigned request_descriptor_marks(const struct search *search, uint32_t call,
                                  const struct library_role *role)
{
    if (role->descriptor >= 0)
        return flow_graph_exact_marks(search->graph,
                                      flow_graph_argument(search->graph, call, role->descriptor));
    return request_call_marks(search, call);
}

/* ---- standard streams ---- */

/* A program that takes neither connections nor datagrams serves who types. The streams are its
 * client, then. */
bool request_is_for_typing(struct flow_graph *graph)
{
    static const char *const streams[] = {"stdin", "stdout", "cin", "cout"};
    const struct flow *flow = graph->flow;
    for (uint32_t call = 0; call < flow->call_count; call++) {
        enum role role = flow_graph_role(graph, call).role;
        if (role == ROLE_ACCEPT || role == ROLE_LISTEN || role == ROLE_SERVE || role == ROLE_EVENTS)
            return false;
    }
    for (uint32_t i = 0; i < flow->node_count; i++)
        for (size_t s = 0; s < sizeof streams / sizeof streams[0]; s++)
            if (flow->nodes[i].kind == FLOW_GLOBAL && strcmp(flow->nodes[i].name, streams[s]) == 0)
                flow_graph_spread(graph, i, FLOW_ACCEPTED);
    return true;
}

/* read(0, ...), write(STDOUT_FILENO, ...) */
static bool is_numbered(const struct search *search, uint32_t call, const char *number,
                        const char *name)
{
    const struct flow_call *own = &search->flow->calls[call];
    return own->constant_first && own->texts &&
           (strcmp(own->texts[0], number) == 0 || strcmp(own->texts[0], name) == 0);
}

bool request_is_typed(const struct search *search, uint32_t call, const struct library_role *role)
{
    if (role->role == ROLE_RECEIVE && is_numbered(search, call, "0", "STDIN_FILENO"))
        return true;
    return (role->role == ROLE_TYPED || role->role == ROLE_RECEIVE) &&
           (role->descriptor < 0 || (request_descriptor_marks(search, call, role) & FLOW_ACCEPTED));
}

static bool is_printed(const struct search *search, uint32_t call, const struct library_role *role)
{
    if (role->role == ROLE_SEND && is_numbered(search, call, "1", "STDOUT_FILENO"))
        return true;
    return role->role == ROLE_PRINT &&
           (role->descriptor < 0 || (request_descriptor_marks(search, call, role) & FLOW_ACCEPTED));
}

/* ---- answers ---- */

static void note_sinks(struct search *search, struct id_list *found)
{
    for (uint32_t call = 0; call < search->flow->call_count; call++) {
        struct library_role role = flow_graph_role(search->graph, call);
        bool printed = search->typed && is_printed(search, call, &role);
        if ((role.role != ROLE_SEND && !printed) || search->flow->calls[call].function == FLOW_NONE)
            continue;
        unsigned marks = printed ? FLOW_ACCEPTED : request_descriptor_marks(search, call, &role);
        if (!(marks & (FLOW_ACCEPTED | FLOW_DATAGRAM)))
            continue;
        search->sends[call] = true;
        search->paths->sink_count++;
        id_list_add(found, search->flow->calls[call].function);
    }
}

/* Where no answer goes to a known client: whatever is sent by functions of sockets. */
static void note_weak_sinks(struct search *search, struct id_list *found)
{
    for (uint32_t call = 0; call < search->flow->call_count; call++) {
        struct library_role role = flow_graph_role(search->graph, call);
        if (role.role != ROLE_SEND || !role.socket || role.descriptor < 0 ||
            search->flow->calls[call].function == FLOW_NONE ||
            request_is_other(request_descriptor_marks(search, call, &role)))
            continue;
        search->sends[call] = true;
        search->paths->sink_count++;
        id_list_add(found, search->flow->calls[call].function);
    }
}

void request_find_answering(struct search *search)
{
    struct id_list todo = {0};
    note_sinks(search, &todo);
    if (!todo.count)
        note_weak_sinks(search, &todo);
    for (uint32_t i = 0; i < todo.count; i++)
        search->answers[todo.items[i]] = true;
    request_spread_up(search, search->answers, &todo);
    memory_free(todo.items);
}

void request_find_receiving(struct search *search)
{
    struct id_list todo = {0};
    for (uint32_t call = 0; call < search->flow->call_count; call++) {
        uint32_t function = search->flow->calls[call].function;
        if (flow_graph_role(search->graph, call).role != ROLE_RECEIVE || function == FLOW_NONE)
            continue;
        search->receives[function] = true;
        id_list_add(&todo, function);
    }
    request_spread_up(search, search->receives, &todo);
    memory_free(todo.items);
}

/* event->callback(event), or a virtual function: some of what it calls receives, other things do
 * not. An event loop does that; what reads by way of a table of transports receives by each. */
bool request_is_for_events(const struct search *search, uint32_t call)
{
    const struct id_list *targets = &search->graph->targets[call];
    bool receives = false, other = false;
    for (uint32_t i = 0; i < targets->count; i++) {
        receives |= search->receives[targets->items[i]];
        other |= !search->receives[targets->items[i]];
    }
    return receives && other;
}

/* recv(fd, byte, 1, MSG_PEEK) asks whether the client is still there. */
bool request_only_looks(const struct search *search, uint32_t call)
{
    const char *const *texts = search->flow->calls[call].texts;
    for (uint32_t i = 0; texts && i < flow_graph_argument_count(search->graph, call); i++)
        if (strstr(texts[i], "MSG_PEEK"))
            return true;
    return false;
}

/* A callback that was registered for a pipe gets that descriptor, whatever else is dispatched in
 * the same way. */
bool request_reads_other(const struct search *search, uint32_t call,
                         const struct library_role *role)
{
    const struct flow_graph *graph = search->graph;
    const struct flow *flow = search->flow;
    uint32_t function = flow->calls[call].function;
    struct flow_list list = flow_graph_argument(graph, call, role->descriptor);
    if (list.count != 1 || flow->nodes[flow->items[list.first] / 2].kind != FLOW_PARAMETER)
        return false;
    unsigned marks = 0;
    for (uint32_t i = 0; i < flow->call_count; i++) {
        bool gives = false;
        unsigned own = 0;
        for (uint32_t j = 0; j < flow_graph_argument_count(graph, i); j++) {
            struct flow_list given = flow_graph_argument(graph, i, (int)j);
            gives |=
                given.count == 1 && flow->items[given.first] / 2 == flow->functions[function].node;
            own |= flow_graph_exact_marks(graph, given);
        }
        marks |= gives ? own : 0;
    }
    return request_is_other(marks);
}

/* ---- where values come from ---- */

static void spread_list(struct flow_graph *graph, struct flow_list list, enum flow_mark mark)
{
    for (uint32_t i = 0; i < list.count; i++)
        flow_graph_spread(graph, graph->flow->items[list.first + i] / 2, mark);
}

/* What a socket is for is told by what is called with it. */
void request_mark_sockets(struct flow_graph *graph)
{
    const struct flow *flow = graph->flow;
    for (uint32_t call = 0; call < flow->call_count; call++)
        if (flow_graph_role(graph, call).role == ROLE_SOCKET)
            flow_graph_spread(graph, flow->calls[call].result, FLOW_LISTENER);
    bool bound = false;
    for (uint32_t call = 0; call < flow->call_count; call++) {
        struct library_role role = flow_graph_role(graph, call);
        if (role.role != ROLE_LISTEN && role.role != ROLE_CONNECT)
            continue;
        const char *name = flow->functions[flow->calls[call].callee].name;
        bound |= strcmp(name, "bind") == 0;
        if (role.role == ROLE_CONNECT)
            spread_list(graph, flow_graph_argument(graph, call, 0), FLOW_OTHER);
    }
    for (uint32_t call = 0; bound && call < flow->call_count; call++) {
        struct library_role role = flow_graph_role(graph, call);
        struct flow_list list = flow_graph_argument(graph, call, role.descriptor);
        const uint32_t callee = flow->calls[call].callee;
        if (role.role == ROLE_RECEIVE && callee != FLOW_NONE &&
            (strcmp(flow->functions[callee].name, "recvfrom") == 0 ||
             strcmp(flow->functions[callee].name, "recvmsg") == 0) &&
            (flow_graph_marks(graph, list) & (FLOW_LISTENER | FLOW_ACCEPTED | FLOW_OTHER)) ==
                FLOW_LISTENER)
            spread_list(graph, list, FLOW_DATAGRAM);
    }
}

/* pipe(ends) gives two descriptors in what it is given. */
static bool is_filled(const struct flow *flow, struct flow_list list)
{
    const char *type = list.count ? flow->nodes[flow->items[list.first] / 2].type : "";
    return str_starts_with(type, "int") && strpbrk(type, "*[");
}

void request_mark_sources(struct flow_graph *graph)
{
    const struct flow *flow = graph->flow;
    for (uint32_t call = 0; call < flow->call_count; call++) {
        struct library_role role = flow_graph_role(graph, call);
        if (role.role == ROLE_ACCEPT)
            flow_graph_spread(graph, flow->calls[call].result, FLOW_ACCEPTED);
        else if (role.role == ROLE_FILE) {
            flow_graph_spread(graph, flow->calls[call].result, FLOW_OTHER);
            for (uint32_t i = 0; i < flow_graph_argument_count(graph, call); i++)
                if (is_filled(flow, flow_graph_argument(graph, call, (int)i)))
                    spread_list(graph, flow_graph_argument(graph, call, (int)i), FLOW_OTHER);
        }
    }
    for (uint32_t i = 0; i < graph->callback_count; i++) {
        const struct flow_function *function = &flow->functions[graph->callbacks[i].function];
        for (uint32_t j = 0;
             graph->callbacks[i].role == ROLE_SERVE && j < function->parameter_count; j++) {
            flow_graph_spread(graph, function->parameters[j], FLOW_ACCEPTED);
            flow_graph_spread(graph, function->parameters[j], FLOW_REQUEST);
        }
    }
}

void request_mark_received(struct search *search)
{
    struct flow_graph *graph = search->graph;
    const struct flow *flow = graph->flow;
    for (uint32_t call = 0; call < flow->call_count; call++) {
        struct library_role role = flow_graph_role(graph, call);
        if (search->typed && request_is_typed(search, call, &role)) {
            for (uint32_t i = 0; i < flow_graph_argument_count(graph, call); i++)
                if ((int)i != role.descriptor)
                    spread_list(graph, flow_graph_argument(graph, call, (int)i), FLOW_REQUEST);
            if (role.data == RESULT_ARGUMENT)
                flow_graph_spread(graph, flow->calls[call].result, FLOW_REQUEST);
            continue;
        }
        if (role.role != ROLE_RECEIVE)
            continue;
        struct flow_list fd = flow_graph_argument(graph, call, role.descriptor);
        unsigned marks = flow_graph_exact_marks(graph, fd);
        if (!(marks & (FLOW_ACCEPTED | FLOW_DATAGRAM)) && (request_is_other(marks) || !role.socket))
            continue;
        spread_list(graph, flow_graph_argument(graph, call, role.data), FLOW_REQUEST);
        if (role.data == RESULT_ARGUMENT)
            flow_graph_spread(graph, flow->calls[call].result, FLOW_REQUEST);
    }
}

void request_note_roots(struct search *search)
{
    const struct flow_graph *graph = search->graph;
    for (uint32_t i = 0; i < graph->callback_count; i++) {
        const struct flow_callback *callback = &graph->callbacks[i];
        if (callback->role == ROLE_THREAD)
            search->threads[callback->function] = true;
        else
            search->called_back[callback->function] = true;
    }
    for (uint32_t call = 0; call < search->flow->call_count; call++)
        if (flow_graph_role(graph, call).role == ROLE_EVENTS)
            request_note_events(search, call, request_serves_many(search, call), 0);
}
