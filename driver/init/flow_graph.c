#include "driver/init/flow_graph.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"

/* A pointer that may hold more functions than this is not followed any further. */
enum { MOST_VALUES = 400 };

void id_list_add(struct id_list *list, uint32_t id)
{
    VEC_PUSH(list->items, list->count, list->capacity) = id;
}

bool id_list_has(const struct id_list *list, uint32_t id)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] == id)
            return true;
    return false;
}

/* ---- calls ---- */

struct library_role flow_graph_role(const struct flow_graph *graph, uint32_t call)
{
    uint32_t callee = graph->flow->calls[call].callee;
    if (callee == FLOW_NONE || graph->flow->functions[callee].body)
        return (struct library_role){ROLE_NONE, NO_ARGUMENT, NO_ARGUMENT, false};
    return graph->roles[callee];
}

uint32_t flow_graph_argument_count(const struct flow_graph *graph, uint32_t call)
{
    return graph->flow->calls[call].arguments.count;
}

struct flow_list flow_graph_argument(const struct flow_graph *graph, uint32_t call, int argument)
{
    const struct flow *flow = graph->flow;
    const struct flow_list *list = &flow->calls[call].arguments;
    if (argument < 0 || (uint32_t)argument >= list->count)
        return (struct flow_list){0, 0};
    const uint32_t *pair = &flow->items[list->first + 2 * (uint32_t)argument];
    return (struct flow_list){pair[0], pair[1]};
}

unsigned flow_graph_marks(const struct flow_graph *graph, struct flow_list list)
{
    unsigned marks = 0;
    for (uint32_t i = 0; i < list.count; i++)
        marks |= graph->marks[graph->flow->items[list.first + i] / 2];
    return marks;
}

unsigned flow_graph_exact_marks(const struct flow_graph *graph, struct flow_list list)
{
    unsigned marks = 0;
    for (uint32_t i = 0; i < list.count; i++) {
        uint32_t item = graph->flow->items[list.first + i];
        marks |= item & 1 ? graph->marks[item / 2] : 0;
    }
    return marks;
}

/* ---- edges ---- */

static void connect(struct flow_graph *graph, uint32_t from, uint32_t to, uint32_t call, bool copy)
{
    struct flow *flow = graph->flow;
    for (uint32_t i = 0; i < graph->out[from].count; i++)
        if (flow->edges[graph->out[from].items[i]].to == to)
            return;
    if (from == to)
        return;
    const struct flow_call *around = &flow->calls[call];
    flow_add_edge(flow, &(struct flow_edge){from, to, around->line, around->function, copy, false});
    id_list_add(&graph->out[from], flow->edge_count - 1);
    id_list_add(&graph->in[to], flow->edge_count - 1);
}

static void connect_list(struct flow_graph *graph, struct flow_list list, uint32_t to,
                         uint32_t call, bool copy)
{
    for (uint32_t i = 0; i < list.count; i++) {
        uint32_t item = graph->flow->items[list.first + i];
        connect(graph, item / 2, to, call, copy && (item & 1));
    }
}

static void connect_lists(struct flow_graph *graph, struct flow_list from, struct flow_list to,
                          uint32_t call, bool copy)
{
    for (uint32_t i = 0; i < to.count; i++) {
        uint32_t item = graph->flow->items[to.first + i];
        connect_list(graph, from, item / 2, call, copy && (item & 1));
        graph->stored[item / 2] = true;
    }
}

/* What is called gets its arguments, and fills in what it is given the address of. */
static void enter_function(struct flow_graph *graph, uint32_t call, uint32_t target)
{
    struct flow *flow = graph->flow;
    const struct flow_function *function = &flow->functions[target];
    uint32_t given = flow_graph_argument_count(graph, call);
    uint32_t shift = function->method && given < function->parameter_count ? 1 : 0;
    for (uint32_t i = 0; i < given && i + shift < function->parameter_count; i++) {
        uint32_t parameter = function->parameters[i + shift];
        struct flow_list list = flow_graph_argument(graph, call, (int)i);
        connect_list(graph, list, parameter, call, true);
        for (uint32_t j = 0; graph->stored[parameter] && j < list.count; j++) {
            connect(graph, parameter, flow->items[list.first + j] / 2, call, true);
            graph->stored[flow->items[list.first + j] / 2] = true;
        }
    }
    connect(graph, function->result, flow->calls[call].result, call, true);
}

/* What is called back gets whatever of the other arguments fits its parameters. */
static bool fits(const struct flow_node *value, const struct flow_node *parameter)
{
    size_t length = strlen(value->type);
    if (strcmp(value->type, parameter->type) == 0)
        return true;
    if (*value->type && str_starts_with(parameter->type, value->type) &&
        strcmp(parameter->type + length, " *") == 0)
        return true; /* its address */
    return strcmp(parameter->type, "void *") == 0 &&
           (strchr(value->type, '*') || strchr(value->type, '['));
}

static void enter_callback(struct flow_graph *graph, uint32_t call, uint32_t target, enum role role)
{
    struct flow *flow = graph->flow;
    const struct flow_function *function = &flow->functions[target];
    for (uint32_t i = 0; i < flow_graph_argument_count(graph, call); i++) {
        struct flow_list list = flow_graph_argument(graph, call, (int)i);
        for (uint32_t j = 0; j < list.count; j++)
            for (uint32_t k = 0; k < function->parameter_count; k++) {
                uint32_t node = flow->items[list.first + j] / 2;
                if (fits(&flow->nodes[node], &flow->nodes[function->parameters[k]]) ||
                    (role == ROLE_THREAD && flow->nodes[node].scalar &&
                     strcmp(flow->nodes[function->parameters[k]].type, "void *") == 0))
                    connect(graph, node, function->parameters[k], call, true);
            }
    }
}

static void note_callback(struct flow_graph *graph, uint32_t call, uint32_t target, enum role role)
{
    for (uint32_t i = 0; i < graph->callback_count; i++)
        if (graph->callbacks[i].call == call && graph->callbacks[i].function == target)
            return;
    VEC_PUSH(graph->callbacks, graph->callback_count, graph->callback_capacity) =
        (struct flow_callback){call, target, role};
}

static void note_callbacks(struct flow_graph *graph, uint32_t call, enum role role)
{
    struct flow *flow = graph->flow;
    for (uint32_t i = 0; i < flow_graph_argument_count(graph, call); i++) {
        struct flow_list list = flow_graph_argument(graph, call, (int)i);
        for (uint32_t j = 0; j < list.count; j++) {
            const struct id_list *values = &graph->values[flow->items[list.first + j] / 2];
            for (uint32_t k = 0; k < values->count; k++)
                if (flow->functions[values->items[k]].body) {
                    note_callback(graph, call, values->items[k], role);
                    enter_callback(graph, call, values->items[k], role);
                }
        }
    }
}

static void note_filled(struct flow_graph *graph, struct flow_list list)
{
    for (uint32_t i = 0; i < list.count; i++)
        graph->stored[graph->flow->items[list.first + i] / 2] = true;
}

/* What a library makes of its arguments: something of all of them. A container holds what it is
 * given, and gives it back. */
static void pass_library(struct flow_graph *graph, uint32_t call)
{
    struct flow *flow = graph->flow;
    const struct flow_function *callee = &flow->functions[flow->calls[call].callee];
    struct library_role role = flow_graph_role(graph, call);
    bool cplusplus = strstr(callee->name, "::") != NULL;
    uint32_t count = flow_graph_argument_count(graph, call);
    for (uint32_t i = 0; i < count && role.role == ROLE_FILE; i++)
        note_filled(graph, flow_graph_argument(graph, call, (int)i));
    if (role.role == ROLE_RECEIVE)
        note_filled(graph, flow_graph_argument(graph, call, role.data));
    if (role.role == ROLE_RECEIVE || role.role == ROLE_SEND || role.role == ROLE_ACCEPT)
        return;
    struct flow_list first = flow_graph_argument(graph, call, 0);
    for (uint32_t i = 0; i < count; i++) {
        struct flow_list list = flow_graph_argument(graph, call, (int)i);
        connect_list(graph, list, flow->calls[call].result, call, cplusplus);
        if (i > 0 && (role.role == ROLE_COPY || callee->method))
            connect_lists(graph, list, first, call, cplusplus);
        if (i > 0 && callee->method && strstr(callee->name, "pop"))
            connect_lists(graph, first, list, call, true);
    }
    if (strcmp(callee->name, "epoll_ctl") == 0)
        connect_lists(graph, flow_graph_argument(graph, call, 2),
                      flow_graph_argument(graph, call, 3), call, false);
}

/* ---- function pointers ---- */

static bool add_value(struct flow_graph *graph, uint32_t node, uint32_t function)
{
    struct id_list *values = &graph->values[node];
    if (values->count >= MOST_VALUES || id_list_has(values, function))
        return false;
    id_list_add(values, function);
    return true;
}

static void spread_function(struct flow_graph *graph, uint32_t function)
{
    struct flow *flow = graph->flow;
    struct id_list todo = {0};
    id_list_add(&todo, flow->functions[function].node);
    add_value(graph, flow->functions[function].node, function);
    while (todo.count) {
        uint32_t node = todo.items[--todo.count];
        for (uint32_t i = 0; i < graph->out[node].count; i++) {
            const struct flow_edge *edge = &flow->edges[graph->out[node].items[i]];
            if (edge->copy && add_value(graph, edge->to, function))
                id_list_add(&todo, edge->to);
        }
    }
    memory_free(todo.items);
}

static void add_target(struct flow_graph *graph, uint32_t call, uint32_t function)
{
    if (!graph->flow->functions[function].body || id_list_has(&graph->targets[call], function))
        return;
    id_list_add(&graph->targets[call], function);
    id_list_add(&graph->callers[function], call);
}

static void add_targets(struct flow_graph *graph, uint32_t call, const struct id_list *values)
{
    for (uint32_t i = 0; i < values->count; i++)
        add_target(graph, call, values->items[i]);
}

static void find_targets(struct flow_graph *graph, uint32_t number)
{
    struct flow *flow = graph->flow;
    const struct flow_call *call = &flow->calls[number];
    struct flow_list pointer = call->pointer;
    if (call->callee != FLOW_NONE) {
        add_target(graph, number, call->callee);
        if (flow->functions[call->callee].method)
            add_targets(graph, number, &graph->values[flow->functions[call->callee].node]);
        if (!flow->functions[call->callee].body &&
            str_ends_with(flow->functions[call->callee].name, "operator()"))
            pointer = flow_graph_argument(graph, number, 0);
    }
    for (uint32_t i = 0; i < pointer.count; i++)
        if (flow->items[pointer.first + i] & 1)
            add_targets(graph, number, &graph->values[flow->items[pointer.first + i] / 2]);
}

/* threads.emplace_back(work) */
static bool makes_threads(const struct flow_graph *graph, uint32_t call)
{
    const struct flow *flow = graph->flow;
    struct flow_list object = flow_graph_argument(graph, call, 0);
    if (!flow->functions[flow->calls[call].callee].method)
        return false;
    for (uint32_t i = 0; i < object.count; i++) {
        const char *type = flow->nodes[flow->items[object.first + i] / 2].type;
        if (strstr(type, "std::thread") || strstr(type, "std::jthread"))
            return true;
    }
    return false;
}

static void pass_call(struct flow_graph *graph, uint32_t call)
{
    struct id_list *targets = &graph->targets[call];
    for (uint32_t i = 0; i < targets->count; i++)
        enter_function(graph, call, targets->items[i]);
    uint32_t callee = graph->flow->calls[call].callee;
    if (callee == FLOW_NONE || graph->flow->functions[callee].body)
        return;
    pass_library(graph, call);
    note_callbacks(graph, call,
                   makes_threads(graph, call) ? ROLE_THREAD : flow_graph_role(graph, call).role);
}

/* ---- the whole ---- */

static void note_stored(struct flow_graph *graph)
{
    const struct flow *flow = graph->flow;
    for (uint32_t i = 0; i < flow->edge_count; i++)
        if ((flow->edges[i].through || !flow->edges[i].copy) &&
            flow->nodes[flow->edges[i].to].kind == FLOW_PARAMETER)
            graph->stored[flow->edges[i].to] = true;
}

void flow_graph_build(struct flow_graph *graph, struct flow *flow)
{
    enum { TURNS = 4 };
    *graph = (struct flow_graph){.flow = flow};
    size_t nodes = flow->node_count + 1, functions = flow->function_count + 1;
    graph->roles = memory_zeroed(functions * sizeof *graph->roles);
    graph->targets = memory_zeroed((flow->call_count + 1) * sizeof *graph->targets);
    graph->callers = memory_zeroed(functions * sizeof *graph->callers);
    graph->out = memory_zeroed(nodes * sizeof *graph->out);
    graph->in = memory_zeroed(nodes * sizeof *graph->in);
    graph->values = memory_zeroed(nodes * sizeof *graph->values);
    graph->marks = memory_zeroed(nodes);
    graph->stored = memory_zeroed(nodes * sizeof *graph->stored);
    for (uint32_t i = 0; i < flow->function_count; i++)
        if (!flow->functions[i].body)
            graph->roles[i] = library_role(flow->functions[i].name);
    for (uint32_t i = 0; i < flow->edge_count; i++) {
        id_list_add(&graph->out[flow->edges[i].from], i);
        id_list_add(&graph->in[flow->edges[i].to], i);
    }
    note_stored(graph);
    for (unsigned turn = 0; turn < TURNS; turn++) {
        for (uint32_t i = 0; i < flow->function_count; i++)
            if (flow->functions[i].body)
                spread_function(graph, i);
        for (uint32_t i = 0; i < flow->call_count; i++)
            find_targets(graph, i);
        for (uint32_t i = 0; i < flow->call_count; i++)
            pass_call(graph, i);
    }
}

/* A descriptor stays one where it is copied, and where a library makes a handle of it: fdopen. */
static bool carries(const struct flow_graph *graph, const struct flow_edge *edge,
                    enum flow_mark mark)
{
    const struct flow_node *to = &graph->flow->nodes[edge->to];
    if (mark == FLOW_REQUEST || edge->copy)
        return true;
    return to->kind == FLOW_RESULT && strchr(to->type, '*') &&
           graph->targets[to->number].count == 0;
}

/* The type that is pointed to, without what qualifies it. */
static const char *bare_type(struct flow_graph *graph, const char *type)
{
    if (str_starts_with(type, "const "))
        type += strlen("const ");
    size_t length = strcspn(type, "*&");
    while (length && type[length - 1] == ' ')
        length--;
    return arena_strndup(&graph->flow->arena, type, length);
}

static bool is_connection(struct flow_graph *graph, uint32_t node)
{
    const char *type = graph->flow->nodes[node].type;
    return strchr(type, '*') &&
           intern_find(&graph->connections, bare_type(graph, type)) != INTERN_NONE;
}

/* A member of any type may be given one: void *data. */
static bool is_given_connection(struct flow_graph *graph, uint32_t node)
{
    bool given = false;
    if (strcmp(graph->flow->nodes[node].type, "void *") == 0)
        for (uint32_t i = 0; i < graph->in[node].count && !given; i++)
            given = is_connection(graph, graph->flow->edges[graph->in[node].items[i]].from);
    return given;
}

void flow_graph_find_connections(struct flow_graph *graph)
{
    enum { LEVELS = 2 };
    const struct flow *flow = graph->flow;
    for (unsigned level = 0; level < LEVELS; level++) {
        struct id_list found = {0};
        for (uint32_t i = 0; i < flow->node_count; i++)
            if (flow->nodes[i].kind == FLOW_MEMBER && *flow->nodes[i].record &&
                (level == 0 ? graph->marks[i] & FLOW_ACCEPTED
                            : is_connection(graph, i) || is_given_connection(graph, i)))
                id_list_add(&found, i);
        for (uint32_t i = 0; i < found.count; i++)
            intern_add(&graph->connections, flow->nodes[found.items[i]].record);
        memory_free(found.items);
    }
}

bool flow_graph_node_holds_connection(const struct flow_graph *graph, uint32_t id)
{
    return is_connection((struct flow_graph *)graph, id);
}

bool flow_graph_holds_connection(const struct flow_graph *graph, struct flow_list list)
{
    for (uint32_t i = 0; i < list.count; i++)
        if (flow_graph_node_holds_connection(graph, graph->flow->items[list.first + i] / 2))
            return true;
    return false;
}

void flow_graph_spread(struct flow_graph *graph, uint32_t node, enum flow_mark mark)
{
    struct id_list todo = {0};
    if (!(graph->marks[node] & mark))
        id_list_add(&todo, node);
    graph->marks[node] |= mark;
    while (todo.count) {
        uint32_t from = todo.items[--todo.count];
        for (uint32_t i = 0; i < graph->out[from].count; i++) {
            const struct flow_edge *edge = &graph->flow->edges[graph->out[from].items[i]];
            if ((graph->marks[edge->to] & mark) || !carries(graph, edge, mark))
                continue;
            graph->marks[edge->to] |= mark;
            id_list_add(&todo, edge->to);
        }
    }
    memory_free(todo.items);
}

static void release_lists(struct id_list *lists, uint32_t count)
{
    for (uint32_t i = 0; lists && i < count; i++)
        memory_free(lists[i].items);
    memory_free(lists);
}

void flow_graph_release(struct flow_graph *graph)
{
    const struct flow *flow = graph->flow;
    release_lists(graph->targets, flow->call_count);
    release_lists(graph->callers, flow->function_count);
    release_lists(graph->out, flow->node_count);
    release_lists(graph->in, flow->node_count);
    release_lists(graph->values, flow->node_count);
    intern_release(&graph->connections);
    memory_free(graph->roles);
    memory_free(graph->marks);
    memory_free(graph->stored);
    memory_free(graph->callbacks);
    *graph = (struct flow_graph){0};
}
