#include "variance/variance.h"

#include <stdlib.h>

#include "symbol/object_naming.h"
#include "variance/factor_build.h"
#include "variance/rival.h"
#include "variance/tree_build.h"

static bool nothing(const struct timelines *run, struct error *error)
{
    unsigned long long begins = run->marks[VPROF_MARK_BEGIN], ends = run->marks[VPROF_MARK_END];
    unsigned long long enters = run->marks[VPROF_MARK_ENTER];
    const char *advice = "Check that SI_END gets the same id as SI_BEGIN and is reached before the "
                         "program ends.";
    if (run->damage_count)
        advice = run->damage[0];
    else if (!begins)
        advice = "Check that the program that ran is the one that was built with the annotations, "
                 "and that it reaches SI_BEGIN.";
    else if (!ends)
        advice = "Check that SI_END is reached on every way out of the interval.";
    return error_set(error, ERROR_NOTHING,
                     "No interval was completed: %llu SI_BEGIN, %llu SI_END and %llu SI_ENTER were "
                     "recorded. %s",
                     begins, ends, enters, advice);
}

static int seen_order(const void *a, const void *b)
{
    const struct seen_call *s = a, *t = b;
    if (s->caller != t->caller)
        return s->caller < t->caller ? -1 : 1;
    return s->callee < t->callee ? -1 : s->callee > t->callee;
}

/* The seen calls are copied in an order that does not depend on who saw them first. */
static void copy_seen(struct variance_result *result, const struct callee_table *callees)
{
    result->seen_count = callees->seen_count;
    result->seen = ARENA_ARRAY(&result->tree.arena, struct seen_call, callees->seen_count);
    for (uint32_t i = 0; i < callees->seen_count; i++)
        result->seen[i] = callees->seen[i];
    qsort(result->seen, result->seen_count, sizeof *result->seen, seen_order);
}

static int number_order(const void *a, const void *b)
{
    uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return p < q ? -1 : p > q;
}

static void copy_makers(struct variance_result *result, const struct callee_table *callees)
{
    result->maker_count = callees->maker_count;
    result->makers = ARENA_ARRAY(&result->tree.arena, uint32_t, callees->maker_count);
    for (uint32_t i = 0; i < callees->maker_count; i++)
        result->makers[i] = callees->makers[i];
    qsort(result->makers, result->maker_count, sizeof *result->makers, number_order);
}

static void build_result(struct variance_result *result, const struct timelines *run,
                         const struct row_list *rows, const struct function_table *functions)
{
    struct block_sums sums;
    struct callee_table callees;
    callee_table_init(&callees, run, functions);
    object_naming_fill(&callees);
    variance_tree_build(&result->tree, &sums, run, rows, &callees);
    factor_list_build(&result->factors, &result->tree, &sums);
    rivals_find(&result->factors, &result->tree, &sums);
    root_ledger_build(&result->roots, &result->tree, &sums, functions);
    tail_ledger_build(&result->tail, &result->tree);
    outliers_find(&result->outliers, rows, run);
    waited_list_build(&result->waited, &result->tree, &sums);
    copy_seen(result, &callees);
    copy_makers(result, &callees);
    block_sums_release(&sums);
    callee_table_release(&callees);
}

bool variance_analyze(struct variance_result *result, const struct timelines *run,
                      const struct function_table *functions, struct error *error)
{
    return variance_analyze_without(result, run, functions, 0, error);
}

bool variance_analyze_without(struct variance_result *result, const struct timelines *run,
                              const struct function_table *functions, uint32_t count,
                              struct error *error)
{
    struct row_list rows;
    row_list_init_without(&rows, run, count);
    bool any = rows.count > 0;
    if (any)
        build_result(result, run, &rows, functions);
    row_list_release(&rows);
    return any || nothing(run, error);
}

void variance_result_release(struct variance_result *result)
{
    factor_list_release(&result->factors);
    variance_tree_release(&result->tree);
}
