#include "driver/loop/refine_loop.h"

#include <string.h>

#include "base/memory.h"

bool refine_loop_is_short(const struct refine_loop *loop, uint32_t function)
{
    return loop->paces && loop->paces[function] == PACE_SHORT;
}

bool refine_loop_can_time(const struct refine_loop *loop, uint32_t function)
{
    return loop->table->functions[function].body && !refine_loop_is_short(loop, function) &&
           !loop->hot[function];
}

static void time_callees(struct refine_loop *loop, uint32_t function);

/* A short function's callees stand below its caller. A hot function's callees took less than it
 * did, and it did not matter. */
static void time_callee(struct refine_loop *loop, uint32_t callee)
{
    if (refine_loop_can_time(loop, callee))
        loop->timed[callee] = true;
    else if (!loop->passed[callee] && !loop->hot[callee])
        time_callees(loop, callee);
}

static void time_callees(struct refine_loop *loop, uint32_t function)
{
    const struct function_info *info = &loop->table->functions[function];
    loop->passed[function] = true;
    for (uint32_t i = 0; i < info->callee_count; i++)
        time_callee(loop, info->callees[i]);
}

static void open_function(struct refine_loop *loop, uint32_t function)
{
    loop->opened[function] = true;
    loop->timed[function] = !refine_loop_is_short(loop, function);
    time_callees(loop, function);
    for (uint32_t i = 0; i < loop->seen_count; i += 2)
        if (loop->seen[i] == function)
            time_callee(loop, loop->seen[i + 1]);
}

static bool is_registering(const struct function_info *function)
{
    static const char *const NAMES[] = {"sigaction", "signal", "sigset", "bsd_signal",
                                        "sysv_signal"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (!function->body && strcmp(function->name, NAMES[i]) == 0)
            return true;
    return false;
}

static bool handles_signals(const struct function_table *table, uint32_t function)
{
    bool registers = false;
    for (uint32_t i = 0; i < table->function_count && !registers; i++)
        registers = is_registering(&table->functions[i]);
    return registers && table->functions[function].handles_signals;
}

bool refine_loop_init(struct refine_loop *loop, const struct function_table *table,
                      const enum pace *paces)
{
    *loop = (struct refine_loop){.table = table, .paces = paces};
    loop->opened = memory_zeroed(table->function_count + 1);
    loop->timed = memory_zeroed(table->function_count + 1);
    loop->passed = memory_zeroed(table->function_count + 1);
    loop->hot = memory_zeroed(table->function_count + 1);
    bool any = false;
    for (uint32_t i = 0; i < table->function_count; i++) {
        if (handles_signals(table, i))
            time_callee(loop, i);
        if (table->functions[i].marks && table->functions[i].body) {
            open_function(loop, i);
            any = true;
        }
    }
    return any;
}

bool refine_loop_calls_any(const struct refine_loop *loop, uint32_t caller, const bool *functions)
{
    const struct function_info *info = &loop->table->functions[caller];
    for (uint32_t i = 0; i < info->callee_count; i++)
        if (functions[info->callees[i]])
            return true;
    for (uint32_t i = 0; i < loop->seen_count; i += 2)
        if (loop->seen[i] == caller && functions[loop->seen[i + 1]])
            return true;
    return false;
}

void refine_loop_open(struct refine_loop *loop, const struct proposal *proposal)
{
    for (uint32_t i = 0; i < proposal->count; i++)
        if (proposal->alone || (proposal->ties && proposal->ties[i] == TIE_LINK))
            loop->timed[proposal->functions[i]] = true;
        else
            open_function(loop, proposal->functions[i]);
}

static uint32_t count_of(const struct refine_loop *loop, const bool *functions)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < loop->table->function_count; i++)
        count += functions[i];
    return count;
}

uint32_t refine_loop_timed_count(const struct refine_loop *loop)
{
    return count_of(loop, loop->timed);
}

uint32_t refine_loop_hot_count(const struct refine_loop *loop)
{
    return count_of(loop, loop->hot);
}

void refine_loop_release(struct refine_loop *loop)
{
    memory_free(loop->opened);
    memory_free(loop->timed);
    memory_free(loop->passed);
    memory_free(loop->hot);
    memory_free(loop->seen);
    *loop = (struct refine_loop){0};
}
