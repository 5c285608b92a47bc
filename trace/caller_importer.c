#include "trace/importer.h"

/* Others ask for the lists while the logs are read, so they stand in the loading itself. */
static uint64_t take(void *state, struct loading *loading, const struct trace_record *record)
{
    (void)state;
    caller_list_add(&loading->callers, record->data);
    return record->ticks;
}

static void join(struct timelines *run, const struct timelines *parts, uint32_t count,
                 const struct moved *moved)
{
    uint32_t all = 0;
    for (uint32_t p = 0; p < count; p++)
        all += parts[p].stack_count;
    run->stacks = ARENA_ARRAY(&run->arena, struct caller_stack, all);
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t i = 0; i < parts[p].stack_count; i++) {
            struct caller_stack stack = parts[p].stacks[i];
            stack.process += moved[p].process;
            run->stacks[run->stack_count++] = stack;
        }
}

static const unsigned char kinds[] = {TRACE_CALLERS, 0};

const struct importer caller_importer = {.kinds = kinds, .take = take, .join = join};
