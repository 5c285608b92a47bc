#include "driver/family_waits.h"

#include "report/waits/waits_family.h"
#include "report/waits/waits_tables.h"
#include "waits/waits.h"

/* A thread is there in one of the runs that are joined: its part of the time of all means nothing. */
static void *analyze(const struct family_input *input, struct error *error)
{
    const struct kernel_side *side = input->run->kernel_side;
    if (side && side->joined > 1) {
        error_set(error, ERROR_NOTHING, "Waits are told of one run, not of %u.", side->joined);
        return NULL;
    }
    return waits_find(input->run, error);
}

static const char *check(const void *result)
{
    return waits_check(result);
}

static void fill_groups(const void *result, struct table *table)
{
    wait_groups_add_all(table, result);
}

static void fill_edges(const void *result, struct table *table)
{
    wait_edges_add_all(table, result);
}

static void fill_processor(const void *result, struct table *table)
{
    wait_processor_add_all(table, result);
}

static const struct family_table tables[] = {{&wait_groups_table, fill_groups},
                                             {&wait_edges_table, fill_edges},
                                             {&wait_processor_table, fill_processor},
                                             {0}};

static void release(void *result)
{
    waits_release(result);
}

const struct family family_waits = {.told = &waits_report_family,
                                    .needs = FAMILY_KERNEL,
                                    .analyze = analyze,
                                    .check = check,
                                    .tables = tables,
                                    .release = release};
