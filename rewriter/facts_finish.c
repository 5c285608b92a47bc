#include "rewriter/facts_finish.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "rewriter/override_graph.h"
#include "trace/function_table.h"

struct ordered {
    const struct facts *facts;
    uint32_t index;
};

static int compare_functions(const void *a, const void *b)
{
    const struct ordered *p = a, *q = b;
    const struct facts *facts = p->facts;
    const struct fact_function *x = &facts->functions[p->index], *y = &facts->functions[q->index];
    bool x_body = x->file != FACT_NO_FILE, y_body = y->file != FACT_NO_FILE;
    if (x_body != y_body)
        return x_body ? -1 : 1;
    int order = 0;
    if (x_body)
        order = strcmp(facts->files[x->file].path, facts->files[y->file].path);
    if (order == 0 && x_body)
        order = (x->body > y->body) - (x->body < y->body);
    if (order == 0)
        order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->usr, y->usr);
}

/* Each function is resolved to one with a body that stands for it: itself, or one of its USR. */
struct resolution {
    uint32_t *final;    /* by old index: the new index */
    struct intern usrs; /* of functions that other files can call and that have a body */
    uint32_t *first;    /* by usr: new index + 1 of the first with this USR */
    uint32_t *next;     /* by new index: new index + 1 of another one, or 0 */
    struct override_graph overrides;
};

static bool is_shared(const struct fact_function *function)
{
    return function->file != FACT_NO_FILE && !function->local;
}

static void list_shared(struct resolution *resolution, const struct facts *facts,
                        const uint32_t *order, uint32_t count)
{
    resolution->first = memory_zeroed((count + 1) * sizeof(uint32_t));
    resolution->next = memory_zeroed((count + 1) * sizeof(uint32_t));
    for (uint32_t i = count; i-- > 0;) {
        const struct fact_function *function = &facts->functions[order[i]];
        if (!is_shared(function))
            continue;
        uint32_t usr = intern_add(&resolution->usrs, function->usr);
        resolution->next[i] = resolution->first[usr];
        resolution->first[usr] = i + 1;
    }
}

static uint32_t shared_of(const struct resolution *resolution, const struct fact_function *function)
{
    uint32_t usr = function->file == FACT_NO_FILE ? intern_find(&resolution->usrs, function->usr)
                                                  : INTERN_NONE;
    return usr == INTERN_NONE ? 0 : resolution->first[usr];
}

/* Where a compilation that does not see the body takes the address, it is the body's. */
static void spread_addresses(const struct resolution *resolution, struct facts *facts,
                             const uint32_t *order)
{
    for (uint32_t i = 0; i < facts->function_count; i++)
        if (facts->functions[i].address_taken || facts->functions[i].referenced)
            for (uint32_t at = shared_of(resolution, &facts->functions[i]); at;
                 at = resolution->next[at - 1]) {
                struct fact_function *body = &facts->functions[order[at - 1]];
                body->address_taken |= facts->functions[i].address_taken;
                body->referenced |= facts->functions[i].referenced;
                if (facts->functions[i].type)
                    body->type = facts->functions[i].type;
                body->handles_signals |= facts->functions[i].handles_signals;
            }
}

/* The new order is one of old indices. */
static uint32_t order_functions(const struct facts *facts, uint32_t *order)
{
    struct ordered *all = memory_alloc((facts->function_count + 1) * sizeof *all);
    for (uint32_t i = 0; i < facts->function_count; i++)
        all[i] = (struct ordered){facts, i};
    qsort(all, facts->function_count, sizeof *all, compare_functions);
    for (uint32_t i = 0; i < facts->function_count; i++)
        order[i] = all[i].index;
    memory_free(all);
    return facts->function_count;
}

/* Some functions no body calls: the compiler's own, for one. */
static bool *find_called(const struct facts *facts)
{
    bool *called = memory_zeroed(facts->function_count + 1);
    for (uint32_t i = 0; i < facts->function_count; i++)
        for (uint32_t k = 0; k < facts->functions[i].callee_count; k++)
            called[facts->functions[i].callees[k]] = true;
    return called;
}

/* What got a body elsewhere and what nobody calls leaves the order. */
static uint32_t drop_bodiless(const struct facts *facts, struct resolution *resolution,
                              uint32_t *order, uint32_t count)
{
    bool *called = find_called(facts);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t shared = shared_of(resolution, &facts->functions[order[i]]);
        resolution->final[order[i]] = shared ? shared - 1 : kept;
        bool needed = facts->functions[order[i]].file != FACT_NO_FILE || called[order[i]];
        if (!shared && needed)
            order[kept++] = order[i];
    }
    memory_free(called);
    return kept;
}

static int compare_indices(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

struct index_list {
    uint32_t *items;
    size_t count, capacity;
};

/* A function without a body stands for all with its USR that have one. */
static void list_callee(struct index_list *list, const struct resolution *resolution,
                        const struct fact_function *old_functions, uint32_t callee)
{
    uint32_t at = resolution->final[callee] + 1;
    bool many = shared_of(resolution, &old_functions[callee]) != 0;
    for (; at; at = many ? resolution->next[at - 1] : 0)
        VEC_PUSH(list->items, list->count, list->capacity) = at - 1;
}

static bool has_body(const struct resolution *resolution, const struct fact_function *function)
{
    return function->file != FACT_NO_FILE || shared_of(resolution, function) != 0;
}

/* Every function with a body that overrides one of the virtual callees may be called, too. */
static void list_overriders(struct index_list *list, struct resolution *resolution,
                            const struct fact_function *function,
                            const struct fact_function *old_functions)
{
    for (uint32_t i = 0; i < function->virtual_count; i++) {
        uint32_t count = override_graph_reach(&resolution->overrides, function->virtuals[i]);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t overrider = resolution->overrides.reached[k];
            if (has_body(resolution, &old_functions[overrider]))
                list_callee(list, resolution, old_functions, overrider);
        }
    }
}

/* The list moves into the arena, each function once, ascending. */
static uint32_t *finish_list(struct facts *facts, struct index_list *list, uint32_t *count)
{
    uint32_t *all = list->items, *kept = ARENA_ARRAY(&facts->arena, uint32_t, list->count + 1);
    if (list->count)
        qsort(all, list->count, sizeof *all, compare_indices);
    *count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (i == 0 || all[i] != all[i - 1])
            kept[(*count)++] = all[i];
    memory_free(all);
    return kept;
}

static void finish_callees(struct facts *facts, struct fact_function *function,
                           struct resolution *resolution, const struct fact_function *old_functions)
{
    struct index_list list = {0};
    for (uint32_t i = 0; i < function->callee_count; i++)
        list_callee(&list, resolution, old_functions, function->callees[i]);
    list_overriders(&list, resolution, function, old_functions);
    function->callees = finish_list(facts, &list, &function->callee_count);
}

/* Only those that are in the tree can be timed. */
static void finish_references(struct facts *facts, struct fact_function *function,
                              const struct resolution *resolution,
                              const struct fact_function *old_functions)
{
    struct index_list list = {0};
    uint32_t *old = function->references;
    for (uint32_t i = 0; i < function->reference_count; i++)
        if (has_body(resolution, &old_functions[old[i]]))
            list_callee(&list, resolution, old_functions, old[i]);
    function->references = finish_list(facts, &list, &function->reference_count);
    memory_free(old);
}

static void finish_function(struct facts *facts, struct fact_function *function,
                            struct resolution *resolution,
                            const struct fact_function *old_functions)
{
    uint32_t *old_callees = function->callees;
    struct fact_call *old_calls = function->calls;
    struct fact_statement *old_statements = function->statements;
    finish_callees(facts, function, resolution, old_functions);
    finish_references(facts, function, resolution, old_functions);
    function->calls = ARENA_ARRAY(&facts->arena, struct fact_call, function->call_count + 1);
    for (uint32_t i = 0; i < function->call_count; i++) {
        function->calls[i] = old_calls[i];
        if (old_calls[i].callee != FUNCTION_NONE)
            function->calls[i].callee = resolution->final[old_calls[i].callee];
    }
    function->statements =
        ARENA_ARRAY(&facts->arena, struct fact_statement, function->statement_count + 1);
    if (function->statement_count)
        memcpy(function->statements, old_statements,
               function->statement_count * sizeof *old_statements);
    memory_free(old_callees);
    function->virtuals = function->overrides = NULL;
    function->virtual_count = function->override_count = 0;
    memory_free(old_calls);
    memory_free(old_statements);
}

/* Is there a function without a body among those that a virtual call of this one may reach? */
static bool is_open_ended(struct resolution *resolution, const struct fact_function *functions,
                          uint32_t function)
{
    uint32_t count = override_graph_reach(&resolution->overrides, function), bodies = 0;
    bool open = functions[function].foreign;
    for (uint32_t i = 0; i < count && !open; i++) {
        const struct fact_function *one = &functions[resolution->overrides.reached[i]];
        bool body = has_body(resolution, one);
        bodies += body;
        open = !body && !one->pure;
    }
    return open || bodies == 0;
}

/* The functions of one USR are marked alike, for one of them stays. */
static void mark_open_ended(const struct override_graph *graph, struct fact_function *functions,
                            uint32_t function)
{
    uint32_t at = graph->first[graph->member[function]];
    for (; at; at = graph->next[at - 1])
        functions[at - 1].open_ended = true;
}

static void note_open_ended(struct resolution *resolution, struct fact_function *functions,
                            uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < functions[i].virtual_count; k++) {
            uint32_t callee = functions[i].virtuals[k];
            if (!functions[callee].open_ended && is_open_ended(resolution, functions, callee))
                mark_open_ended(&resolution->overrides, functions, callee);
        }
}

void facts_finish_functions(struct facts *facts)
{
    struct fact_function *old = facts->functions;
    uint32_t *order = memory_alloc((facts->function_count + 1) * sizeof *order);
    uint32_t count = order_functions(facts, order);
    struct resolution resolution = {.final = memory_zeroed((count + 1) * sizeof(uint32_t))};
    list_shared(&resolution, facts, order, count);
    spread_addresses(&resolution, facts, order);
    override_graph_init(&resolution.overrides, old, count);
    note_open_ended(&resolution, old, count);
    uint32_t kept = drop_bodiless(facts, &resolution, order, count);
    struct fact_function *functions = ARENA_ARRAY(&facts->arena, struct fact_function, kept + 1);
    for (uint32_t i = 0; i < kept; i++) {
        functions[i] = old[order[i]];
        finish_function(facts, &functions[i], &resolution, old);
    }
    facts->functions = functions;
    facts->function_count = kept;
    for (uint32_t i = 0; i < count; i++) {
        memory_free(old[i].virtuals);
        memory_free(old[i].overrides);
    }
    override_graph_release(&resolution.overrides);
    intern_release(&resolution.usrs);
    memory_free(resolution.final);
    memory_free(resolution.first);
    memory_free(resolution.next);
    memory_free(order);
    memory_free(old);
}
