#include "rewriter/facts_merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/str.h"
#include "rewriter/facts_finish.h"
#include "trace/function_table.h"

struct facts_merger {
    struct facts facts;
    struct intern paths;     /* index is that of facts.files */
    struct intern functions; /* key -> index of facts.functions */
    struct intern macros;    /* "file:offset" */
    size_t file_capacity, function_capacity, macro_capacity, unit_capacity, failure_capacity;
};

/* A remap says where each file and function of one part went. */
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
    if (function->file != FACT_NO_FILE && obstacle_is_made(function->obstacle))
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
        if (from->type)
            facts->functions[id].type = from->type;
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
    if (call.object)
        call.object = arena_strdup(&facts->arena, call.object);
    if (call.arguments) {
        call.arguments = ARENA_ARRAY(&facts->arena, struct fact_argument, call.argument_count + 1);
        memcpy(call.arguments, from->arguments, call.argument_count * sizeof *call.arguments);
    }
    return call;
}

/* The same call may stand in two compilations: what stops the edit in one stops it in both. */
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
        into->value_obstacle = OBSTACLE_COMPILATIONS_DIFFER;
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
            enum obstacle why = macro->text_obstacle   ? macro->text_obstacle
                                : other->text_obstacle ? other->text_obstacle
                                                       : OBSTACLE_MACRO_DIFFERS;
            calls[i].text_obstacle = calls[i - 1].text_obstacle = why;
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

/* The indices of `more` that are not there are added. */
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
    facts_finish_functions(facts);
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
