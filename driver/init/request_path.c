#include "driver/init/request_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "driver/init/request_search.h"

/* ---- candidates ---- */

void request_add_reason(struct search *search, struct request_path *path, const char *reason)
{
    (void)search;
    if (path->reason_count < REQUEST_REASONS)
        path->reasons[path->reason_count++] = reason;
}

const char *request_call_name(const struct search *search, uint32_t call)
{
    const struct flow_call *at = &search->flow->calls[call];
    if (at->callee != FLOW_NONE)
        return search->flow->functions[at->callee].name;
    return search->graph->targets[call].count
               ? search->flow->functions[search->graph->targets[call].items[0]].name
               : "a function pointer";
}

/* What does much, near to where events and threads begin, serves requests. */
void request_weigh(const struct search *search, struct request_path *path, unsigned strength)
{
    enum { FAR = 10 };
    static const double of_source[] = {20, 20, 12, 0};
    uint32_t depth = search->depths[path->function];
    path->weight = of_source[path->source] + (path->certain ? 40 : 0) + 10 * strength +
                   6 * log2(1 + (double)path->size) - 3.0 * (depth > FAR ? FAR : depth) -
                   2.0 * path->level - 8.0 * (search->pointers > 1 ? search->pointers - 1 : 0) -
                   (search->mixed ? 10 : 0);
}

void request_add_path(struct search *search, struct request_path *path)
{
    struct request_paths *paths = search->paths;
    for (uint32_t i = 0; i < paths->count; i++) {
        struct request_path *other = &paths->items[i];
        if (other->begin.function == path->begin.function && other->function == path->function &&
            other->begin.line == path->begin.line && other->end.line == path->end.line) {
            if (path->weight > other->weight)
                *other = *path;
            return;
        }
    }
    VEC_PUSH(paths->items, paths->count, paths->capacity) = *path;
}

static const char *source_text(struct search *search, uint32_t via)
{
    struct arena *arena = &search->graph->flow->arena;
    const struct flow *flow = search->flow;
    if (search->source == SOURCE_CALLBACK)
        return arena_printf(arena, "a library calls it with what a client sent");
    const struct flow_call *call = &flow->calls[search->source_call];
    const char *name = request_call_name(search, search->source_call);
    const char *what = search->source == SOURCE_QUEUE    ? "waits for another thread's task"
                       : search->source == SOURCE_ACCEPT ? "takes a connection"
                       : search->strong                  ? "receives what a client sent"
                                                         : "receives, from whom is not known";
    if (via == search->source_call)
        return arena_printf(arena, "%s in %s (%s:%u) %s", name,
                            flow->functions[call->function].name,
                            flow->functions[call->function].file, call->line, what);
    return arena_printf(arena, "%s in %s (%s:%u), called by way of %s, %s", name,
                        flow->functions[call->function].name, flow->functions[call->function].file,
                        call->line, request_call_name(search, via), what);
}

static void explain(struct search *search, struct request_path *path, uint32_t via, uint32_t answer,
                    unsigned marks)
{
    struct arena *arena = &search->graph->flow->arena;
    request_add_reason(search, path, source_text(search, via));
    if (search->sends[answer])
        request_add_reason(search, path,
                           arena_printf(arena, "%s on line %u answers",
                                        request_call_name(search, answer),
                                        search->flow->calls[answer].line));
    else
        request_add_reason(search, path,
                           arena_printf(arena, "%s, called on line %u, gets to the answer",
                                        request_call_name(search, answer),
                                        search->flow->calls[answer].line));
    if (marks & FLOW_REQUEST)
        request_add_reason(search, path, "it is given what was received");
    else if (marks)
        request_add_reason(search, path, "it is given the client's connection");
    if (path->shape == REQUEST_CALL && path->size > 1)
        request_add_reason(
            search, path,
            arena_printf(arena, "%u functions of the program are reached from it", path->size));
}

static uint32_t last_of(const struct id_list *list)
{
    return list->items[list->count - 1];
}

/* What takes connections may receive many requests over one: there, or wherever else a client's, or
 * any socket, is received from. */
static bool receives_more(struct search *search, uint32_t function)
{
    for (uint32_t call = 0; call < search->flow->call_count; call++) {
        struct library_role role = flow_graph_role(search->graph, call);
        uint32_t within = search->flow->calls[call].function;
        if (role.role != ROLE_RECEIVE || within == FLOW_NONE)
            continue;
        unsigned marks = request_descriptor_marks(search, call, &role);
        if (!request_is_other(marks) &&
            (marks || role.socket || request_reaches(search, function, within)))
            return true;
    }
    return false;
}

/* The function holds source and sink. */
static void consider(struct search *search, uint32_t function, uint32_t via,
                     const struct id_list *looped, const struct id_list *after, unsigned strength)
{
    const struct id_list *answers = looped->count ? looped : after;
    uint32_t loop = FLOW_NONE, handler = FLOW_NONE;
    struct request_path path = {.source = search->source,
                                .source_call = search->source_call,
                                .around = function,
                                .loop = FLOW_NONE,
                                .push = FLOW_NONE,
                                .pop = FLOW_NONE};
    search->turn++;
    bool root = search->waits[function] || search->threads[function] ||
                !search->graph->callers[function].count;
    bool events = !search->waits[function] && request_is_event_context(search, function, 0);
    root &= !search->called_back[function];
    if (looped->count) {
        loop = request_common_loop(search->flow, via, looped->items[0]);
        handler = request_find_handler(search, via, loop, looped);
    }
    path.sink_call = handler != FLOW_NONE ? handler : last_of(answers);
    path.loop = handler != FLOW_NONE ? loop : FLOW_NONE;
    if (handler != FLOW_NONE)
        request_mark_call(&path, search->graph->targets[handler].items[0]);
    else if (!((looped->count && !events) || root) ||
             !request_mark_turn(search, &path, function, via, answers))
        request_mark_call(&path, function);
    unsigned marks = 0;
    for (uint32_t i = 0; i < answers->count; i++)
        marks |= request_call_marks(search, answers->items[i]);
    path.level = search->climbed_levels;
    path.events = search->events;
    path.certain = search->strong && !search->apart && !search->events &&
                   !(search->datagram && request_takes_connections(search, function)) &&
                   (strength == 2 || search->source == SOURCE_CALLBACK) &&
                   !(path.shape == REQUEST_CALL && path.function == function &&
                     (root || (looped->count && !events)));
    if (search->source == SOURCE_ACCEPT && receives_more(search, function))
        path.certain = false;
    path.size = request_count_reached(search, path.function);
    request_weigh(search, &path, strength);
    path.apart = search->apart;
    explain(search, &path, via == FLOW_NONE ? search->source_call : via, path.sink_call, marks);
    request_extend_to_queue(search, &path);
    request_add_path(search, &path);
}

/* One step of the way up: whether to go on from the function to its callers. */
static bool climb_on(struct search *search, uint32_t function, uint32_t via)
{
    struct id_list looped = {0}, after = {0};
    unsigned strength = request_find_answers(search, function, via, &looped, &after);
    bool waits = search->source == SOURCE_QUEUE || search->source == SOURCE_ACCEPT;
    bool once =
        search->typed && via != FLOW_NONE &&
        (search->flow->calls[via].loop != FLOW_NONE || !search->graph->callers[function].count);
    if (strength && (!(waits || once) || looped.count))
        consider(search, function, via, &looped, &after, strength);
    memory_free(looped.items);
    memory_free(after.items);
    return (strength < 2 || search->apart) && !search->waits[function];
}

/* Goes up from the source, the nearest first. */
static void climb(struct search *search, uint32_t from)
{
    const struct flow *flow = search->flow;
    enum { FOR_EVENTS = 1, POINTER = 2 };
    struct id_list todo = {0}, dispatched = {0}; /* pointers on the way, and whether for events */
    uint32_t end_of_level = 1, turn = ++search->climb_turn;
    id_list_add(&todo, from);
    id_list_add(&dispatched, 0);
    search->climbed[from] = turn;
    for (uint32_t at = 0, depth = 0; at < todo.count && depth < MOST_DEPTH; at++) {
        uint32_t function = flow->calls[todo.items[at]].function;
        const struct id_list *callers =
            function == FLOW_NONE ? NULL : &search->graph->callers[function];
        search->climbed_levels = depth;
        uint32_t call = todo.items[at], pointer = dispatched.items[at];
        pointer += flow->calls[call].callee == FLOW_NONE ? POINTER : 0;
        pointer |= request_is_for_events(search, call) ? FOR_EVENTS : 0;
        search->pointers = pointer / POINTER;
        search->events = search->source == SOURCE_RECEIVE && (pointer & FOR_EVENTS);
        bool on = callers && !(search->pointers && search->waits[function]) &&
                  climb_on(search, function, call);
        for (uint32_t i = 0; on && i < callers->count; i++)
            if (search->climbed[callers->items[i]] != turn) {
                search->climbed[callers->items[i]] = turn;
                id_list_add(&todo, callers->items[i]);
                id_list_add(&dispatched, pointer);
            }
        if (at + 1 == end_of_level) {
            depth++;
            end_of_level = todo.count;
        }
    }
    memory_free(todo.items);
    memory_free(dispatched.items);
}

static void begin_search(struct search *search, enum request_source source, uint32_t call,
                         bool strong)
{
    search->climbed_levels = search->pointers = 0;
    search->datagram = search->mixed = search->alone = search->events = false;
    search->source = source;
    search->source_call = call;
    search->strong = strong;
}

/* static int client; ... recv(client, ...) */
static bool is_global(const struct search *search, uint32_t call, int descriptor)
{
    struct flow_list list = flow_graph_argument(search->graph, call, descriptor);
    return list.count == 1 &&
           search->flow->nodes[search->flow->items[list.first] / 2].kind == FLOW_GLOBAL;
}

static void search_receivers(struct search *search)
{
    for (uint32_t call = 0; call < search->flow->call_count; call++) {
        struct library_role role = flow_graph_role(search->graph, call);
        const struct flow_call *at = &search->flow->calls[call];
        bool typed = search->typed && request_is_typed(search, call, &role);
        if ((role.role != ROLE_RECEIVE && !typed) || at->function == FLOW_NONE ||
            request_only_looks(search, call))
            continue;
        unsigned marks = typed ? FLOW_ACCEPTED : request_descriptor_marks(search, call, &role);
        bool strong = (marks & (FLOW_ACCEPTED | FLOW_DATAGRAM)) &&
                      !(typed && role.data == RESULT_ARGUMENT); /* a letter is no request */
        if (request_is_other(marks) || (!strong && !role.socket) ||
            request_reads_other(search, call, &role))
            continue;
        search->paths->source_count++;
        begin_search(search, SOURCE_RECEIVE, call, strong);
        search->datagram = (marks & (FLOW_ACCEPTED | FLOW_DATAGRAM)) == FLOW_DATAGRAM ||
                           strncmp(request_call_name(search, call), "recvm", 5) == 0;
        search->mixed = marks & FLOW_OTHER;
        search->alone = !typed && strong && is_global(search, call, role.descriptor);
        climb(search, call);
    }
}

static void search_callbacks(struct search *search)
{
    for (uint32_t i = 0; i < search->graph->callback_count; i++) {
        const struct flow_callback *callback = &search->graph->callbacks[i];
        if (callback->role != ROLE_SERVE)
            continue;
        search->paths->source_count++;
        begin_search(search, SOURCE_CALLBACK, callback->call, true);
        climb_on(search, callback->function, FLOW_NONE);
    }
}

/* Waits for other threads, and accepts: where nothing nearer is found. */
static void search_others(struct search *search)
{
    for (uint32_t call = 0; call < search->flow->call_count; call++) {
        enum role role = flow_graph_role(search->graph, call).role;
        const struct flow_call *at = &search->flow->calls[call];
        if ((role != ROLE_WAIT && role != ROLE_ACCEPT) || at->function == FLOW_NONE)
            continue;
        bool waits = role == ROLE_WAIT;
        if (waits && !request_runs_in_thread(search, at->function))
            continue;
        begin_search(search, waits ? SOURCE_QUEUE : SOURCE_ACCEPT, call, true);
        climb(search, call);
    }
}

/* ---- what a library does later ---- */

static bool stage_answers(const struct search *search, uint32_t function)
{
    const struct flow_function *own = &search->flow->functions[function];
    for (uint32_t call = own->first_call; call < own->call_end; call++)
        if (request_call_answers(search, call))
            return true;
    return false;
}

/* The argument that a callback gets as its first: the task. */
static int task_argument(const struct search *search, uint32_t call, uint32_t function)
{
    const struct flow *flow = search->flow;
    const struct flow_function *stage = &flow->functions[function];
    const char *const *texts = flow->calls[call].texts;
    if (!stage->parameter_count || !texts)
        return NO_ARGUMENT;
    const struct flow_node *parameter = &flow->nodes[stage->parameters[0]];
    for (uint32_t i = 0; i < flow_graph_argument_count(search->graph, call); i++) {
        struct flow_list list = flow_graph_argument(search->graph, call, (int)i);
        if (!*texts[i] || !*parameter->name || !list.count)
            continue;
        for (uint32_t j = 0; j < search->graph->in[stage->parameters[0]].count; j++) {
            const struct flow_edge *edge =
                &flow->edges[search->graph->in[stage->parameters[0]].items[j]];
            if (edge->copy && edge->from == flow->items[list.first] / 2)
                return (int)i;
        }
    }
    return NO_ARGUMENT;
}

/* work(task) in another thread, then done(task): whichever of them answers last ends it. */
static void consider_stages(struct search *search, uint32_t call, const struct id_list *stages)
{
    const struct flow *flow = search->flow;
    const struct flow_call *at = &flow->calls[call];
    struct request_path path = {.source = SOURCE_CALLBACK,
                                .source_call = call,
                                .around = at->function,
                                .loop = FLOW_NONE,
                                .push = FLOW_NONE,
                                .pop = FLOW_NONE};
    uint32_t last = FLOW_NONE;
    int task = task_argument(search, call, stages->items[0]);
    for (uint32_t i = 0; i < stages->count && path.enter_count < REQUEST_ENTERS; i++) {
        const struct flow_function *stage = &flow->functions[stages->items[i]];
        const char *id = stage->parameter_count ? flow->nodes[stage->parameters[0]].name : "";
        path.enters[path.enter_count++] = (struct request_mark){stages->items[i], 0, id};
        path.size += request_count_reached(search, stages->items[i]);
        if (stage_answers(search, stages->items[i]))
            last = i;
    }
    if (last == FLOW_NONE || task == NO_ARGUMENT || !at->statement ||
        !request_call_marks(search, call))
        return;
    path.enter_count = last + 1;
    path.function = stages->items[last];
    path.begin = (struct request_mark){at->function, at->statement, at->texts[task]};
    path.end = path.enters[last];
    path.sink_call = call;
    path.certain = true;
    request_weigh(search, &path, 2);
    request_add_reason(search, &path,
                       arena_printf(&search->graph->flow->arena,
                                    "%s on line %u of %s hands over what was received",
                                    request_call_name(search, call), at->line,
                                    flow->functions[at->function].file));
    request_add_reason(search, &path,
                       arena_printf(&search->graph->flow->arena, "%s has it then, and answers",
                                    flow->functions[path.function].name));
    request_add_path(search, &path);
}

static void search_stages(struct search *search)
{
    const struct flow_graph *graph = search->graph;
    for (uint32_t i = 0; i < graph->callback_count; i++) {
        struct id_list stages = {0};
        uint32_t call = graph->callbacks[i].call;
        bool first = graph->callbacks[i].role == ROLE_LATER &&
                     search->flow->calls[call].function != FLOW_NONE;
        for (uint32_t j = 0; j < graph->callback_count && first; j++) {
            first = j >= i || graph->callbacks[j].call != call;
            if (graph->callbacks[j].call == call)
                id_list_add(&stages, graph->callbacks[j].function);
        }
        begin_search(search, SOURCE_CALLBACK, call, true);
        if (first && stages.count)
            consider_stages(search, call, &stages);
        memory_free(stages.items);
    }
}

/* ---- the likeliest ---- */

static int compare_paths(const void *a, const void *b)
{
    const struct request_path *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return (x->function > y->function) - (x->function < y->function);
}

/* What is within another one's request is a part of it. */
static void note_parts(struct search *search)
{
    enum { MOST_COMPARED = 40, PART = 15, NOT_FAR_BELOW = 30 };
    struct request_paths *paths = search->paths;
    for (uint32_t i = 0; i < paths->count && i < MOST_COMPARED; i++) {
        bool part = false;
        for (uint32_t j = 0; j < paths->count && j < MOST_COMPARED && !part; j++)
            part =
                i != j && paths->items[j].certain && paths->items[j].source <= SOURCE_CALLBACK &&
                paths->items[j].level <= paths->items[i].level &&
                paths->items[j].around != paths->items[i].function &&
                paths->items[j].weight > paths->items[i].weight - NOT_FAR_BELOW &&
                request_reaches_near(search, paths->items[j].function, paths->items[i].function) &&
                !request_reaches_near(search, paths->items[i].function, paths->items[j].function);
        paths->items[i].part = part;
    }
    for (uint32_t i = 0; i < paths->count; i++)
        paths->items[i].weight -= paths->items[i].part ? PART : 0;
}

static void release_search(struct search *search)
{
    memory_free(search->answers);
    memory_free(search->receives);
    memory_free(search->waits);
    memory_free(search->called_back);
    memory_free(search->threads);
    memory_free(search->pauses);
    memory_free(search->sizes);
    memory_free(search->depths);
    memory_free(search->programs);
    memory_free(search->climbed);
    memory_free(search->visited);
}

void request_paths_find(struct request_paths *paths, struct flow_graph *graph)
{
    size_t functions = graph->flow->function_count + 1;
    struct search search = {.graph = graph, .flow = graph->flow, .paths = paths};
    search.answers = memory_zeroed(functions);
    search.receives = memory_zeroed(functions);
    search.sends = paths->sinks = memory_zeroed(graph->flow->call_count + 1);
    search.waits = memory_zeroed(functions);
    search.called_back = memory_zeroed(functions);
    search.threads = memory_zeroed(functions);
    search.pauses = memory_zeroed(functions);
    search.sizes = memory_zeroed(functions * sizeof *search.sizes);
    search.visited = memory_zeroed(functions * sizeof *search.visited);
    search.climbed = memory_zeroed((graph->flow->call_count + 1) * sizeof *search.climbed);
    search.programs = memory_zeroed(functions * sizeof *search.programs);
    search.depths = memory_alloc(functions * sizeof *search.depths);
    search.typed = request_is_for_typing(graph);
    request_mark_sources(graph);
    request_mark_sockets(graph);
    request_mark_received(&search);
    flow_graph_find_connections(graph);
    request_note_roots(&search);
    request_find_depths(&search);
    request_find_programs(&search);
    request_find_answering(&search);
    request_find_receiving(&search);
    search_receivers(&search);
    search_callbacks(&search);
    search_stages(&search);
    search_others(&search);
    if (!paths->count)
        request_search_tasks(&search);
    if (paths->count) {
        qsort(paths->items, paths->count, sizeof *paths->items, compare_paths);
        note_parts(&search);
        qsort(paths->items, paths->count, sizeof *paths->items, compare_paths);
    }
    request_judge(&search);
    release_search(&search);
}

void request_paths_release(struct request_paths *paths)
{
    memory_free(paths->items);
    memory_free(paths->sinks);
    *paths = (struct request_paths){0};
}
