#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "driver/init/request_search.h"

/* A loop that takes something out of a store, and hands it on. */
struct taking {
    uint32_t loop, function;
    uint32_t pop;     /* the call that gives it, or that waits for it */
    uint32_t handler; /* call */
    uint32_t task;    /* node that is handed on */
    uint32_t store;   /* node that it comes from */
    bool waits;       /* for another thread */
};

static bool is_in_loop(const struct search *search, uint32_t loop, uint32_t call)
{
    const struct flow_loop *own = &search->flow->loops[loop];
    return call >= own->first_call && call < own->call_end;
}

/* ---- what comes out of a store ---- */

/* What a library gives is something of what it is given. */
static bool is_passed(const struct search *search, const struct flow_edge *edge)
{
    const struct flow_node *to = &search->flow->nodes[edge->to];
    return edge->copy || (to->kind == FLOW_RESULT && search->graph->targets[to->number].count == 0);
}

/* The global or the member that the value was kept in: FLOW_NONE where it was made here. */
static uint32_t store_of(const struct search *search, uint32_t node)
{
    enum { MOST_NODES = 400 };
    struct id_list todo = {0};
    uint32_t found = FLOW_NONE;
    id_list_add(&todo, node);
    for (uint32_t at = 0; at < todo.count && at < MOST_NODES && found == FLOW_NONE; at++) {
        const struct flow_node *own = &search->flow->nodes[todo.items[at]];
        const struct id_list *in = &search->graph->in[todo.items[at]];
        if (own->kind == FLOW_GLOBAL || own->kind == FLOW_MEMBER)
            found = todo.items[at];
        for (uint32_t i = 0; i < in->count; i++) {
            const struct flow_edge *edge = &search->flow->edges[in->items[i]];
            if (is_passed(search, edge) && !id_list_has(&todo, edge->from))
                id_list_add(&todo, edge->from);
        }
    }
    memory_free(todo.items);
    return found;
}

/* The call of the loop that fills in what it is given the address of. */
static uint32_t call_that_fills(const struct search *search, uint32_t loop, uint32_t parameter)
{
    const struct flow_loop *own = &search->flow->loops[loop];
    for (uint32_t call = own->first_call; call < own->call_end; call++)
        if (id_list_has(&search->graph->targets[call], search->flow->nodes[parameter].function))
            return call;
    return FLOW_NONE;
}

static bool call_pauses(const struct search *search, uint32_t call)
{
    const struct id_list *targets = &search->graph->targets[call];
    bool pauses = flow_graph_role(search->graph, call).role == ROLE_WAIT;
    for (uint32_t i = 0; i < targets->count && !pauses; i++)
        pauses = search->pauses[targets->items[i]];
    return pauses;
}

/* A function pauses where it waits for another thread, itself or not far below. */
static void find_pauses(struct search *search)
{
    enum { MOST_LEVELS = 3 };
    for (unsigned level = 0; level < MOST_LEVELS; level++)
        for (uint32_t call = 0; call < search->flow->call_count; call++)
            if (search->flow->calls[call].function != FLOW_NONE && call_pauses(search, call))
                search->pauses[search->flow->calls[call].function] = true;
}

static uint32_t waiting_call(const struct search *search, uint32_t loop, uint32_t before)
{
    const struct flow_loop *own = &search->flow->loops[loop];
    for (uint32_t call = own->first_call; call < own->call_end && call < before; call++)
        if (search->flow->calls[call].function == own->function && call_pauses(search, call))
            return call;
    return FLOW_NONE;
}

/* Of what the value is in the loop: what a call gave, or filled in; or, where the loop waits for
 * another thread, what it takes out of a list by itself. */
static bool is_taken(struct search *search, struct taking *taking, uint32_t from, uint32_t line)
{
    const struct flow_node *node = &search->flow->nodes[from];
    uint32_t waits = waiting_call(search, taking->loop, taking->handler);
    taking->waits = waits != FLOW_NONE;
    taking->pop = node->kind == FLOW_RESULT && is_in_loop(search, taking->loop, node->number)
                      ? node->number
                  : node->kind == FLOW_PARAMETER ? call_that_fills(search, taking->loop, from)
                  : line >= search->flow->loops[taking->loop].line ? waits
                                                                   : FLOW_NONE;
    taking->store = taking->pop != FLOW_NONE && taking->pop != taking->handler
                        ? store_of(search, from)
                        : FLOW_NONE;
    return taking->store != FLOW_NONE;
}

static bool takes(struct search *search, struct taking *taking, uint32_t node)
{
    const struct flow *flow = search->flow;
    const struct id_list *in = &search->graph->in[node];
    taking->task = node;
    if (flow->nodes[node].kind == FLOW_RESULT)
        return is_taken(search, taking, node, 0);
    if (flow->nodes[node].kind != FLOW_LOCAL)
        return false;
    for (uint32_t i = 0; i < in->count; i++) {
        const struct flow_edge *edge = &flow->edges[in->items[i]];
        if (is_passed(search, edge) && edge->function == taking->function &&
            is_taken(search, taking, edge->from, edge->line))
            return true;
    }
    return false;
}

/* ---- whether it is answered ---- */

/* The type is of the record, or of a pointer to it of any kind. */
static bool type_names(const char *type, const char *record)
{
    size_t length = strlen(record);
    for (const char *at = length ? strstr(type, record) : NULL; at; at = strstr(at + 1, record))
        if (!isalnum((unsigned char)at[length]) && at[length] != '_')
            return true;
    return false;
}

/* sem_post(&job->done): whoever waits for the task is woken. */
static bool wakes_owner(const struct search *search, uint32_t call, const char *type)
{
    const struct flow *flow = search->flow;
    if (flow_graph_role(search->graph, call).role != ROLE_WAKE)
        return false;
    for (uint32_t i = 0; i < flow_graph_argument_count(search->graph, call); i++) {
        struct flow_list list = flow_graph_argument(search->graph, call, (int)i);
        for (uint32_t j = 0; j < list.count; j++) {
            const struct flow_node *node = &flow->nodes[flow->items[list.first + j] / 2];
            if (node->kind == FLOW_MEMBER && type_names(type, node->record))
                return true;
        }
    }
    return false;
}

static bool function_wakes(const struct search *search, uint32_t function, const char *type,
                           unsigned depth)
{
    enum { MOST_LEVELS = 2 };
    const struct flow_function *own = &search->flow->functions[function];
    for (uint32_t call = own->first_call; call < own->call_end; call++) {
        if (wakes_owner(search, call, type))
            return true;
        const struct id_list *targets = &search->graph->targets[call];
        for (uint32_t i = 0; i < targets->count && depth < MOST_LEVELS; i++)
            if (function_wakes(search, targets->items[i], type, depth + 1))
                return true;
    }
    return false;
}

/* The last call that answers: the handler itself, one after it, or FLOW_NONE. */
static uint32_t answering_call(const struct search *search, const struct taking *taking)
{
    const char *type = search->flow->nodes[taking->task].type;
    const struct flow_loop *loop = &search->flow->loops[taking->loop];
    uint32_t found = FLOW_NONE;
    for (uint32_t call = taking->handler; call < loop->call_end; call++) {
        if (search->flow->calls[call].function != taking->function)
            continue;
        const struct id_list *targets = &search->graph->targets[call];
        bool wakes = wakes_owner(search, call, type);
        for (uint32_t i = 0; i < targets->count && !wakes; i++)
            wakes = function_wakes(search, targets->items[i], type, 0);
        found = wakes ? call : found;
    }
    return found;
}

/* ---- candidates ---- */

static uint32_t size_of(struct search *search, uint32_t call)
{
    const struct id_list *targets = &search->graph->targets[call];
    uint32_t size = 0;
    for (uint32_t i = 0; i < targets->count; i++)
        size += request_count_reached(search, targets->items[i]);
    return size;
}

static void explain_task(struct search *search, struct request_path *path,
                         const struct taking *taking, bool answered)
{
    struct arena *arena = &search->graph->flow->arena;
    const struct flow *flow = search->flow;
    const struct flow_function *function = &flow->functions[taking->function];
    const char *name = flow->nodes[taking->store].name;
    request_add_reason(search, path,
                       arena_printf(arena, "%s on line %u of %s (%s) gives what was kept in %s",
                                    request_call_name(search, taking->pop),
                                    flow->calls[taking->pop].line, function->name, function->file,
                                    *name ? name : "a store"));
    request_add_reason(search, path,
                       arena_printf(arena, "%s on line %u has it then",
                                    request_call_name(search, taking->handler),
                                    flow->calls[taking->handler].line));
    if (taking->waits)
        request_add_reason(search, path, "another thread is waited for");
    if (answered)
        request_add_reason(search, path, "whoever waits for it is woken");
}

static void consider_task(struct search *search, const struct taking *taking)
{
    const struct id_list *targets = &search->graph->targets[taking->handler];
    uint32_t answer = answering_call(search, taking);
    struct id_list last = {0};
    struct request_path path = {.source = SOURCE_QUEUE,
                                .source_call = taking->pop,
                                .sink_call = answer != FLOW_NONE ? answer : taking->handler,
                                .around = taking->function,
                                .loop = FLOW_NONE,
                                .task = true,
                                .push = FLOW_NONE,
                                .pop = FLOW_NONE};
    id_list_add(&last, path.sink_call);
    search->source = SOURCE_QUEUE;
    if (targets->count == 1 && path.sink_call == taking->handler &&
        !search->flow->functions[targets->items[0]].lambda)
        request_mark_call(&path, targets->items[0]);
    else if (!request_mark_turn(search, &path, taking->function, taking->pop, &last)) {
        memory_free(last.items);
        return;
    }
    memory_free(last.items);
    path.certain = answer != FLOW_NONE && taking->waits;
    path.size = size_of(search, taking->handler);
    request_weigh(search, &path, taking->waits ? 2 : 0);
    explain_task(search, &path, taking, answer != FLOW_NONE);
    request_extend_to_queue(search, &path);
    request_add_path(search, &path);
}

/* Of the calls that are handed the task the one that does most. */
static void search_loop(struct search *search, uint32_t loop)
{
    const struct flow *flow = search->flow;
    const struct flow_loop *own = &flow->loops[loop];
    struct taking best = {.handler = FLOW_NONE};
    uint32_t best_size = 0;
    for (uint32_t call = own->first_call; call < own->call_end; call++) {
        if (flow->calls[call].function != own->function || !search->graph->targets[call].count ||
            flow->calls[call].loop != loop)
            continue;
        struct taking taking = {.loop = loop, .function = own->function, .handler = call};
        uint32_t size = size_of(search, call);
        for (uint32_t i = 0; i < flow_graph_argument_count(search->graph, call); i++) {
            struct flow_list list = flow_graph_argument(search->graph, call, (int)i);
            for (uint32_t j = 0; j < list.count && size > best_size; j++)
                if ((flow->items[list.first + j] & 1) &&
                    takes(search, &taking, flow->items[list.first + j] / 2)) {
                    best = taking;
                    best_size = size;
                }
        }
    }
    if (best.handler != FLOW_NONE)
        consider_task(search, &best);
}

void request_search_tasks(struct search *search)
{
    find_pauses(search);
    for (uint32_t loop = 0; loop < search->flow->loop_count; loop++)
        if (search->flow->loops[loop].function != FLOW_NONE)
            search_loop(search, loop);
}
