#include "driver/init/request_search.h"

#include <string.h>

#include "base/memory.h"

#define FRAME "__builtin_frame_address(0)"

/* ---- one function that holds source and sink ---- */

uint32_t request_common_loop(const struct flow *flow, uint32_t a, uint32_t b)
{
    for (uint32_t loop = flow->calls[a].loop; loop != FLOW_NONE; loop = flow->loops[loop].parent)
        if (b >= flow->loops[loop].first_call && b < flow->loops[loop].call_end)
            return loop;
    return FLOW_NONE;
}

static uint32_t common_block(const struct flow *flow, uint32_t a, uint32_t b)
{
    for (uint32_t block = flow->calls[a].block; block != FLOW_NONE;
         block = flow->blocks[block].parent)
        if (b >= flow->blocks[block].first_call && b < flow->blocks[block].call_end)
            return block;
    return FLOW_NONE;
}

/* The arm, or the next around it, that does not hold the call: FLOW_NONE where there is none within
 * the loop. */
static uint32_t arm_without(const struct flow *flow, uint32_t from, uint32_t other, uint32_t loop)
{
    for (uint32_t arm = from; arm != FLOW_NONE; arm = flow->arms[arm].parent) {
        uint32_t around = flow->calls[other].arm;
        while (around != FLOW_NONE && around != arm)
            around = flow->arms[around].parent;
        uint32_t own = flow->arms[arm].loop;
        while (own != loop && own != FLOW_NONE)
            own = flow->loops[own].parent;
        if (around == FLOW_NONE && own == loop)
            return arm;
    }
    return FLOW_NONE;
}

/* switch (state) { case READS: recv(...); break; case WRITES: send(...); }: one turn of the loop,
 * or one call where that is FLOW_NONE, does not do both. Where each hangs on a condition of its
 * own, it need not. */
static bool are_apart(const struct flow *flow, uint32_t a, uint32_t b, uint32_t loop)
{
    bool own_a = false, own_b = false;
    for (uint32_t x = flow->calls[a].arm; (x = arm_without(flow, x, b, loop)) != FLOW_NONE;
         x = flow->arms[x].parent) {
        own_a |= !flow->arms[x].rest;
        for (uint32_t y = flow->calls[b].arm; (y = arm_without(flow, y, a, loop)) != FLOW_NONE;
             y = flow->arms[y].parent)
            if (flow->arms[x].choice == flow->arms[y].choice)
                return true;
    }
    for (uint32_t y = flow->calls[b].arm; (y = arm_without(flow, y, a, loop)) != FLOW_NONE;
         y = flow->arms[y].parent)
        own_b |= !flow->arms[y].rest;
    return own_a && own_b;
}

/* How surely the call answers this client: it is given the connection, or only what was received. */
static unsigned call_strength(const struct search *search, uint32_t call)
{
    unsigned marks = request_call_marks(search, call);
    if (search->alone) /* nobody need be given it */
        return 2;
    if (search->typed) /* whatever is printed goes to the same place */
        return marks & FLOW_REQUEST ? 2 : search->sends[call] ? 1 : 0;
    return marks & (FLOW_ACCEPTED | FLOW_DATAGRAM) ? 2 : marks ? 1 : 0;
}

static bool is_dispatched(const struct search *search, uint32_t call)
{
    return search->flow->calls[call].callee == FLOW_NONE && search->graph->targets[call].count > 1;
}

/* Where events have the function called, turns of a loop in it get from one state to the next; but
 * those that run what was registered are for one event each. */
static bool is_apart(struct search *search, uint32_t via, uint32_t call, uint32_t loop)
{
    uint32_t function = search->flow->calls[call].function;
    if (via == FLOW_NONE || !are_apart(search->flow, via, call, loop))
        return false;
    search->turn++;
    return loop == FLOW_NONE || search->waits[function] || is_dispatched(search, via) ||
           !request_is_event_context(search, function, 0);
}

/* Calls of the function that answer, in the loop or after the source; the surest alone. */
unsigned request_find_answers(struct search *search, uint32_t function, uint32_t via,
                              struct id_list *looped, struct id_list *after)
{
    enum { TOGETHER = 4 };
    const struct flow_function *own = &search->flow->functions[function];
    unsigned best = 0;
    for (uint32_t call = own->first_call; call < own->call_end; call++) {
        if (search->flow->calls[call].function != function || call == via ||
            !request_call_answers(search, call))
            continue;
        uint32_t loop = via != FLOW_NONE ? request_common_loop(search->flow, via, call) : FLOW_NONE;
        bool shares = loop != FLOW_NONE;
        unsigned strength = call_strength(search, call);
        if (!strength || !(shares || via == FLOW_NONE || call > via))
            continue;
        strength += is_apart(search, via, call, loop) ? 0 : TOGETHER;
        if (strength < best)
            continue;
        if (strength > best)
            looped->count = after->count = 0;
        best = strength;
        id_list_add(shares ? looped : after, call);
    }
    search->apart = best && best < TOGETHER;
    return best % TOGETHER;
}

static uint32_t call_size(struct search *search, uint32_t call)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < search->graph->targets[call].count; i++)
        if (!request_edge_is_cut(search, search->graph->targets[call].items[i]))
            size += request_count_reached(search, search->graph->targets[call].items[i]);
    return size;
}

/* The call that does most of what a turn of the loop does, of those that answer: FLOW_NONE where
 * none does. */
uint32_t request_find_handler(struct search *search, uint32_t via, uint32_t loop,
                              const struct id_list *answers)
{
    const struct flow_loop *own = &search->flow->loops[loop];
    uint32_t best = FLOW_NONE, best_size = 0, other = 0, function = own->function;
    for (uint32_t i = 0; i < answers->count; i++) {
        uint32_t call = answers->items[i], size = call_size(search, call);
        if (call >= own->first_call && call < own->call_end && size > best_size &&
            search->graph->targets[call].count == 1) {
            best = call;
            best_size = size;
        }
    }
    if (best == FLOW_NONE || !request_call_marks(search, best))
        return FLOW_NONE;
    for (uint32_t call = own->first_call; call < own->call_end; call++)
        if (call != best && call != via && search->flow->calls[call].function == function &&
            (call > via || request_call_answers(search, call)))
            other += call_size(search, call) + search->sends[call];
    return best_size >= 2 * other || (best_size >= other && answers->count == 1) ? best : FLOW_NONE;
}

/* ---- marks ---- */

void request_mark_call(struct request_path *path, uint32_t function)
{
    path->shape = REQUEST_CALL;
    path->function = function;
    path->begin = path->end = (struct request_mark){function, 0, FRAME};
}

/* if (got <= 0) break; begins no request. */
static uint32_t after_checks(const struct search *search, const struct flow_block *block,
                             uint32_t i)
{
    for (; i < block->step_count && block->steps[i].leaves; i++)
        for (uint32_t call = block->steps[i].first_call; call < block->steps[i].call_end; call++)
            if (search->graph->targets[call].count || search->sends[call])
                return block->steps[i].line;
    return i < block->step_count ? block->steps[i].line : block->end_line;
}

static void add_end(struct request_path *path, uint32_t line)
{
    for (uint32_t i = 0; i < path->end_count; i++)
        if (path->ends[i].line == line)
            return;
    if (path->end_count < REQUEST_ENDS)
        path->ends[path->end_count++] = (struct request_mark){path->function, line, FRAME};
    else
        path->unended = line;
}

/* The line after the loop, or 0 where the function ends there. */
static uint32_t line_after_loop(const struct flow *flow, uint32_t loop)
{
    const struct flow_loop *own = &flow->loops[loop];
    for (uint32_t i = 0; i < flow->block_count; i++) {
        const struct flow_block *block = &flow->blocks[i];
        for (uint32_t j = 0; block->function == own->function && block->loop == own->parent &&
                             j + 1 < block->step_count;
             j++)
            if (block->steps[j].line == own->line)
                return block->steps[j + 1].line;
    }
    return 0;
}

static bool leaves_turn(const struct request_path *path, const struct flow_leave *leave,
                        uint32_t loop)
{
    if (leave->function != path->function || leave->line < path->begin.line ||
        leave->line >= path->end.line)
        return false;
    if (leave->way == FLOW_GOTO)
        return leave->target < path->begin.line || leave->target >= path->end.line;
    return leave->way == FLOW_LEAVES || leave->loop == loop;
}

/* A turn that is left before its end ends there: before what leaves it, or else where that leads.
 * `again` is the line that receives, or 0 where that is the loop's head. */
static void end_where_left(const struct flow *flow, struct request_path *path, uint32_t loop,
                           uint32_t again)
{
    for (uint32_t i = 0; i < flow->leave_count; i++) {
        const struct flow_leave *leave = &flow->leaves[i];
        if (!leaves_turn(path, leave, loop))
            continue;
        if (leave->placed)
            add_end(path, leave->line);
        else if (leave->way == FLOW_LEAVES)
            add_end(path, 0);
        else if (leave->way == FLOW_BREAK)
            add_end(path, line_after_loop(flow, loop));
        else if (leave->way == FLOW_CONTINUE && again)
            add_end(path, again);
        else
            path->unended = leave->line;
    }
}

/* From the statement after the one that receives to the one after the last that answers. */
bool request_mark_turn(struct search *search, struct request_path *path, uint32_t function,
                       uint32_t via, const struct id_list *answers)
{
    const struct flow *flow = search->flow;
    uint32_t last = answers->items[0], begin = 0, end = 0, again = 0;
    uint32_t loop = request_common_loop(flow, via, last);
    for (uint32_t i = 0; i < answers->count; i++)
        if (answers->items[i] > last && request_common_loop(flow, via, answers->items[i]) == loop)
            last = answers->items[i];
    uint32_t block = common_block(flow, via, last);
    bool heads = false; /* the source is in the loop's head, not in its block */
    if (block == FLOW_NONE || (loop != FLOW_NONE && flow->blocks[block].loop != loop)) {
        for (block = flow->calls[last].block;
             block != FLOW_NONE && flow->blocks[block].parent != FLOW_NONE &&
             flow->blocks[flow->blocks[block].parent].loop == loop;)
            block = flow->blocks[block].parent;
        heads = true;
    }
    if (block == FLOW_NONE || (loop != FLOW_NONE && flow->blocks[block].loop != loop))
        return false;
    const struct flow_block *own = &flow->blocks[block];
    for (uint32_t i = 0; i < own->step_count; i++) {
        const struct flow_step *step = &own->steps[i];
        uint32_t next = i + 1 < own->step_count ? own->steps[i + 1].line : own->end_line;
        if (!heads && via >= step->first_call && via < step->call_end) {
            begin = after_checks(search, own, i + 1);
            again = step->line;
        }
        if (last >= step->first_call && last < step->call_end)
            end = next;
    }
    if (heads && own->step_count)
        begin = after_checks(search, own, 0);
    if (!begin || !end || begin >= end)
        return false;
    path->shape = REQUEST_TURN;
    path->function = function;
    path->loop = loop;
    path->begin = (struct request_mark){function, begin, FRAME};
    path->end = (struct request_mark){function, end, FRAME};
    end_where_left(flow, path, loop, again);
    if (path->unended)
        request_add_reason(search, path,
                           arena_printf(&search->graph->flow->arena,
                                        "line %u leaves it without an end: braces around it would "
                                        "give it one",
                                        path->unended));
    return true;
}

/* ---- hand-overs ---- */

/* The other thread's variable that the value is put into the queue from. */
static bool is_handed_over(struct search *search, const struct flow_node *node, uint32_t thread)
{
    return (node->kind == FLOW_PARAMETER || node->kind == FLOW_LOCAL) && node->scalar &&
           node->function != FLOW_NONE && !request_reaches(search, thread, node->function);
}

/* Goes back from a parameter along copies, to the first that another thread holds. A queue keeps it
 * in a member or a global meanwhile: what only another caller passes on was in none. Each node is
 * noted twice, and 1 where it is known from before the queue. */
static uint32_t hand_over_node(struct search *search, uint32_t parameter, uint32_t thread,
                               uint32_t *pop, uint32_t *line)
{
    enum { MOST_NODES = 3000 };
    const struct flow *flow = search->flow;
    struct id_list todo = {0};
    uint32_t found = FLOW_NONE;
    id_list_add(&todo, 2 * parameter);
    for (uint32_t at = 0; at < todo.count && at < MOST_NODES && found == FLOW_NONE; at++) {
        const struct id_list *in = &search->graph->in[todo.items[at] / 2];
        for (uint32_t i = 0; i < in->count && found == FLOW_NONE; i++) {
            const struct flow_edge *edge = &flow->edges[in->items[i]];
            const struct flow_node *node = &flow->nodes[edge->from];
            bool kept =
                (todo.items[at] & 1) || node->kind == FLOW_MEMBER || node->kind == FLOW_GLOBAL;
            if (!edge->copy || id_list_has(&todo, 2 * edge->from + kept))
                continue;
            if (node->kind == FLOW_RETURN && *pop == FLOW_NONE)
                *pop = node->function;
            if (kept && is_handed_over(search, node, thread)) {
                found = edge->from;
                *line = edge->line;
            }
            id_list_add(&todo, 2 * edge->from + kept);
        }
    }
    memory_free(todo.items);
    return found;
}

/* The request waits in a queue before its handler has it: it begins where it is put there. */
void request_extend_to_queue(struct search *search, struct request_path *path)
{
    const struct flow *flow = search->flow;
    const struct flow_function *handler = &flow->functions[path->function];
    uint32_t thread = request_thread_of(search, path->function);
    enum { FAR_DOWN = 3 }; /* what takes out of a queue is near where its thread begins */
    if (path->shape != REQUEST_CALL || thread == FLOW_NONE || handler->lambda ||
        search->depths[path->function] > FAR_DOWN)
        return;
    for (uint32_t i = 0; i < handler->parameter_count; i++) {
        const struct flow_node *parameter = &flow->nodes[handler->parameters[i]];
        uint32_t pop = FLOW_NONE, line = 0;
        unsigned marks = search->graph->marks[handler->parameters[i]];
        if (flow_graph_node_holds_connection(search->graph, handler->parameters[i]))
            marks |= FLOW_ACCEPTED;
        if (!parameter->scalar || (!path->task && !(marks & (FLOW_ACCEPTED | FLOW_REQUEST))) ||
            strcmp(parameter->name, "this") == 0 || !*parameter->name)
            continue;
        uint32_t from = hand_over_node(search, handler->parameters[i], thread, &pop, &line);
        if (from == FLOW_NONE || strcmp(flow->nodes[from].type, parameter->type) != 0)
            continue;
        const struct flow_node *node = &flow->nodes[from];
        bool whole = node->kind == FLOW_PARAMETER && !search->threads[node->function] &&
                     !search->called_back[node->function];
        path->begin = (struct request_mark){node->function, whole ? 0 : line, node->name};
        path->end.id = parameter->name;
        path->enters[path->enter_count++] =
            (struct request_mark){path->function, 0, parameter->name};
        path->push = whole ? node->function : FLOW_NONE;
        path->push_argument = node->number;
        path->pop = pop != FLOW_NONE && strchr(parameter->type, '*') ? pop : FLOW_NONE;
        request_add_reason(search, path,
                           arena_printf(&search->graph->flow->arena,
                                        "another thread (%s) has it from there by %s",
                                        flow->functions[thread].name, node->name));
        return;
    }
}
