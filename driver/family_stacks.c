#include "driver/family_stacks.h"

#include "report/stacks/stacks_family.h"
#include "report/stacks/stacks_report.h"
#include "report/stacks/stacks_tables.h"
#include "stacks/stacks.h"

static void *analyze(const struct family_input *input, struct error *error)
{
    struct stacks_options options = {.layers = CONTEXT_ALL_LAYERS};
    return stacks_find(input->run, &options, error);
}

static const char *check(const void *result)
{
    return stacks_check(result);
}

static void judge(const void *result, const struct report *report, const struct family_input *input,
                  struct doubts *doubts)
{
    (void)report, (void)input;
    stacks_judge(result, doubts);
}

static void fill_contexts(const void *result, struct table *table)
{
    stack_contexts_add_all(table, result);
}

static void fill_functions(const void *result, struct table *table)
{
    stack_functions_add_all(table, result);
}

static void fill_threads(const void *result, struct table *table)
{
    stack_threads_add_all(table, result);
}

static const struct family_table tables[] = {{&stack_contexts_table, fill_contexts},
                                             {&stack_functions_table, fill_functions},
                                             {&stack_threads_table, fill_threads},
                                             {0}};

static void release(void *result)
{
    stacks_release(result);
}

const struct family family_stacks = {.told = &stacks_report_family,
                                     .needs = FAMILY_KERNEL | FAMILY_STACKS,
                                     .analyze = analyze,
                                     .check = check,
                                     .judge = judge,
                                     .tables = tables,
                                     .release = release};
