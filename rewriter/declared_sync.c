#include "rewriter/declared_sync.h"

#include "trace/function_table.h"

enum obstacle declared_call_obstacle(const struct fact_call *call,
                                     const struct sync_declaration *sync)
{
    bool around = sync->role == SYNC_ACQUIRE || sync->role == SYNC_DEQUEUE;
    if (call->text_obstacle)
        return call->text_obstacle;
    if (around && call->value_obstacle)
        return call->value_obstacle;
    if (around && call->held)
        return OBSTACLE_TEMPORARY;
    if (around && call->reference)
        return OBSTACLE_REFERENCE;
    if (sync->argument == SYNC_ARGUMENT_RETURN && sync->role != SYNC_DEQUEUE)
        return OBSTACLE_RETURNS_NO_TASK;
    if (sync->argument == SYNC_ARGUMENT_RETURN)
        return !call->scalar_result ? OBSTACLE_RESULT_NO_SCALAR
               : !call->macro_safe  ? OBSTACLE_BARE_COMMA
                                    : OBSTACLE_NONE;
    if (call->macro)
        return OBSTACLE_FROM_MACRO;
    if (sync->argument >= call->argument_count)
        return OBSTACLE_NO_ARGUMENT;
    const struct fact_argument *argument = &call->arguments[sync->argument];
    if (!argument->scalar || !argument->copyable || (sync->dereference && !argument->pointer))
        return OBSTACLE_ARGUMENT_NO_SCALAR;
    return argument->macro_safe ? OBSTACLE_NONE : OBSTACLE_ARGUMENT_BARE_COMMA;
}

enum obstacle declared_body_obstacle(const struct fact_function *function,
                                     const struct sync_declaration *sync)
{
    if (function->file == FACT_NO_FILE)
        return OBSTACLE_NO_BODY;
    if (function->obstacle)
        return function->obstacle;
    if (sync->argument == SYNC_ARGUMENT_RETURN)
        return OBSTACLE_TASK_IS_RESULT;
    if (sync->argument >= function->parameter_count)
        return OBSTACLE_NO_PARAMETER;
    const struct fact_parameter *parameter = &function->parameters[sync->argument];
    if (!*parameter->name)
        return OBSTACLE_PARAMETER_NO_NAME;
    if (!parameter->scalar || (sync->dereference && !parameter->pointer))
        return OBSTACLE_PARAMETER_NO_SCALAR;
    return OBSTACLE_NONE;
}

/* May every call of what this declaration names be wrapped? */
static bool all_calls_wrap(const struct facts *facts, const struct resolved *resolved,
                           const struct sync_declaration *sync)
{
    for (uint32_t i = 0; i < facts->function_count; i++) {
        const struct fact_function *function = &facts->functions[i];
        if (resolved->syncs[i] == sync && function->address_taken)
            return false;
        for (uint32_t k = 0; k < function->call_count; k++) {
            const struct fact_call *call = &function->calls[k];
            if (call->callee != FUNCTION_NONE && resolved->syncs[call->callee] == sync &&
                declared_call_obstacle(call, sync))
                return false;
        }
    }
    return true;
}

static bool all_bodies_can(const struct facts *facts, const struct resolved *resolved,
                           const struct sync_declaration *sync)
{
    for (uint32_t i = 0; i < facts->function_count; i++)
        if (resolved->syncs[i] == sync && declared_body_obstacle(&facts->functions[i], sync))
            return false;
    return true;
}

bool *declared_in_body(struct arena *arena, const struct facts *facts,
                       const struct resolved *resolved)
{
    bool *in_body = ARENA_ARRAY(arena, bool, facts->function_count + 1);
    const struct sync_declaration *last = NULL;
    bool decided = false;
    for (uint32_t i = 0; i < facts->function_count; i++) {
        const struct sync_declaration *sync = resolved->syncs[i];
        if (!sync)
            continue;
        if (sync != last)
            decided =
                !all_calls_wrap(facts, resolved, sync) && all_bodies_can(facts, resolved, sync);
        last = sync;
        in_body[i] = decided;
    }
    return in_body;
}
