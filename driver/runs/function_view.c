#include "driver/runs/function_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/similar.h"
#include "base/str.h"

/* A step is a node on the way down from the root. */
struct step {
    json_t *node;
    const struct step *up; /* NULL for the root, the interval */
    size_t index;          /* among the parent's children */
};

static const char *text_of(json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static double number_of(json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static bool is_blamed(const struct step *step)
{
    return json_is_true(json_object_get(step->node, "blamed"));
}

/* A member may be named without its class. */
static bool is_named(const char *name, const char *wanted)
{
    size_t length = strlen(name), tail = strlen(wanted);
    return strcmp(name, wanted) == 0 || (length > tail + 2 && str_ends_with(name, wanted) &&
                                         memcmp(name + length - tail - 2, "::", 2) == 0);
}

/* ---- rows ---- */

static void append_path(struct str *path, const struct step *step, const struct step *top)
{
    if (step->up && step->up != top && step->up->up) {
        append_path(path, step->up, top);
        str_append(path, " > ");
    }
    str_append(path, text_of(step->node, "name"));
}

static void add_row(struct function_view *view, struct view_rows *rows, const char *path,
                    json_t *node)
{
    struct view_row *row = NULL;
    for (size_t i = 0; i < rows->count && !row; i++)
        if (strcmp(rows->items[i].path, path) == 0)
            row = &rows->items[i];
    if (row) {
        row->merged = true;
    } else {
        row = &VEC_PUSH(rows->items, rows->count, rows->capacity);
        *row = (struct view_row){.path = arena_strdup(&view->arena, path),
                                 .kind = text_of(node, "kind"),
                                 .file = text_of(node, "file"),
                                 .line = (long)number_of(node, "line"),
                                 .stddev_ns = sqrt(number_of(node, "variance_ns2"))};
    }
    row->contribution += number_of(node, "contribution");
    row->share += number_of(node, "share");
    row->mean_ns += number_of(node, "mean_ns");
    row->calls_per_interval += number_of(node, "calls_per_interval");
}

static void add_step(struct function_view *view, struct view_rows *rows, const struct step *step,
                     const struct step *top)
{
    struct str path = {0};
    append_path(&path, step, top);
    add_row(view, rows, path.data, step->node);
    str_release(&path);
}

static int compare_rows(const void *a, const void *b)
{
    const struct view_row *x = a, *y = b;
    double left = fabs(x->share), right = fabs(y->share);
    return left != right ? (left > right ? -1 : 1) : strcmp(x->path, y->path);
}

static void sort_rows(struct view_rows *rows)
{
    if (rows->count)
        qsort(rows->items, rows->count, sizeof *rows->items, compare_rows);
}

/* ---- one place of the function ---- */

/* A waker's path leads down to what most of the waited time went to. */
static void add_waker(struct function_view *view, const struct step *first)
{
    struct str path = {0};
    str_append(&path, text_of(first->node, "name"));
    double share = number_of(first->node, "share");
    for (json_t *node = first->node, *next; node; node = next) {
        json_t *child;
        size_t i;
        next = NULL;
        json_array_foreach(json_object_get(node, "children"), i, child)
        {
            if (number_of(child, "share") > share / 2)
                next = child;
        }
        if (next)
            str_printf(&path, " > %s", text_of(next, "name"));
    }
    add_row(view, &view->wakers, path.data, first->node);
    str_release(&path);
}

static void add_wakers(struct function_view *view, const struct step *step)
{
    json_t *child;
    size_t i;
    json_array_foreach(json_object_get(step->node, "children"), i, child)
    {
        struct step below = {child, step, i};
        if (is_blamed(&below))
            add_waker(view, &below);
        else
            add_wakers(view, &below);
    }
}

static void add_parts(struct function_view *view, const struct step *step)
{
    json_t *child;
    size_t i;
    json_array_foreach(json_object_get(step->node, "children"), i, child)
    {
        struct step below = {child, step, i};
        if (!is_blamed(&below))
            add_row(view, &view->parts, text_of(child, "name"), child);
    }
}

static void add_together(struct function_view *view, const struct step *step)
{
    json_t *pair;
    size_t i;
    json_t *siblings = json_object_get(step->up->node, "children");
    json_array_foreach(json_object_get(step->up->node, "covariances"), i, pair)
    {
        size_t a = (size_t)json_integer_value(json_object_get(pair, "a"));
        size_t b = (size_t)json_integer_value(json_object_get(pair, "b"));
        if (a != step->index && b != step->index)
            continue;
        json_t *other = json_array_get(siblings, a == step->index ? b : a);
        size_t before = view->together.count;
        add_row(view, &view->together, text_of(other, "name"), pair);
        if (view->together.count > before)
            view->together.items[before].kind = text_of(other, "kind");
    }
}

/* Gives the call that waited for this step of a waker; NULL where the same function stands above
 * it. */
static const struct step *waiting_call(const struct step *step)
{
    const struct step *up = step->up;
    for (; up && is_blamed(up); up = up->up)
        if (strcmp(text_of(up->node, "name"), text_of(step->node, "name")) == 0)
            return NULL;
    return up;
}

static void add_place(struct function_view *view, const struct step *step)
{
    if (!is_blamed(step)) {
        add_step(view, &view->sites, step, NULL);
        add_parts(view, step);
        add_wakers(view, step);
        add_together(view, step);
        return;
    }
    const struct step *call = waiting_call(step);
    struct str path = {0};
    if (call) {
        append_path(&path, call, NULL);
        add_row(view, &view->waiters, path.data, step->node);
    }
    str_release(&path);
}

/* ---- the whole tree ---- */

static void visit(struct function_view *view, const struct step *step, const char *wanted,
                  struct similar *similar)
{
    const char *name = text_of(step->node, "name");
    bool body = strcmp(text_of(step->node, "kind"), "body") == 0;
    if (step->up && !body)
        similar_offer(similar, name);
    if (step->up && is_named(name, wanted)) {
        view->name = name;
        add_place(view, step);
    }
    json_t *child;
    size_t i;
    json_array_foreach(json_object_get(step->node, "children"), i, child)
        visit(view, &(struct step){child, step, i}, wanted, similar);
}

static void find_factor(struct function_view *view, json_t *report)
{
    json_t *factor, *factors = json_object_get(report, "factors");
    size_t i;
    view->factor_count = json_array_size(factors);
    json_array_foreach(factors, i, factor)
    {
        json_t *names = json_object_get(factor, "functions");
        const char *name = json_string_value(json_array_get(names, 0));
        if (!view->factor && json_array_size(names) == 1 && name && strcmp(name, view->name) == 0)
            view->factor = factor;
    }
}

static void find_root(struct function_view *view, json_t *report)
{
    json_t *line;
    size_t i;
    json_array_foreach(json_object_get(report, "root_ledger"), i, line)
    {
        if (!view->root && strcmp(text_of(line, "name"), view->name) == 0)
            view->root = line;
    }
}

bool function_view_find(struct function_view *view, json_t *report, const char *name,
                        struct error *error)
{
    struct similar similar = {.wanted = name};
    struct step root = {json_object_get(report, "tree"), NULL, 0};
    visit(view, &root, name, &similar);
    if (!view->name) {
        struct str hint = {0};
        similar_append(&similar, "", &hint);
        error_set(error, ERROR_USAGE,
                  "No function %s is in this result.%s It has those only that some round timed; "
                  "report.txt and report.html show them.",
                  name, str_text(&hint));
        str_release(&hint);
        return false;
    }
    find_factor(view, report);
    find_root(view, report);
    struct view_rows *all[] = {&view->sites, &view->parts, &view->wakers, &view->waiters,
                               &view->together};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sort_rows(all[i]);
    return true;
}

void function_view_release(struct function_view *view)
{
    struct view_rows *all[] = {&view->sites, &view->parts, &view->wakers, &view->waiters,
                               &view->together};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        memory_free(all[i]->items);
    arena_release(&view->arena);
}
