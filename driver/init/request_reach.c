#include "driver/init/request_search.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"

/* ---- what is near ---- */

/* What nearly every function calls, with a format, writes a log: that it gets to a socket is
 * nobody's answer. */
static bool writes_log(const struct search *search, uint32_t function)
{
    enum { MANY = 50, OF_FUNCTIONS = 20 };
    return search->flow->functions[function].variadic &&
           search->graph->callers[function].count > MANY &&
           search->graph->callers[function].count > search->flow->function_count / OF_FUNCTIONS;
}

bool request_edge_is_cut(const struct search *search, uint32_t function)
{
    return search->waits[function] || writes_log(search, function);
}

/* Of a large program everything reaches everything, by way of its errors and its memory: what is
 * near counts. */
uint32_t request_count_reached(struct search *search, uint32_t function)
{
    if (search->sizes[function])
        return search->sizes[function] - 1;
    const struct flow *flow = search->flow;
    struct id_list todo = {0};
    uint32_t turn = ++search->turn, end_of_level = 1;
    id_list_add(&todo, function);
    search->visited[function] = turn;
    for (uint32_t at = 0, depth = 0; at < todo.count && depth < NEAR; at++) {
        const struct flow_function *own = &flow->functions[todo.items[at]];
        for (uint32_t call = own->first_call; call < own->call_end; call++)
            for (uint32_t i = 0; i < search->graph->targets[call].count; i++) {
                uint32_t target = search->graph->targets[call].items[i];
                if (search->visited[target] == turn || request_edge_is_cut(search, target))
                    continue;
                search->visited[target] = turn;
                id_list_add(&todo, target);
            }
        if (at + 1 == end_of_level) {
            depth++;
            end_of_level = todo.count;
        }
    }
    uint32_t count = todo.count;
    memory_free(todo.items);
    search->sizes[function] = count + 1;
    return count;
}

bool request_call_answers(const struct search *search, uint32_t call)
{
    if (search->sends[call])
        return true;
    const struct id_list *targets = &search->graph->targets[call];
    for (uint32_t i = 0; i < targets->count; i++)
        if (search->answers[targets->items[i]] && !request_edge_is_cut(search, targets->items[i]))
            return true;
    return false;
}

/* Some argument is the client's connection, or was made of what it sent. */
unsigned request_call_marks(const struct search *search, uint32_t call)
{
    unsigned marks = 0;
    for (uint32_t i = 0; i < flow_graph_argument_count(search->graph, call); i++) {
        struct flow_list list = flow_graph_argument(search->graph, call, (int)i);
        marks |= flow_graph_marks(search->graph, list) & FLOW_REQUEST;
        marks |= flow_graph_exact_marks(search->graph, list);
        if (flow_graph_holds_connection(search->graph, list))
            marks |= FLOW_ACCEPTED;
    }
    return marks & (FLOW_ACCEPTED | FLOW_DATAGRAM | FLOW_REQUEST);
}

void request_spread_up(struct search *search, bool *reached, struct id_list *todo)
{
    while (todo->count) {
        uint32_t function = todo->items[--todo->count];
        const struct id_list *callers = &search->graph->callers[function];
        for (uint32_t i = 0; i < callers->count; i++) {
            uint32_t caller = search->flow->calls[callers->items[i]].function;
            if (caller == FLOW_NONE || reached[caller])
                continue;
            reached[caller] = true;
            if (!request_edge_is_cut(search, caller))
                id_list_add(todo, caller);
        }
    }
}

/* ---- what is reached at all ---- */

bool request_reaches(struct search *search, uint32_t from, uint32_t to)
{
    const struct flow *flow = search->flow;
    struct id_list todo = {0};
    uint32_t turn = ++search->turn;
    bool found = from == to;
    id_list_add(&todo, from);
    search->visited[from] = turn;
    while (todo.count && !found) {
        const struct flow_function *at = &flow->functions[todo.items[--todo.count]];
        for (uint32_t call = at->first_call; call < at->call_end; call++)
            for (uint32_t i = 0; i < search->graph->targets[call].count; i++) {
                uint32_t target = search->graph->targets[call].items[i];
                found |= target == to;
                if (search->visited[target] == turn)
                    continue;
                search->visited[target] = turn;
                id_list_add(&todo, target);
            }
    }
    memory_free(todo.items);
    return found;
}

bool request_reaches_near(struct search *search, uint32_t from, uint32_t to)
{
    const struct flow *flow = search->flow;
    struct id_list todo = {0};
    uint32_t turn = ++search->turn, end_of_level = 1;
    bool found = false;
    id_list_add(&todo, from);
    search->visited[from] = turn;
    for (uint32_t at = 0, depth = 0; at < todo.count && depth < NEAR + 2 && !found; at++) {
        const struct flow_function *own = &flow->functions[todo.items[at]];
        for (uint32_t call = own->first_call; call < own->call_end; call++)
            for (uint32_t i = 0; i < search->graph->targets[call].count; i++) {
                uint32_t target = search->graph->targets[call].items[i];
                if (search->visited[target] == turn || request_edge_is_cut(search, target))
                    continue;
                found |= target == to;
                search->visited[target] = turn;
                id_list_add(&todo, target);
            }
        if (at + 1 == end_of_level) {
            depth++;
            end_of_level = todo.count;
        }
    }
    memory_free(todo.items);
    return found;
}

bool request_runs_in_thread(struct search *search, uint32_t function)
{
    for (uint32_t i = 0; i < search->flow->function_count; i++)
        if (search->threads[i] && request_reaches(search, i, function))
            return true;
    return false;
}

/* The thread in which the function runs: FLOW_NONE where that is main's, or not one. */
uint32_t request_thread_of(struct search *search, uint32_t function)
{
    uint32_t thread = FLOW_NONE;
    for (uint32_t i = 0; i < search->flow->function_count; i++)
        if (search->threads[i] && request_reaches(search, i, function)) {
            if (thread != FLOW_NONE)
                return FLOW_NONE;
            thread = i;
        }
    return thread;
}

/* ---- event loops ---- */

static bool loop_serves(const struct search *search, uint32_t loop)
{
    const struct flow_loop *own = &search->flow->loops[loop];
    for (uint32_t call = own->first_call; call < own->call_end; call++) {
        const struct flow_call *at = &search->flow->calls[call];
        if (at->callee == FLOW_NONE || flow_graph_role(search->graph, call).role == ROLE_ACCEPT)
            return true;
        for (uint32_t i = 0; i < search->graph->targets[call].count; i++) {
            uint32_t target = search->graph->targets[call].items[i];
            const struct flow_function *function = &search->flow->functions[target];
            for (uint32_t inner = function->first_call; inner < function->call_end; inner++)
                if (flow_graph_role(search->graph, inner).role == ROLE_ACCEPT)
                    return true;
        }
    }
    return false;
}

bool request_serves_many(const struct search *search, uint32_t call)
{
    const char *name = search->flow->functions[search->flow->calls[call].callee].name;
    return !str_ends_with(name, "poll") && !str_ends_with(name, "select");
}

/* poll of one descriptor is no event loop: a loop that serves many is. */
void request_note_events(struct search *search, uint32_t call, bool always, unsigned depth)
{
    const struct flow_call *at = &search->flow->calls[call];
    if (at->function == FLOW_NONE || depth > 4)
        return;
    if (at->loop != FLOW_NONE) {
        search->waits[at->function] |= always || loop_serves(search, at->loop);
        return;
    }
    const struct id_list *callers = &search->graph->callers[at->function];
    bool before = search->waits[at->function] || always;
    for (uint32_t i = 0; i < callers->count; i++) {
        uint32_t caller = search->flow->calls[callers->items[i]].function;
        request_note_events(search, callers->items[i], always, depth + 1);
        if (caller != FLOW_NONE && search->waits[caller])
            search->waits[at->function] = true;
    }
    search->waits[at->function] |= before;
}

bool request_is_event_context(struct search *search, uint32_t function, unsigned depth)
{
    if (search->called_back[function])
        return true;
    if (depth > MOST_DEPTH || search->visited[function] == search->turn)
        return false;
    search->visited[function] = search->turn;
    const struct id_list *callers = &search->graph->callers[function];
    for (uint32_t i = 0; i < callers->count; i++) {
        uint32_t caller = search->flow->calls[callers->items[i]].function;
        if (caller != FLOW_NONE &&
            (search->waits[caller] || request_is_event_context(search, caller, depth + 1)))
            return true;
    }
    return false;
}

void request_find_depths(struct search *search)
{
    const struct flow *flow = search->flow;
    struct id_list todo = {0};
    for (uint32_t i = 0; i < flow->function_count; i++) {
        bool root = search->waits[i] || search->threads[i] || search->called_back[i] ||
                    strcmp(flow->functions[i].name, "main") == 0;
        search->depths[i] = root ? 0 : UINT32_MAX;
        if (root)
            id_list_add(&todo, i);
    }
    for (uint32_t at = 0; at < todo.count; at++) {
        const struct flow_function *own = &flow->functions[todo.items[at]];
        for (uint32_t call = own->first_call; call < own->call_end; call++)
            for (uint32_t i = 0; i < search->graph->targets[call].count; i++) {
                uint32_t target = search->graph->targets[call].items[i];
                if (search->depths[target] != UINT32_MAX)
                    continue;
                search->depths[target] = search->depths[todo.items[at]] + 1;
                id_list_add(&todo, target);
            }
    }
    memory_free(todo.items);
}

/* ---- programs of the tree ---- */

static void add_to_program(struct search *search, uint32_t function, uint32_t bit,
                           struct id_list *todo)
{
    if (!(search->programs[function] & bit))
        id_list_add(todo, function);
    search->programs[function] |= bit;
}

/* What main calls, and what is called back for it. */
static void find_program(struct search *search, uint32_t main_function, uint32_t bit)
{
    const struct flow_graph *graph = search->graph;
    struct id_list todo = {0};
    add_to_program(search, main_function, bit, &todo);
    while (todo.count) {
        const struct flow_function *own = &search->flow->functions[todo.items[--todo.count]];
        for (uint32_t call = own->first_call; call < own->call_end; call++)
            for (uint32_t i = 0; i < graph->targets[call].count; i++)
                add_to_program(search, graph->targets[call].items[i], bit, &todo);
        for (uint32_t i = 0; i < graph->callback_count; i++)
            if (graph->callbacks[i].call >= own->first_call &&
                graph->callbacks[i].call < own->call_end)
                add_to_program(search, graph->callbacks[i].function, bit, &todo);
    }
    memory_free(todo.items);
}

/* What no program is seen to get to may be of any. */
static uint32_t programs_of(const struct search *search, uint32_t function)
{
    uint32_t own = function == FLOW_NONE ? 0 : search->programs[function];
    return own ? own : UINT32_MAX;
}

void request_find_programs(struct search *search)
{
    enum { MOST_PROGRAMS = 32 };
    for (uint32_t i = 0; i < search->flow->function_count; i++)
        if (search->flow->functions[i].body && strcmp(search->flow->functions[i].name, "main") == 0)
            find_program(search, i, 1u << (search->program_count++ % MOST_PROGRAMS));
    for (uint32_t call = 0; call < search->flow->call_count; call++)
        if (flow_graph_role(search->graph, call).role == ROLE_ACCEPT)
            search->accepting |= programs_of(search, search->flow->calls[call].function);
}

/* The program that the function belongs to takes connections, somewhere. */
bool request_takes_connections(const struct search *search, uint32_t function)
{
    return search->accepting & programs_of(search, function);
}
