/* Probes are numbered in this order: function i has i + 1; then every call of every function;
 * then the synchronization calls in macro definitions. */
#include "rewriter/plan.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "rewriter/declared_sync.h"
#include "rewriter/made.h"
#include "rewriter/quiet_call.h"
#include "rewriter/source_text.h"
#include "rewriter/sync_name.h"

/* Macros may hide calls of a synchronization function. */
struct hidden_sync {
    bool any;
    uint32_t callee;
};

struct planner {
    struct plan *plan;
    const struct facts *facts;
    const struct rewrite_choice *choice;
    const struct resolved *resolved;
    const bool *declared_in_body; /* by function */
    struct made made;
    bool *made_timed; /* by function */
    bool *names_copy; /* by file: of a macro that is not of the tree */
    struct hidden_sync hidden[SYNC_NAME_COUNT];
    uint32_t function; /* that is planned now */
    bool many;         /* it holds so many probes that they end out of line */
    uint32_t probe;    /* the next number */
};

/* Of one function. clang 14 -O2, processor seconds for as many calls of a library, with the end of
 * each probe inline, out of line, and without probes: 250: 0.3, 0.3, 0.1; 500: 0.9, 0.6, 0.3;
 * 1,000: 3.9, 1.2, 0.5; 2,000: 31, 3.2, 0.8. GCC 12 -O2: 500: 0.5, 0.5, 0.1; 2,000: 3.9, 3.1, 0.7.
 */
enum { MOST_CALLS_INLINE = 500 };

enum level { LEVEL_ARGUMENT, LEVEL_CALL, LEVEL_CALLEE };
enum point {
    POINT_EXIT_MARK,
    POINT_ENTRY_MARK,
    POINT_FUNCTION,
    POINT_DECLARED,
    POINT_STATEMENT,
    POINT_SYNC
};

static void add_edit(struct planner *planner, uint32_t file, struct edit edit)
{
    struct plan_file *into = &planner->plan->files[file];
    VEC_PUSH(into->edits, into->edit_count, into->edit_capacity) = edit;
}

static void add_pair(struct planner *planner, uint32_t begin, uint32_t end, enum level level,
                     const char *before, const char *after)
{
    uint32_t file = planner->facts->functions[planner->function].file;
    add_edit(planner, file, (struct edit){EDIT_OPEN, begin, 0, end, level, before});
    add_edit(planner, file, (struct edit){EDIT_CLOSE, end, 0, begin, level, after});
}

static const char *probe_text(struct planner *planner, const char *format, uint32_t probe)
{
    struct str text = {0};
    for (const char *c = format; *c; c++)
        if (*c == '@')
            str_printf(&text, "%u", probe);
        else
            str_append_char(&text, *c);
    const char *kept = arena_strdup(&planner->plan->arena, text.data);
    str_release(&text);
    return kept;
}

static void set_probe(struct planner *planner, uint32_t probe, enum probe_kind kind,
                      uint32_t function, uint32_t within, uint32_t line, uint32_t file)
{
    struct plan *plan = planner->plan;
    if (probe >= plan->probe_count)
        plan->probe_count = probe + 1;
    plan->probes[probe] = (struct probe_info){.kind = kind,
                                              .function = function,
                                              .within = within,
                                              .line = line,
                                              .file = planner->facts->files[file].path};
}

static void set_call_probe(struct planner *planner, const struct fact_call *call, uint32_t probe,
                           enum probe_kind kind)
{
    uint32_t file = planner->facts->functions[planner->function].file;
    set_probe(planner, probe, kind, call->callee, planner->function, call->line, file);
    planner->plan->probes[probe].object = call->object;
}

void plan_skip(struct plan *plan, const char *file, uint32_t line, const char *name,
               const char *reason)
{
    struct rewriter_skip skip = {file, line, name, reason, false};
    VEC_PUSH(plan->skips, plan->skip_count, plan->skip_capacity) = skip;
}

static void skip_call(struct planner *planner, const struct fact_call *call, enum obstacle why)
{
    const struct facts *facts = planner->facts;
    const struct fact_function *within = &facts->functions[planner->function];
    const char *name = call->callee != FUNCTION_NONE ? facts->functions[call->callee].name
                       : call->name                  ? call->name
                                                     : "(a pointer)";
    bool outside = call->callee == FUNCTION_NONE
                       ? call->name != NULL
                       : facts->functions[call->callee].file == FACT_NO_FILE;
    plan_skip(planner->plan, facts->files[within->file].path, call->line, name, obstacle_text(why));
    planner->plan->skips[planner->plan->skip_count - 1].quiet = outside && quiet_call_named(name);
}

/* Functions ----------------------------------------------------------------------------------- */

static void plan_prolog(struct planner *planner)
{
    const struct fact_function *function = &planner->facts->functions[planner->function];
    uint32_t probe = planner->function + 1;
    const char *text = probe_text(
        planner, function->crowded ? "VPROF_APART VPROF_FUNCTION(@)" : "VPROF_FUNCTION(@)", probe);
    if (planner->made.usable[planner->function])
        planner->made_timed[planner->function] = true;
    else
        add_edit(planner, function->file,
                 (struct edit){EDIT_POINT, function->body + 1, 0, 0, POINT_FUNCTION << 16, text});
    set_probe(planner, probe, PROBE_FUNCTION, planner->function, FUNCTION_NONE, function->line,
              function->file);
}

/* An expression of the config becomes a macro's argument. */
static void append_expression(struct str *text, const char *expression)
{
    struct source_text source = {expression, (uint32_t)strlen(expression)};
    bool safe = source_macro_safe(&source, 0, source.size_bytes);
    str_printf(text, safe ? ", %s" : ", (%s)", expression);
}

static const char *mark_text(struct planner *planner, const struct resolved_mark *resolved)
{
    static const char *const WHAT[] = {
        [MARK_BEGIN] = "BEGIN", [MARK_END] = "END", [MARK_ENTER] = "ENTER", [MARK_TYPE] = "TYPE"};
    const struct mark_declaration *mark = resolved->mark;
    bool declaration = resolved->statement && resolved->statement->declaration &&
                       !planner->facts->functions[resolved->function].cplusplus;
    struct str text = {0};
    if (mark->place == MARK_AT_EXIT)
        str_printf(&text, "VPROF_SI_EXIT(%u, ", resolved->number);
    else if (mark->place == MARK_AT_ENTRY || declaration)
        str_printf(&text, "VPROF_SI_ENTRY(%u, ", resolved->number);
    else
        str_append(&text, "VPROF_SI(");
    str_append(&text, WHAT[mark->what]);
    append_expression(&text, mark->condition ? mark->condition : "1");
    append_expression(&text, mark->id);
    if (mark->place != MARK_AT_EXIT)
        append_expression(&text, mark->type ? mark->type : "\"\"");
    str_append(&text, ") ");
    const char *kept = arena_strdup(&planner->plan->arena, text.data);
    str_release(&text);
    return kept;
}

/* Marks at the exit are clean-ups, which run last declared first: they are put in backwards, and
 * before the function's probe, so that its time ends before the interval does. */
static void plan_mark(struct planner *planner, const struct resolved_mark *mark, uint32_t order)
{
    const struct fact_function *function = &planner->facts->functions[mark->function];
    struct edit edit = {EDIT_POINT, function->body + 1, 0, order + 1, 0, mark_text(planner, mark)};
    switch (mark->mark->place) {
    case MARK_AT_EXIT:
        edit.level = (POINT_EXIT_MARK << 16) + (0xffff - (order & 0xffff));
        break;
    case MARK_AT_ENTRY:
        edit.level = (POINT_ENTRY_MARK << 16) + order;
        break;
    case MARK_AT_LINE:
        edit.level = (POINT_STATEMENT << 16) + order;
        edit.offset = mark->statement->offset;
    }
    add_edit(planner, function->file, edit);
}

/* Calls --------------------------------------------------------------------------------------- */

/* An argument's time is the call's there. */
static void plan_held(struct planner *planner, const struct fact_call *call, uint32_t probe)
{
    const char *before = call->reference       ? "VPROF_HELD(@).vprof_place_1("
                         : call->scalar_result ? "VPROF_HELD(@).vprof_value_1("
                                               : "VPROF_HELD(@).vprof_object_1(";
    add_pair(planner, call->begin, call->end, LEVEL_CALL, probe_text(planner, before, probe), ")");
    set_call_probe(planner, call, probe, PROBE_CALL);
}

static void plan_wrap(struct planner *planner, const struct fact_call *call, uint32_t probe)
{
    enum obstacle obstacle = call->text_obstacle ? call->text_obstacle : call->value_obstacle;
    if (obstacle) {
        skip_call(planner, call, obstacle);
        return;
    }
    if (call->held) {
        plan_held(planner, call, probe);
        return;
    }
    const char *before = arena_printf(&planner->plan->arena, "%s__extension__({%s(%u) %s",
                                      call->reference ? "vprof_lvalue_1(" : "",
                                      planner->many ? "VPROF_ONE_OF_MANY" : "VPROF_FUNCTION", probe,
                                      call->reference ? "__builtin_addressof(" : "");
    add_pair(planner, call->begin, call->end, LEVEL_CALL, before,
             call->reference ? ");}))" : ";})");
    if (call->pointer && call->callee_macro_safe)
        add_pair(planner, call->begin, call->callee_end, LEVEL_CALLEE,
                 probe_text(planner, "VPROF_TARGET(@, ", probe), ")");
    for (uint32_t i = 0; i < call->argument_count; i++) {
        const struct fact_argument *argument = &call->arguments[i];
        if (argument->calls && argument->copyable && argument->macro_safe)
            add_pair(planner, argument->begin, argument->end, LEVEL_ARGUMENT,
                     probe_text(planner, "VPROF_RESTART(@, ", probe), ")");
    }
    set_call_probe(planner, call, probe,
                   call->callee == FUNCTION_NONE ? PROBE_INDIRECT : PROBE_CALL);
}

/* `name(` becomes `VPROF_SYNC2(7, cond_wait, name, `. */
static void replace_sync(struct planner *planner, uint32_t file, uint32_t begin, uint32_t open,
                         const struct sync_name *sync, uint32_t probe)
{
    struct arena *arena = &planner->plan->arena;
    add_edit(planner, file,
             (struct edit){EDIT_REPLACE, begin, (uint32_t)strlen(sync->function), 0, 0,
                           arena_printf(arena, "VPROF_SYNC%u", sync->arity)});
    add_edit(planner, file,
             (struct edit){EDIT_POINT, open + 1, 0, 0, POINT_SYNC << 16,
                           arena_printf(arena, "%u, %s, %s, ", probe, sync->hook, sync->function)});
    planner->plan->files[file].sync_edit_count += 2;
}

/* A call that can't be edited is redirected; then the trace does not say where it stands. */
static bool sync_can_edit(const struct fact_call *call, const struct sync_name *sync)
{
    if (call->text_obstacle || call->callee_end - call->begin != strlen(sync->function) ||
        !call->arguments || sync->arity == 0 || call->argument_count != sync->arity)
        return false;
    for (uint32_t i = 0; i < call->argument_count; i++)
        if (!call->arguments[i].macro_safe)
            return false;
    return true;
}

static void plan_sync(struct planner *planner, const struct fact_call *call, int name,
                      uint32_t probe)
{
    bool stays_call = sync_names[name].traits & SYNC_TRAIT_CALL;
    if (call->macro) {
        planner->hidden[name].any = !stays_call;
        planner->hidden[name].callee = call->callee;
        return;
    }
    if (!sync_can_edit(call, &sync_names[name]))
        return;
    replace_sync(planner, planner->facts->functions[planner->function].file, call->begin,
                 call->open, &sync_names[name], probe);
    set_call_probe(planner, call, probe, PROBE_SYNC);
}

/* The role says what goes around the call and around the argument. */
static void plan_declared(struct planner *planner, const struct fact_call *call,
                          const struct sync_declaration *sync, uint32_t probe)
{
    enum obstacle obstacle = declared_call_obstacle(call, sync);
    if (obstacle) {
        skip_call(planner, call, obstacle);
        return;
    }
    bool task = sync->role == SYNC_ENQUEUE || sync->role == SYNC_DEQUEUE;
    set_call_probe(planner, call, probe, task ? PROBE_TASK : PROBE_SYNC);
    if (sync->argument == SYNC_ARGUMENT_RETURN) {
        add_pair(planner, call->begin, call->end, LEVEL_CALL,
                 probe_text(planner, "VPROF_DEQUEUED(@, ", probe), ")");
        return;
    }
    static const char *const CALL[] = {
        [SYNC_ACQUIRE] = "__extension__({VPROF_ACQUIRING(@) ",
        [SYNC_DEQUEUE] = "__extension__({VPROF_DEQUEUING(@) ",
    };
    static const char *const ARGUMENT[] = {
        [SYNC_ACQUIRE] = "VPROF_OBJECT(@, ",
        [SYNC_RELEASE] = "VPROF_RELEASED(@, ",
        [SYNC_ENQUEUE] = "VPROF_ENQUEUED(@, ",
        [SYNC_DEQUEUE] = "VPROF_TAKEN(@, ",
    };
    if (sync->role == SYNC_ACQUIRE || sync->role == SYNC_DEQUEUE)
        add_pair(planner, call->begin, call->end, LEVEL_CALL,
                 probe_text(planner, CALL[sync->role], probe), ";})");
    const char *text = sync->dereference && sync->role == SYNC_DEQUEUE ? "VPROF_TAKEN_AT(@, "
                                                                       : ARGUMENT[sync->role];
    const struct fact_argument *argument = &call->arguments[sync->argument];
    add_pair(planner, argument->begin, argument->end, LEVEL_ARGUMENT,
             probe_text(planner, text, probe), ")");
}

/* In a definition the probe comes after the function's own, so that its time holds the wait. */
static void plan_declared_body(struct planner *planner, uint32_t index)
{
    static const char *const TEXT[] = {
        [SYNC_ACQUIRE] = "VPROF_ACQUIRE_ENTRY(%u, %s) ",
        [SYNC_RELEASE] = "VPROF_RELEASE_ENTRY(%u, %s) ",
        [SYNC_ENQUEUE] = "VPROF_ENQUEUE_ENTRY(%u, %s) ",
        [SYNC_DEQUEUE] = "VPROF_DEQUEUE_ENTRY(%u, %s) ",
    };
    const struct fact_function *function = &planner->facts->functions[index];
    const struct sync_declaration *sync = planner->resolved->syncs[index];
    uint32_t probe = planner->probe++;
    if (!planner->declared_in_body[index])
        return;
    const char *format = sync->dereference && sync->role == SYNC_DEQUEUE
                             ? "VPROF_DEQUEUE_AT_ENTRY(%u, %s) "
                             : TEXT[sync->role];
    const char *text = arena_printf(&planner->plan->arena, format, probe,
                                    function->parameters[sync->argument].name);
    bool task = sync->role == SYNC_ENQUEUE || sync->role == SYNC_DEQUEUE;
    add_edit(planner, function->file,
             (struct edit){EDIT_POINT, function->body + 1, 0, 0, POINT_DECLARED << 16, text});
    set_probe(planner, probe, task ? PROBE_TASK : PROBE_SYNC, index, index, function->line,
              function->file);
}

/* Calls through an address are not seen, and are listed where the definition can't hold the probe
 * either. */
static void skip_declared(struct planner *planner, uint32_t index)
{
    const struct fact_function *function = &planner->facts->functions[index];
    bool body = function->file != FACT_NO_FILE;
    if (function->address_taken && !planner->declared_in_body[index])
        plan_skip(planner->plan, body ? planner->facts->files[function->file].path : "",
                  function->line, function->name, obstacle_text(OBSTACLE_ADDRESS_TAKEN));
}

static void plan_declared_bodies(struct planner *planner)
{
    for (uint32_t i = 0; i < planner->facts->function_count; i++) {
        if (!planner->resolved->syncs[i])
            continue;
        plan_declared_body(planner, i);
        skip_declared(planner, i);
    }
}

static void plan_call(struct planner *planner, const struct fact_call *call, uint32_t probe,
                      bool opened)
{
    const struct facts *facts = planner->facts;
    const struct fact_function *within = &facts->functions[planner->function];
    const struct fact_function *callee =
        call->callee == FUNCTION_NONE ? NULL : &facts->functions[call->callee];
    bool has_body = callee && (call->dynamic ? !callee->open_ended : callee->file != FACT_NO_FILE);
    int sync = callee && !has_body ? sync_name_find(callee->name) : SYNC_NAME_NONE;
    const struct sync_declaration *declared =
        callee ? planner->resolved->syncs[call->callee] : NULL;
    if (planner->choice->synchronization && declared) {
        if (!planner->declared_in_body[call->callee])
            plan_declared(planner, call, declared, probe);
        return;
    }
    if (planner->choice->synchronization && sync != SYNC_NAME_NONE) {
        plan_sync(planner, call, sync, probe);
        if (!(sync_names[sync].traits & SYNC_TRAIT_CALL))
            return;
    }
    bool bounded = planner->choice->paces && callee && !call->dynamic &&
                   planner->choice->paces[call->callee] != PACE_ANY;
    if (opened && !has_body && !bounded) {
        if (!within->obstacle)
            plan_wrap(planner, call, probe);
        else if (planner->made.usable[planner->function])
            skip_call(planner, call, OBSTACLE_FUNCTION_FROM_MACRO);
    }
}

/* The answer does not depend on the choice: the text of each call is the same in every round. */
static bool calls_many(const struct facts *facts, const struct fact_function *function)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < function->call_count; i++) {
        uint32_t callee = function->calls[i].callee;
        count += callee == FUNCTION_NONE || facts->functions[callee].file == FACT_NO_FILE;
    }
    return count > MOST_CALLS_INLINE;
}

static void plan_function(struct planner *planner, uint32_t index)
{
    const struct fact_function *function = &planner->facts->functions[index];
    const struct rewrite_choice *choice = planner->choice;
    planner->function = index;
    planner->many = calls_many(planner->facts, function);
    bool is_short = choice->paces && choice->paces[index] == PACE_SHORT;
    bool timed = choice->timed && choice->timed[index] && !is_short;
    bool opened = choice->opened && choice->opened[index] && !is_short;
    bool possible = !function->obstacle || planner->made.usable[index];
    if (!possible && (timed || opened))
        plan_skip(planner->plan, planner->facts->files[function->file].path, function->line,
                  function->name, obstacle_text(function->obstacle));
    else if (timed)
        plan_prolog(planner);
    for (uint32_t i = 0; i < function->call_count; i++)
        plan_call(planner, &function->calls[i], planner->probe + i, opened);
    planner->probe += function->call_count;
}

/* Macro definitions --------------------------------------------------------------------------- */

/* The name here becomes that of the macro's copy. */
static void plan_copy(struct planner *planner, uint32_t file, uint32_t offset)
{
    add_edit(planner, file,
             (struct edit){EDIT_POINT, offset, 0, 0, POINT_FUNCTION << 16, MADE_COPY});
    planner->names_copy[file] = true;
}

/* What stands once in a definition is the prolog of every function that it makes. */
static void plan_made(struct planner *planner, uint32_t index)
{
    const struct fact_macro *macro = &planner->facts->macros[index];
    struct made_place places[2 * MADE_MOST];
    uint32_t count = macro->file == FACT_NO_FILE ? 0 : made_places(&planner->made, index, places);
    for (uint32_t i = 0; i < count; i++)
        if (places[i].number == MADE_NAMES)
            plan_copy(planner, macro->file, macro->begin + places[i].offset);
        else
            add_edit(planner, macro->file,
                     (struct edit){
                         EDIT_POINT, macro->begin + places[i].offset, 0, 0, POINT_FUNCTION << 16,
                         probe_text(planner, "VPROF_FUNCTION_MADE(@)", places[i].number)});
}

/* A use may stand in the text itself; the functions of one use are neighbours. */
static void plan_made_uses(struct planner *planner)
{
    const struct fact_function *latest = NULL;
    for (uint32_t i = 0; i < planner->facts->function_count; i++) {
        const struct fact_function *function = &planner->facts->functions[i];
        bool again = latest && latest->file == function->file && latest->body == function->body;
        if (!planner->made_timed[i] || again || !made_names_copy(&planner->made, i))
            continue;
        plan_copy(planner, function->file, function->body);
        latest = function;
    }
}

static void plan_copies(struct planner *planner)
{
    struct str copies = {0}, text = {0};
    made_copies(&planner->made, &copies);
    for (uint32_t i = 0; i < planner->facts->file_count; i++) {
        if (!planner->names_copy[i])
            continue;
        str_clear(&text);
        str_printf(&text, "%s%s", str_text(&copies), planner->plan->files[i].lines);
        planner->plan->files[i].lines = arena_strdup(&planner->plan->arena, str_text(&text));
    }
    str_release(&copies);
    str_release(&text);
}

static void plan_numbers(struct planner *planner)
{
    struct str text = {0};
    for (uint32_t i = 0; i < planner->facts->file_count; i++) {
        str_clear(&text);
        made_numbers(&planner->made, i, planner->made_timed, &text);
        planner->plan->files[i].lines = arena_strdup(&planner->plan->arena, str_text(&text));
    }
    str_release(&text);
}

/* The answer is the first function in which the macro hides a call of this function. */
static uint32_t first_use(const struct facts *facts, const struct fact_macro *macro,
                          uint32_t callee)
{
    for (uint32_t i = 0; i < facts->function_count; i++)
        for (uint32_t k = 0; k < facts->functions[i].call_count; k++) {
            const struct fact_call *call = &facts->functions[i].calls[k];
            if (call->callee == callee && call->macro && strcmp(call->macro, macro->name) == 0)
                return i;
        }
    return FUNCTION_NONE;
}

/* In a macro's text a name of sync_names stands before a parenthesis. */
struct macro_call {
    int name;
    uint32_t begin, open; /* of the name, and its '(' */
};

/* A macro that bears the function's own name is left alone. */
static bool macro_can_edit(const struct fact_macro *macro, const struct source_text *text,
                           uint32_t open, const struct sync_name *sync)
{
    struct source_argument arguments[SYNC_ARITY_MOST];
    uint32_t close = source_match(text, open);
    if (macro->pastes || sync_name_find(macro->name) != SYNC_NAME_NONE || close == SOURCE_NOWHERE ||
        source_arguments(text, open, close, arguments, SYNC_ARITY_MOST) != sync->arity)
        return false;
    for (uint32_t i = 0; i < sync->arity; i++)
        if (!arguments[i].macro_safe)
            return false;
    return true;
}

static void plan_macro_call(struct planner *planner, const struct fact_macro *macro,
                            const struct source_text *text, const struct macro_call *call)
{
    const struct hidden_sync *hidden = &planner->hidden[call->name];
    const struct sync_name *sync = &sync_names[call->name];
    uint32_t probe = planner->probe++;
    if (!hidden->any || !macro_can_edit(macro, text, call->open, sync))
        return;
    replace_sync(planner, macro->file, macro->begin + call->begin, macro->begin + call->open, sync,
                 probe);
    set_probe(planner, probe, PROBE_SYNC, hidden->callee,
              first_use(planner->facts, macro, hidden->callee), macro->line, macro->file);
}

/* Every name of sync_names is shorter. */
enum { SYNC_NAME_ROOM = 64 };

/* Looks for the next call, behind call->open: false at the end. */
static bool next_macro_call(const struct source_text *text, struct macro_call *call)
{
    struct token token = source_token(text, call->open);
    while (token.kind != TOKEN_END) {
        struct token next = source_token(text, token.end);
        char word[SYNC_NAME_ROOM];
        uint32_t length = token.end - token.begin;
        if (token.kind == TOKEN_WORD && length < sizeof word && token_is(text, &next, "(")) {
            memcpy(word, text->data + token.begin, length);
            word[length] = '\0';
            *call = (struct macro_call){sync_name_find(word), token.begin, next.begin};
            if (call->name != SYNC_NAME_NONE)
                return true;
        }
        token = next;
    }
    return false;
}

static void plan_macro(struct planner *planner, const struct fact_macro *macro)
{
    struct source_text text = {macro->body, (uint32_t)strlen(macro->body)};
    struct macro_call call = {0};
    while (next_macro_call(&text, &call))
        plan_macro_call(planner, macro, &text, &call);
}

/* Redirected names ---------------------------------------------------------------------------- */

/* Many programs have a function of their own that is called clone, in one file or in a class. */
static bool is_told_by_type(const struct sync_name *sync)
{
    return sync->traits & SYNC_TRAIT_VARIADIC && !(sync->traits & SYNC_TRAIT_LONG);
}

/* Functions of the program itself are not redirected, nor those that the config says to be
 * something else. */
static sync_set never_redirected(const struct planner *planner)
{
    sync_set never = 0;
    for (uint32_t i = 0; i < planner->facts->function_count; i++) {
        const struct fact_function *function = &planner->facts->functions[i];
        int name = sync_name_find(function->name);
        if (name != SYNC_NAME_NONE && !is_told_by_type(&sync_names[name]) &&
            (function->file != FACT_NO_FILE || planner->resolved->syncs[i]))
            never |= SYNC_BIT(name);
    }
    /* All files of a linked object share the wrappers. */
    for (uint32_t i = 0; i < planner->facts->unit_count; i++)
        if (planner->facts->units[i].sync & SYNC_TEAM_HIDDEN)
            never |= SYNC_TEAM;
    return never;
}

/* A file may be the main file of several compilations. */
static void plan_redirects(struct planner *planner)
{
    const struct facts *facts = planner->facts;
    struct plan *plan = planner->plan;
    sync_set never = never_redirected(planner);
    sync_set *sets = ARENA_ARRAY(&plan->arena, sync_set, facts->file_count + 1);
    for (uint32_t i = 0; i < facts->unit_count; i++)
        sets[facts->units[i].file] |= facts->units[i].sync;
    for (uint32_t i = 0; i < facts->file_count; i++) {
        struct str text = {0};
        str_append(&text, plan->files[i].lines);
        sync_name_redirect(&text, sets[i], never);
        plan->files[i].lines = arena_strdup(&plan->arena, str_text(&text));
        str_release(&text);
    }
}

/* The whole ----------------------------------------------------------------------------------- */

/* Each call in a macro's text takes a number. There is one for every eight bytes of it in any case,
 * so that the room for switches, which stands in every instrumented file, does not change with
 * what the macros call. */
enum { MACRO_BYTES_FOR_PROBE = 8 };

static uint32_t macro_probes(const struct fact_macro *macro)
{
    struct source_text text = {macro->body, (uint32_t)strlen(macro->body)};
    struct macro_call call = {0};
    uint32_t room = text.size_bytes / MACRO_BYTES_FOR_PROBE, count = 0;
    while (next_macro_call(&text, &call))
        count++;
    return count > room ? count : room;
}

/* There are fewer probes than this, whatever is chosen. */
static uint32_t most_probes(const struct facts *facts, const struct resolved *resolved)
{
    uint32_t most = 1 + facts->function_count;
    for (uint32_t i = 0; i < facts->function_count; i++)
        most += facts->functions[i].call_count + (resolved->syncs[i] != NULL);
    for (uint32_t i = 0; i < facts->macro_count; i++)
        if (facts->macros[i].file != FACT_NO_FILE)
            most += macro_probes(&facts->macros[i]);
    return most;
}

static uint32_t body_count(const struct facts *facts)
{
    uint32_t count = 0;
    while (count < facts->function_count && facts->functions[count].file != FACT_NO_FILE)
        count++;
    return count;
}

void plan_build(struct plan *plan, const struct facts *facts, const struct rewrite_choice *choice,
                const struct resolved *resolved)
{
    *plan = (struct plan){.file_count = facts->file_count, .probe_count = 1};
    plan->files = ARENA_ARRAY(&plan->arena, struct plan_file, facts->file_count + 1);
    uint32_t most = plan->place_count = most_probes(facts, resolved);
    plan->probes = ARENA_ARRAY(&plan->arena, struct probe_info, most);
    for (uint32_t i = 0; i < most; i++)
        plan->probes[i] =
            (struct probe_info){.function = FUNCTION_NONE, .within = FUNCTION_NONE, .file = ""};
    struct planner planner = {.plan = plan, .facts = facts, .choice = choice, .resolved = resolved};
    planner.declared_in_body = declared_in_body(&plan->arena, facts, resolved);
    planner.made = made_find(&plan->arena, facts);
    planner.made_timed = ARENA_ARRAY(&plan->arena, bool, facts->function_count + 1);
    planner.names_copy = ARENA_ARRAY(&plan->arena, bool, facts->file_count + 1);
    uint32_t bodies = body_count(facts);
    planner.probe = bodies + 1;
    for (uint32_t i = 0; i < bodies; i++)
        plan_function(&planner, i);
    for (uint32_t i = 0; i < resolved->mark_count; i++)
        plan_mark(&planner, &resolved->marks[i], i);
    plan_numbers(&planner);
    for (uint32_t i = 0; i < facts->macro_count; i++)
        plan_made(&planner, i);
    plan_made_uses(&planner);
    plan_copies(&planner);
    made_release(&planner.made);
    if (!choice->synchronization)
        return;
    for (uint32_t i = 0; i < facts->macro_count; i++)
        if (facts->macros[i].file != FACT_NO_FILE)
            plan_macro(&planner, &facts->macros[i]);
    plan_declared_bodies(&planner);
    plan_redirects(&planner);
}

void plan_release(struct plan *plan)
{
    for (uint32_t i = 0; i < plan->file_count; i++)
        memory_free(plan->files[i].edits);
    memory_free(plan->skips);
    arena_release(&plan->arena);
    *plan = (struct plan){0};
}
