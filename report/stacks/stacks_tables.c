#include "report/stacks/stacks_tables.h"

#include <math.h>

#include "base/memory.h"
#include "report/stacks/stacks_report.h"

#define TABLE_KIND(name, columns)                                                                  \
    {                                                                                              \
        name, columns, sizeof(columns) / sizeof *(columns)                                         \
    }

static const struct table_column context_columns[] = {
    {"context", TABLE_NUMBER, false},      {"parent", TABLE_NUMBER, true},
    {"depth", TABLE_NUMBER, false},        {"group", TABLE_TEXT, false},
    {"function", TABLE_TEXT, false},       {"object", TABLE_TEXT, false},
    {"layer", TABLE_TEXT, false},          {"deepest", TABLE_NUMBER, false},
    {"own_ran_ns", TABLE_NUMBER, false},   {"own_off_ns", TABLE_NUMBER, false},
    {"own_queue_ns", TABLE_NUMBER, false}, {"own_missing_ns", TABLE_NUMBER, false},
    {"ran_ns", TABLE_NUMBER, false},       {"off_ns", TABLE_NUMBER, false},
    {"ran_sd_ns", TABLE_NUMBER, false},    {"off_sd_ns", TABLE_NUMBER, false},
    {"samples", TABLE_NUMBER, false}};
static const struct table_column function_columns[] = {
    {"function", TABLE_TEXT, false},     {"object", TABLE_TEXT, false},
    {"layer", TABLE_TEXT, false},        {"file", TABLE_TEXT, false},
    {"line", TABLE_NUMBER, true},        {"own_ran_ns", TABLE_NUMBER, false},
    {"own_off_ns", TABLE_NUMBER, false}, {"ran_ns", TABLE_NUMBER, false},
    {"off_ns", TABLE_NUMBER, false},     {"own_ran_sd_ns", TABLE_NUMBER, false},
    {"contexts", TABLE_NUMBER, false},   {"samples", TABLE_NUMBER, false}};
static const struct table_column thread_columns[] = {
    {"pid", TABLE_NUMBER, false},       {"tid", TABLE_NUMBER, false},
    {"name", TABLE_TEXT, false},        {"group", TABLE_TEXT, false},
    {"wall_ns", TABLE_NUMBER, false},   {"ran_ns", TABLE_NUMBER, false},
    {"off_ns", TABLE_NUMBER, false},    {"queue_ns", TABLE_NUMBER, false},
    {"missing_ns", TABLE_NUMBER, false}};

const struct table_kind stack_contexts_table = TABLE_KIND("stack_contexts", context_columns);
const struct table_kind stack_functions_table = TABLE_KIND("stack_functions", function_columns);
const struct table_kind stack_threads_table = TABLE_KIND("stack_threads", thread_columns);

static int64_t error_of(double variance)
{
    return llround(sqrt(variance));
}

static void add_context(struct table *table, const struct stacks *stacks, uint32_t n)
{
    const struct context_tree *tree = &stacks->times.fold.tree;
    const struct context_node *node = &tree->nodes[n];
    const struct context_sum *sum = &stacks->times.sums[n];
    const struct context_frame *frame = node->depth > 1 ? &tree->frames[node->frame] : NULL;
    struct str group = {0};
    stacks_node_name(stacks, stacks->times.group_node[context_group_of(&stacks->times, n)], true,
                     &group);
    table_add(table,
              (struct table_value[]){{.number = n},
                                     {.number = node->parent, .missing = node->depth == 1},
                                     {.number = node->depth},
                                     {.text = group.data},
                                     {.text = frame ? frame->function : ""},
                                     {.text = frame ? frame->object : ""},
                                     {.text = stacks_layer_name(frame ? frame->kind : FRAME_NONE)},
                                     {.number = stacks->times.fold.deepest[n]},
                                     {.number = sum->own[TIME_RAN]},
                                     {.number = sum->own[TIME_OFF]},
                                     {.number = sum->own[TIME_QUEUE]},
                                     {.number = sum->own[TIME_MISSING]},
                                     {.number = sum->total[TIME_RAN]},
                                     {.number = sum->total[TIME_OFF]},
                                     {.number = error_of(sum->variance[TIME_RAN])},
                                     {.number = error_of(sum->variance[TIME_OFF])},
                                     {.number = (int64_t)sum->samples}});
    str_release(&group);
}

void stack_contexts_add_all(struct table *table, const struct stacks *stacks)
{
    for (uint32_t n = 1; n < stacks->times.fold.tree.count; n++)
        if (context_time_total(&stacks->times.sums[n]) > 0)
            add_context(table, stacks, n);
}

void stack_functions_add_all(struct table *table, const struct stacks *stacks)
{
    for (size_t i = 0; i < stacks->functions.count; i++) {
        const struct function_time *function = &stacks->functions.items[i];
        const struct context_frame *frame = &stacks->times.fold.tree.frames[function->frame];
        table_add(table,
                  (struct table_value[]){{.text = frame->function},
                                         {.text = frame->object},
                                         {.text = stacks_layer_name(frame->kind)},
                                         {.text = frame->file},
                                         {.number = frame->line, .missing = !frame->line},
                                         {.number = function->own[TIME_RAN]},
                                         {.number = function->own[TIME_OFF]},
                                         {.number = function->total[TIME_RAN]},
                                         {.number = function->total[TIME_OFF]},
                                         {.number = error_of(function->own_variance[TIME_RAN])},
                                         {.number = function->contexts},
                                         {.number = (int64_t)function->own_samples}});
    }
}

void stack_threads_add_all(struct table *table, const struct stacks *stacks)
{
    const struct kernel_side *side = stacks->run->kernel_side;
    for (uint32_t t = 1; t < side->task_count; t++) {
        const struct thread_time *time = &stacks->times.threads[t];
        if (!kernel_task_is_of_run(side, t) || !thread_time_wall(time))
            continue;
        struct str group = {0};
        stacks_node_name(stacks, stacks->times.group_node[stacks->groups.of_task[t]], true, &group);
        table_add(table, (struct table_value[]){{.number = side->tasks[t].pid},
                                                {.number = side->tasks[t].tid},
                                                {.text = side->tasks[t].name},
                                                {.text = group.data},
                                                {.number = thread_time_wall(time)},
                                                {.number = time->ran},
                                                {.number = time->off},
                                                {.number = time->queue},
                                                {.number = time->missing}});
        str_release(&group);
    }
}
