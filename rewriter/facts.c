/* Puts the facts of many compilations together. A function with a body is known by where the body
 * stands; one without by its USR, until a compilation shows a body for that USR. */
#include "rewriter/facts_parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/str.h"
#include "rewriter/override_graph.h"
#include "trace/function_table.h"

struct facts_merger {
    struct facts facts;
    struct intern paths;     /* index is that of facts.files */
    struct intern functions; /* key -> index of facts.functions */
    struct intern macros;    /* "file:offset" */
    size_t file_capacity, function_capacity, macro_capacity, unit_capacity, failure_capacity;
};

/* Where each function of one part went. */
struct remap {
    uint32_t *file;
    uint32_t *function;
};

struct facts_merger *facts_merger_new(void)
{
    return memory_zeroed(sizeof(struct facts_merger));
}

static uint32_t merge_file(struct facts_merger *merger, const struct fact_file *file)
{
    uint32_t id = intern_add(&merger->paths, file->path);
    struct facts *facts = &merger->facts;
    if (id == facts->file_count) {
        struct fact_file fresh = {arena_strdup(&facts->arena, file->path), file->hash};
        VEC_PUSH(facts->files, facts->file_count, merger->file_capacity) = fresh;
    }
    return id;
}

/* Several functions may come out of one use of a macro: then the name tells them apart. */
static void function_key(const struct fact_function *function, uint32_t file, struct str *key)
{
    str_clear(key);
    if (function->file == FACT_NO_FILE)
        str_printf(key, "u:%s", function->usr);
    else
        str_printf(key, "%u:%u", file, function->body);
    if (function->file != FACT_NO_FILE && function->obstacle &&
        strstr(function->obstacle, "from a macro"))
        str_printf(key, ":%s", function->usr);
}

static void own_parameters(struct facts *facts, struct fact_function *function)
{
    const struct fact_parameter *from = function->parameters;
    function->parameters =
        ARENA_ARRAY(&facts->arena, struct fact_parameter, function->parameter_count + 1);
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        function->parameters[i] = from[i];
        function->parameters[i].name = arena_strdup(&facts->arena, from[i].name);
    }
}

static uint32_t merge_function(struct facts_merger *merger, const struct fact_function *from,
                               const struct remap *remap)
{
    struct facts *facts = &merger->facts;
    struct str key = {0};
    uint32_t file = from->file == FACT_NO_FILE ? FACT_NO_FILE : remap->file[from->file];
    function_key(from, file, &key);
    uint32_t id = intern_add(&merger->functions, key.data);
    str_release(&key);
    if (id < facts->function_count) {
        facts->functions[id].address_taken |= from->address_taken;
        facts->functions[id].referenced |= from->referenced;
        facts->functions[id].handles_signals |= from->handles_signals;
        return id;
    }
    struct fact_function fresh = *from;
    fresh.name = arena_strdup(&facts->arena, from->name);
    fresh.symbol = arena_strdup(&facts->arena, from->symbol);
    fresh.usr = arena_strdup(&facts->arena, from->usr);
    if (from->macro)
        fresh.macro = arena_strdup(&facts->arena, from->macro);
    fresh.file = file;
    own_parameters(facts, &fresh);
    fresh.calls = NULL;
    fresh.statements = NULL;
    fresh.callees = fresh.references = fresh.virtuals = fresh.overrides = NULL;
    fresh.call_count = fresh.statement_count = fresh.callee_count = 0;
    fresh.reference_count = fresh.virtual_count = fresh.override_count = 0;
    VEC_PUSH(facts->functions, facts->function_count, merger->function_capacity) = fresh;
    return id;
}

static int compare_calls(const struct fact_call *a, const struct fact_call *b)
{
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->callee_end != b->callee_end)
        return a->callee_end < b->callee_end ? -1 : 1;
    if (!a->macro || !b->macro)
        return 0;
    return (a->callee > b->callee) - (a->callee < b->callee);
}

static struct fact_call own_call(struct facts *facts, const struct fact_call *from,
                                 const struct remap *remap)
{
    struct fact_call call = *from;
    if (call.callee != FUNCTION_NONE)
        call.callee = remap->function[call.callee];
    if (call.macro)
        call.macro = arena_strdup(&facts->arena, call.macro);
    if (call.name)
        call.name = arena_strdup(&facts->arena, call.name);
    if (call.arguments) {
        call.arguments = ARENA_ARRAY(&facts->arena, struct fact_argument, call.argument_count + 1);
        memcpy(call.arguments, from->arguments, call.argument_count * sizeof *call.arguments);
    }
    return call;
}

/* The same text in two compilations: what stops one stops both. */
static void join_calls(struct fact_call *into, const struct fact_call *from,
                       const struct remap *remap)
{
    uint32_t callee = from->callee == FUNCTION_NONE ? FUNCTION_NONE : remap->function[from->callee];
    if (!into->text_obstacle)
        into->text_obstacle = from->text_obstacle;
    if (!into->value_obstacle)
        into->value_obstacle = from->value_obstacle;
    if (!into->value_obstacle &&
        (callee != into->callee || into->argument_count != from->argument_count ||
         into->reference != from->reference))
        into->value_obstacle = "it differs from compilation to compilation";
    into->scalar_result &= from->scalar_result;
    into->held |= from->held;
    for (uint32_t i = 0; i < into->argument_count && i < from->argument_count; i++) {
        into->arguments[i].calls |= from->arguments[i].calls;
        into->arguments[i].copyable &= from->arguments[i].copyable;
        into->arguments[i].scalar &= from->arguments[i].scalar;
        into->arguments[i].macro_safe &= from->arguments[i].macro_safe;
    }
}

/* A call that is a macro's in one compilation is one in all. */
static void spread_macros(struct fact_call *calls, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (calls[i].begin == calls[i - 1].begin && (calls[i].macro || calls[i - 1].macro)) {
            const struct fact_call *macro = calls[i].macro ? &calls[i] : &calls[i - 1];
            const struct fact_call *other = calls[i].macro ? &calls[i - 1] : &calls[i];
            const char *reason = macro->text_obstacle   ? macro->text_obstacle
                                 : other->text_obstacle ? other->text_obstacle
                                                        : "what its macro stands for differs";
            calls[i].text_obstacle = calls[i - 1].text_obstacle = reason;
        }
}

static void merge_calls(struct facts *facts, struct fact_function *into,
                        const struct fact_function *from, const struct remap *remap)
{
    struct fact_call *all = memory_alloc((into->call_count + from->call_count + 1) * sizeof *all);
    uint32_t i = 0, j = 0, count = 0;
    while (i < into->call_count || j < from->call_count) {
        struct fact_call next = {0};
        if (j < from->call_count)
            next = own_call(facts, &from->calls[j], remap);
        int order = i == into->call_count   ? 1
                    : j == from->call_count ? -1
                                            : compare_calls(&into->calls[i], &next);
        all[count] = order <= 0 ? into->calls[i++] : next;
        if (order == 0)
            join_calls(&all[count], &from->calls[j], remap);
        j += order >= 0;
        count++;
    }
    spread_macros(all, count);
    memory_free(into->calls);
    into->calls = all;
    into->call_count = count;
}

static void merge_statements(struct fact_function *into, const struct fact_function *from)
{
    struct fact_statement *all =
        memory_alloc((into->statement_count + from->statement_count + 1) * sizeof *all);
    uint32_t i = 0, j = 0, count = 0;
    while (i < into->statement_count || j < from->statement_count) {
        bool mine =
            j == from->statement_count ||
            (i < into->statement_count && into->statements[i].offset <= from->statements[j].offset);
        struct fact_statement next = mine ? into->statements[i++] : from->statements[j++];
        if (count && all[count - 1].offset == next.offset)
            all[count - 1].declaration |= next.declaration;
        else
            all[count++] = next;
    }
    memory_free(into->statements);
    into->statements = all;
    into->statement_count = count;
}

/* Adds the indices of `more` that are not there. */
static void merge_indices(uint32_t **into, uint32_t *count, const uint32_t *more,
                          uint32_t more_count, const struct remap *remap)
{
    uint32_t old = *count;
    if (more_count)
        *into = memory_resize(*into, (old + more_count) * sizeof **into);
    for (uint32_t i = 0; i < more_count; i++) {
        uint32_t index = remap->function[more[i]];
        bool known = false;
        for (uint32_t k = 0; k < old && !known; k++)
            known = (*into)[k] == index;
        if (!known)
            (*into)[(*count)++] = index;
    }
}

/* What one compilation sees otherwise than another can't be used. */
static void merge_parameters(struct fact_function *into, const struct fact_function *from)
{
    if (from->parameter_count < into->parameter_count)
        into->parameter_count = from->parameter_count;
    for (uint32_t i = 0; i < into->parameter_count; i++) {
        struct fact_parameter *mine = &into->parameters[i];
        mine->scalar &= from->parameters[i].scalar;
        mine->pointer &= from->parameters[i].pointer;
        if (strcmp(mine->name, from->parameters[i].name) != 0)
            mine->name = "";
    }
}

static void merge_body(struct facts *facts, struct fact_function *into,
                       const struct fact_function *from, const struct remap *remap)
{
    into->marks |= from->marks;
    into->cplusplus |= from->cplusplus;
    into->indirect_calls |= from->indirect_calls;
    into->unbounded |= from->unbounded;
    into->crowded |= from->crowded;
    into->team |= from->team;
    into->team_unseen |= from->team_unseen;
    into->local &= from->local;
    merge_parameters(into, from);
    if (!into->obstacle)
        into->obstacle = from->obstacle;
    if (!into->macro || !from->macro || strcmp(into->macro, from->macro) != 0 ||
        into->macro_order != from->macro_order || into->macro_line != from->macro_line)
        into->macro = NULL;
    merge_calls(facts, into, from, remap);
    merge_statements(into, from);
    merge_indices(&into->callees, &into->callee_count, from->callees, from->callee_count, remap);
    merge_indices(&into->references, &into->reference_count, from->references,
                  from->reference_count, remap);
    merge_indices(&into->virtuals, &into->virtual_count, from->virtuals, from->virtual_count,
                  remap);
}

static void merge_macros(struct facts_merger *merger, const struct facts *part,
                         const struct remap *remap)
{
    struct facts *facts = &merger->facts;
    struct str key = {0};
    for (uint32_t i = 0; i < part->macro_count; i++) {
        struct fact_macro macro = part->macros[i];
        str_clear(&key);
        if (macro.file == FACT_NO_FILE) {
            str_printf(&key, "%s%s %s", macro.name, macro.parameters, macro.body);
        } else {
            macro.file = remap->file[macro.file];
            str_printf(&key, "%u:%u", macro.file, macro.begin);
        }
        if (intern_add(&merger->macros, key.data) < facts->macro_count)
            continue;
        macro.name = arena_strdup(&facts->arena, macro.name);
        macro.parameters = arena_strdup(&facts->arena, macro.parameters);
        macro.body = arena_strdup(&facts->arena, macro.body);
        VEC_PUSH(facts->macros, facts->macro_count, merger->macro_capacity) = macro;
    }
    str_release(&key);
}

static void merge_unit(struct facts_merger *merger, const struct fact_unit *from,
                       const struct remap *remap)
{
    struct facts *facts = &merger->facts;
    struct fact_unit unit = {
        .file = remap->file[from->file], .sync = from->sync, .include_count = from->include_count};
    unit.includes = ARENA_ARRAY(&facts->arena, uint32_t, from->include_count + 1);
    for (uint32_t i = 0; i < from->include_count; i++)
        unit.includes[i] = remap->file[from->includes[i]];
    VEC_PUSH(facts->units, facts->unit_count, merger->unit_capacity) = unit;
}

static void merge_failure(struct facts_merger *merger, const struct fact_failure *from)
{
    struct facts *facts = &merger->facts;
    for (uint32_t i = 0; i < facts->failure_count; i++)
        if (facts->failures[i].line == from->line &&
            strcmp(facts->failures[i].file, from->file) == 0)
            return;
    struct fact_failure failure = {arena_strdup(&facts->arena, from->file), from->line,
                                   arena_strdup(&facts->arena, from->reason)};
    VEC_PUSH(facts->failures, facts->failure_count, merger->failure_capacity) = failure;
}

void facts_merger_add(struct facts_merger *merger, const struct facts *part)
{
    struct remap remap = {
        memory_alloc((part->file_count + 1) * sizeof(uint32_t)),
        memory_alloc((part->function_count + 1) * sizeof(uint32_t)),
    };
    for (uint32_t i = 0; i < part->file_count; i++)
        remap.file[i] = merge_file(merger, &part->files[i]);
    for (uint32_t i = 0; i < part->function_count; i++)
        remap.function[i] = merge_function(merger, &part->functions[i], &remap);
    for (uint32_t i = 0; i < part->function_count; i++) {
        const struct fact_function *from = &part->functions[i];
        struct fact_function *into = &merger->facts.functions[remap.function[i]];
        if (from->file != FACT_NO_FILE)
            merge_body(&merger->facts, into, from, &remap);
        merge_indices(&into->overrides, &into->override_count, from->overrides,
                      from->override_count, &remap);
    }
    merge_macros(merger, part, &remap);
    for (uint32_t i = 0; i < part->unit_count; i++)
        merge_unit(merger, &part->units[i], &remap);
    for (uint32_t i = 0; i < part->failure_count; i++)
        merge_failure(merger, &part->failures[i]);
    memory_free(remap.file);
    memory_free(remap.function);
}

/* Finishing: one order, whatever the order of the commands was --------------------------------- */

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

/* For each function the one with a body that stands for it: itself, or one of its USR. */
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
                body->handles_signals |= facts->functions[i].handles_signals;
            }
}

/* The new order, with the functions left out that got a body: `order` holds old indices. */
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

/* Those that some body names: the compiler's own functions, for one, are not. */
static bool *find_called(const struct facts *facts)
{
    bool *called = memory_zeroed(facts->function_count + 1);
    for (uint32_t i = 0; i < facts->function_count; i++)
        for (uint32_t k = 0; k < facts->functions[i].callee_count; k++)
            called[facts->functions[i].callees[k]] = true;
    return called;
}

/* Leaves out of `order` what got a body elsewhere and what nobody calls. */
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

/* A function, or all that share its USR. */
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

/* Every function with a body that overrides one of the virtual callees. */
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

/* Each once, ascending, in the arena; frees the list. */
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

/* It and the others of its USR, of which one stays. */
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

static void finish_functions(struct facts *facts)
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

static void *into_arena(struct arena *arena, void *array, size_t size_bytes)
{
    void *copy = arena_alloc(arena, size_bytes + 1);
    if (size_bytes)
        memcpy(copy, array, size_bytes);
    memory_free(array);
    return copy;
}

static int compare_macros(const void *a, const void *b)
{
    const struct fact_macro *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->body, y->body);
}

void facts_merger_finish(struct facts_merger *merger, struct facts *facts)
{
    *facts = merger->facts;
    finish_functions(facts);
    if (facts->macro_count)
        qsort(facts->macros, facts->macro_count, sizeof *facts->macros, compare_macros);
    struct arena *arena = &facts->arena;
    facts->files = into_arena(arena, facts->files, facts->file_count * sizeof *facts->files);
    facts->macros = into_arena(arena, facts->macros, facts->macro_count * sizeof *facts->macros);
    facts->units = into_arena(arena, facts->units, facts->unit_count * sizeof *facts->units);
    facts->failures =
        into_arena(arena, facts->failures, facts->failure_count * sizeof *facts->failures);
    intern_release(&merger->paths);
    intern_release(&merger->functions);
    intern_release(&merger->macros);
    memory_free(merger);
}

void facts_release(struct facts *facts)
{
    arena_release(&facts->arena);
    *facts = (struct facts){0};
}
