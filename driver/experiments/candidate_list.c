#include "driver/experiments/candidate_list.h"

#include <jansson.h>
#include <string.h>

#include "base/file.h"
#include "driver/cli/talk.h"
#include "driver/workbench/workdir.h"

/* Calls that no thread ends, by the class of their waits. */
static const struct {
    const char *function, *class;
} device_waits[] = {
    {"usleep", "timer"}, {"nanosleep", "timer"}, {"sleep", "timer"}, {"clock_nanosleep", "timer"},
    {"fsync", "disk"},   {"fdatasync", "disk"},  {"pread", "disk"},  {"pwrite", "disk"},
};

static const char own_suffix[] = " [body]";

static const char *text_at(struct candidate_list *list, const json_t *array, size_t index)
{
    const char *text = json_string_value(json_array_get(array, index));
    return text ? arena_strdup(&list->arena, text) : NULL;
}

/* "serve [body]" is serve's own time. */
static const char *function_of(struct candidate_list *list, const json_t *factor)
{
    const char *name = text_at(list, json_object_get(factor, "functions"), 0);
    size_t length = name ? strlen(name) : 0;
    bool own = name && str_ends_with(name, own_suffix);
    return own ? arena_strndup(&list->arena, name, length - strlen(own_suffix)) : name;
}

/* Sites are by contribution. */
static void add_factor(struct candidate_list *list, const json_t *factor)
{
    const json_t *site = json_array_get(json_object_get(factor, "sites"), 0);
    const json_t *path = json_object_get(site, "path");
    size_t length = json_array_size(path);
    struct candidate *item = &list->items[list->count];
    *item = (struct candidate){
        .function = function_of(list, factor),
        .factor = text_at(list, json_object_get(factor, "functions"), 0),
        .object = text_at(list, json_object_get(factor, "objects"), 0),
        .caller = length > 1 ? text_at(list, path, length - 2) : NULL,
    };
    list->count += item->function != NULL;
}

static void collect_names(struct candidate_list *list)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        list->names[count++] = list->items[i].function;
        if (list->items[i].caller)
            list->names[count++] = list->items[i].caller;
    }
}

/* Two functions that vary together are two factors of their own as well. */
static void take_report(struct candidate_list *list, const json_t *report)
{
    size_t i;
    json_t *factor;
    json_array_foreach(json_object_get(report, "factors"), i, factor)
    {
        if (list->count < CANDIDATES_MOST &&
            json_array_size(json_object_get(factor, "functions")) == 1)
            add_factor(list, factor);
    }
    collect_names(list);
}

/* A folder of results has its newest that is iterate's. */
static json_t *load_report(struct candidate_list *list, const char *path)
{
    struct str name = {0};
    str_printf(&list->result, "%s", path);
    str_printf(&name, "%s/report.json", path);
    if (!file_exists(name.data)) {
        str_clear(&list->result);
        workdir_find(path, "report.json", &list->result);
        str_clear(&name);
        str_printf(&name, "%s/report.json", str_text(&list->result));
    }
    json_t *report = json_load_file(name.data, 0, NULL);
    str_release(&name);
    return report;
}

bool candidate_list_read(struct candidate_list *list, const char *path, struct error *error)
{
    json_t *report = load_report(list, path);
    take_report(list, report);
    json_decref(report);
    return list->count || error_set(error, ERROR_USAGE,
                                    "%s has no report of `vprofiler iterate` with factors: it "
                                    "names none to experiment with. Run iterate first, or name "
                                    "what is to be faster by --function NAME.",
                                    path);
}

static const char *class_of(const char *function)
{
    for (size_t i = 0; i < sizeof device_waits / sizeof *device_waits; i++)
        if (strcmp(device_waits[i].function, function) == 0)
            return device_waits[i].class;
    return NULL;
}

static bool note(struct candidate *item, const char *kind, const char *name)
{
    item->kind = kind;
    item->name = name;
    return true;
}

static bool add(struct candidate *item, const struct function_table *table,
                struct target_list *targets)
{
    struct error ignored;
    const char *class = class_of(item->function);
    if (item->object && target_list_add_lock(targets, table, item->object, &ignored))
        return note(item, "lock", item->object);
    if (target_list_add_function(targets, table, item->function, &ignored))
        return note(item, "function", item->function);
    if (class && target_list_add_waits(targets, class, &ignored))
        return note(item, "waits", class);
    return item->caller && target_list_add_function(targets, table, item->caller, &ignored) &&
           note(item, "function", item->caller);
}

bool candidate_list_take(struct candidate_list *list, const struct function_table *table,
                         struct target_list *targets, struct error *error)
{
    size_t before = targets->count;
    for (size_t i = 0; i < list->count; i++)
        if (!add(&list->items[i], table, targets))
            talk("%s is a factor, but the program carries no probe of it or its caller: no "
                 "experiment",
                 list->items[i].function);
    return targets->count > before ||
           error_set(error, ERROR_USAGE,
                     "The program carries no probe of any factor of --from. Is it the program of "
                     "that result, rewritten with --time FUNCTIONS and --sync?");
}

void candidate_list_release(struct candidate_list *list)
{
    arena_release(&list->arena);
    str_release(&list->result);
    *list = (struct candidate_list){0};
}
