/* function_view.h - one function of a finished result, gathered from its report.json.
 *
 *     struct function_view view = {0};
 *     if (!function_view_find(&view, report, "table_get", &error)) ...   unknown: the nearest
 *     view.sites      where it runs                 view.parts      what it is made of
 *     view.wakers     who ended its waits           view.waiters    which calls waited for it
 *     view.together   its covariances
 *     function_view_release(&view);
 *
 * Rows of the same path are one row; the greatest share comes first. A row of `together` has no
 * more than its contribution, which adds up. Borrows `report`.
 */
#ifndef DRIVER_RUNS_FUNCTION_VIEW_H
#define DRIVER_RUNS_FUNCTION_VIEW_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

struct view_row {
    const char *path; /* "worker > serve > table_get" */
    const char *kind, *file;
    long line;
    double share, mean_ns, calls_per_interval;
    bool merged; /* of several nodes: these add up, variances do not */
    double contribution, stddev_ns;
};

struct view_rows {
    struct view_row *items;
    size_t count, capacity;
};

struct function_view {
    struct arena arena;
    const char *name;
    json_t *factor; /* of the report's factors, or NULL */
    json_t *root;   /* its line of the root ledger, or NULL */
    size_t factor_count;
    struct view_rows sites, parts, wakers, waiters, together;
};

bool function_view_find(struct function_view *view, json_t *report, const char *name,
                        struct error *error);
void function_view_release(struct function_view *view);

#endif
