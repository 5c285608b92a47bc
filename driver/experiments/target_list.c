#include "driver/experiments/target_list.h"

#include <string.h>

#include "base/memory.h"
#include "base/similar.h"
#include "trace/delay_format.h"

static bool is_named(const struct function_table *table, uint32_t function, const char *name)
{
    return function != FUNCTION_NONE && strcmp(table->functions[function].name, name) == 0;
}

static void offer(struct similar *similar, const struct function_table *table, bool carried)
{
    for (uint32_t i = 1; carried && i < table->probe_count; i++)
        if (table->probes[i].kind == PROBE_FUNCTION)
            similar_offer(similar, table->functions[table->probes[i].function].name);
    for (uint32_t i = 0; !carried && i < table->function_count; i++)
        if (table->functions[i].body)
            similar_offer(similar, table->functions[i].name);
}

/* Before a build no function carries a probe. */
static bool fail(const struct function_table *table, const char *name, bool carried,
                 struct error *error)
{
    struct similar similar = {.wanted = name};
    struct str near = {0};
    bool known = carried && target_list_knows(table, name, error);
    if (!table->function_count)
        return error_set(error, ERROR_USAGE,
                         "Which functions the program has is not known: there is no functions.json "
                         "here. Name the one that `vprofiler rewrite --table` wrote with "
                         "--functions FILE, or let --build SCRIPT build the program.");
    offer(&similar, table, carried);
    similar_append(&similar, "", &near);
    error_set(error, ERROR_USAGE, "%s '%s'.%s",
              known ? "The program carries no probe in the function"
                    : "The program has no function",
              name, str_text(&near));
    str_release(&near);
    return false;
}

bool target_list_knows(const struct function_table *table, const char *name, struct error *error)
{
    for (uint32_t i = 0; i < table->function_count; i++)
        if (table->functions[i].body && is_named(table, i, name))
            return true;
    return fail(table, name, false, error);
}

/* What is there already is not experimented with twice. */
static void add(struct target_list *list, struct experiment_goal goal, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].kind, goal.kind) == 0 && strcmp(list->items[i].name, name) == 0) {
            memory_free(goal.probes);
            code_goal_release(goal.code);
            return;
        }
    goal.name = memory_strdup(name);
    VEC_PUSH(list->items, list->count, list->capacity) = goal;
}

bool target_list_add_function(struct target_list *list, const struct function_table *table,
                              const char *name, struct error *error)
{
    struct experiment_goal goal = {.kind = "function"};
    for (uint32_t i = 1; i < table->probe_count; i++)
        if (table->probes[i].kind == PROBE_FUNCTION &&
            is_named(table, table->probes[i].function, name))
            VEC_PUSH(goal.probes, goal.probe_count, goal.probe_capacity) = i;
    if (!goal.probe_count)
        return fail(table, name, true, error);
    add(list, goal, name);
    return true;
}

static void add_code(struct target_list *list, const char *kind, const char *name,
                     struct code_goal *code)
{
    add(list, (struct experiment_goal){.kind = kind, .delays = TRACE_DELAY_CODE, .code = code},
        name);
}

void target_list_add_symbol(struct target_list *list, const char *name)
{
    add_code(list, "function", name, code_goal_of_function(name));
}

bool target_list_add_line(struct target_list *list, const char *place, struct error *error)
{
    struct code_goal *code = code_goal_parse(place, error);
    if (code)
        add_code(list, "line", place, code);
    return code != NULL;
}

static bool fail_lock(const struct function_table *table, const char *name, struct error *error)
{
    struct similar similar = {.wanted = name};
    struct str near = {0};
    bool any = false;
    for (uint32_t i = 1; i < table->probe_count; i++)
        if (table->probes[i].object) {
            similar_offer(&similar, table->probes[i].object);
            any = true;
        }
    similar_append(&similar, "", &near);
    error_set(error, ERROR_USAGE, "No call locks '%s'.%s%s", name, str_text(&near),
              any ? "" : " The program has to be rewritten with --sync.");
    str_release(&near);
    return false;
}

bool target_list_add_lock(struct target_list *list, const struct function_table *table,
                          const char *name, struct error *error)
{
    struct experiment_goal goal = {.kind = "lock", .delays = TRACE_DELAY_LOCK};
    for (uint32_t i = 1; i < table->probe_count; i++)
        if (table->probes[i].object && strcmp(table->probes[i].object, name) == 0)
            VEC_PUSH(goal.probes, goal.probe_count, goal.probe_capacity) = i;
    if (!goal.probe_count)
        return fail_lock(table, name, error);
    add(list, goal, name);
    return true;
}

const char *const target_wait_classes[] = {"disk", "network", "timer", NULL};

bool target_list_add_waits(struct target_list *list, const char *name, struct error *error)
{
    static const uint32_t classes[] = {TRACE_WAIT_DISK, TRACE_WAIT_NETWORK, TRACE_WAIT_TIMER};
    for (int i = 0; target_wait_classes[i]; i++)
        if (strcmp(name, target_wait_classes[i]) == 0) {
            add(list,
                (struct experiment_goal){
                    .kind = "waits", .delays = TRACE_DELAY_WAITS, .classes = classes[i]},
                name);
            return true;
        }
    return error_set(error, ERROR_USAGE,
                     "Waits are for 'disk', 'network' or 'timer', not for '%s'.", name);
}

bool target_list_set_progress(struct target_list *list, const struct function_table *table,
                              const char *name, struct error *error)
{
    for (uint32_t i = 1; i < table->probe_count; i++)
        if (table->probes[i].kind == PROBE_FUNCTION &&
            is_named(table, table->probes[i].function, name))
            VEC_PUSH(list->progress, list->progress_count, list->progress_capacity) = i;
    return list->progress_count || fail(table, name, true, error);
}

bool target_list_has_code(const struct target_list *list)
{
    bool any = false;
    for (size_t i = 0; i < list->count; i++)
        any = any || list->items[i].code;
    return any;
}

void target_list_roles(const struct target_list *list, size_t goal, unsigned char *roles,
                       uint32_t probe_count)
{
    memset(roles, 0, probe_count);
    for (size_t i = 0; i < list->items[goal].probe_count; i++)
        roles[list->items[goal].probes[i]] |= TRACE_PROBE_TARGET;
    for (size_t i = 0; i < list->progress_count; i++)
        roles[list->progress[i]] |= TRACE_PROBE_PROGRESS;
}

static void write_member(void *context, const char *what, double value)
{
    if (value > 0)
        str_printf(context, "0 plan %s %.9g\n", what, value);
}

void target_list_write(const struct target_list *list, const char *outside,
                       const struct experiment_plan *plan, struct str *out)
{
    for (size_t i = 0; i < list->count; i++)
        str_printf(out, "%zu %s %s\n", i + 1, list->items[i].kind, list->items[i].name);
    if (outside)
        str_printf(out, "0 outside %s\n", outside);
    experiment_plan_each(plan, write_member, out);
}

void target_list_release(struct target_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        memory_free(list->items[i].name);
        memory_free(list->items[i].probes);
        code_goal_release(list->items[i].code);
    }
    memory_free(list->items);
    code_goal_release(list->place);
    memory_free(list->progress);
    *list = (struct target_list){0};
}
