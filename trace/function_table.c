#include "trace/function_table.h"

#include <jansson.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"

#define SCHEMA "vprofiler.functions/1"

static const char *const kind_names[] = {
    [PROBE_NONE] = "none",         [PROBE_FUNCTION] = "function", [PROBE_CALL] = "call",
    [PROBE_INDIRECT] = "indirect", [PROBE_SYNC] = "sync",         [PROBE_TASK] = "task",
};
enum { KIND_COUNT = sizeof kind_names / sizeof kind_names[0] };

/* JSON is UTF-8, names of files are bytes: what is neither ASCII nor UTF-8 becomes "?". */
static json_t *text_json(const char *text)
{
    json_t *json = json_string(text ? text : "");
    if (json)
        return json;
    struct str plain = {0};
    str_append(&plain, text);
    for (char *c = plain.data; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    json = json_string(plain.data);
    str_release(&plain);
    return json;
}

static json_t *index_json(uint32_t index)
{
    return index == FUNCTION_NONE ? json_null() : json_integer(index);
}

static json_t *indices_json(const uint32_t *indices, uint32_t count)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(array, json_integer(indices[i]));
    return array;
}

/* Older tables have none of these; what is not there is false. */
static void set_where_true(json_t *json, const char *field, bool flag)
{
    if (flag)
        json_object_set_new(json, field, json_true());
}

static json_t *function_json(const struct function_info *function)
{
    json_t *callees = indices_json(function->callees, function->callee_count);
    json_t *json = json_object();
    json_object_set_new(json, "name", text_json(function->name));
    json_object_set_new(json, "symbol", text_json(function->symbol));
    json_object_set_new(json, "file", text_json(function->file));
    json_object_set_new(json, "line", json_integer(function->line));
    json_object_set_new(json, "body", json_boolean(function->body));
    json_object_set_new(json, "marks", json_boolean(function->marks));
    json_object_set_new(json, "indirect_calls", json_boolean(function->indirect_calls));
    json_object_set_new(json, "callees", callees);
    if (function->reference_count)
        json_object_set_new(json, "references",
                            indices_json(function->references, function->reference_count));
    set_where_true(json, "referenced", function->referenced);
    set_where_true(json, "handles_signals", function->handles_signals);
    set_where_true(json, "team_unseen", function->team_unseen);
    if (function->calls_back != CALLS_NOBODY)
        json_object_set_new(json, "calls_back",
                            json_string(function->calls_back == CALLS_ANY ? "any" : "given"));
    return json;
}

static json_t *probe_json(const struct probe_info *probe)
{
    json_t *json = json_object();
    json_object_set_new(json, "kind", text_json(kind_names[probe->kind]));
    json_object_set_new(json, "function", index_json(probe->function));
    json_object_set_new(json, "within", index_json(probe->within));
    json_object_set_new(json, "line", json_integer(probe->line));
    json_object_set_new(json, "file", text_json(probe->file));
    if (probe->object)
        json_object_set_new(json, "object", text_json(probe->object));
    return json;
}

/* An element has a line of its own, so that two tables can be compared with diff. Takes `json`. */
static void append_element(struct str *text, json_t *json, bool first)
{
    char *line = json_dumps(json, JSON_COMPACT);
    str_append(text, first ? "\n" : ",\n");
    str_append(text, line);
    free(line);
    json_decref(json);
}

bool function_table_write(const struct function_table *table, const char *path, struct error *error)
{
    struct str text = {0};
    str_append(&text, "{\"schema\":\"" SCHEMA "\",\n\"functions\":[");
    for (uint32_t i = 0; i < table->function_count; i++)
        append_element(&text, function_json(&table->functions[i]), i == 0);
    str_append(&text, "],\n\"probes\":[");
    for (uint32_t i = 0; i < table->probe_count; i++)
        append_element(&text, probe_json(&table->probes[i]), i == 0);
    str_append(&text, "]}\n");
    bool ok = file_write(path, text.data, text.length, error);
    str_release(&text);
    return ok;
}

/* A message names the element that is being read: "functions[7]". */
struct element {
    const char *path;
    const char *array;
    size_t index;
    struct error *error;
};

static bool element_fail(const struct element *element, const char *field, const char *wanted)
{
    return error_set(element->error, ERROR_FORMAT,
                     "%s: %s[%zu].%s is not %s: the file is damaged. Run vprofiler rewrite again.",
                     element->path, element->array, element->index, field, wanted);
}

static bool read_text(const struct element *element, struct arena *arena, const json_t *json,
                      const char *field, const char **text)
{
    const char *value = json_string_value(json_object_get(json, field));
    if (!value)
        return element_fail(element, field, "a string");
    *text = arena_strdup(arena, value);
    return true;
}

static bool read_number(const struct element *element, const json_t *json, const char *field,
                        uint32_t *number)
{
    const json_t *value = json_object_get(json, field);
    json_int_t n = json_integer_value(value);
    if (!json_is_integer(value) || n < 0 || n >= UINT32_MAX)
        return element_fail(element, field, "a number from 0 to 4294967294");
    *number = (uint32_t)n;
    return true;
}

static bool read_bool(const struct element *element, const json_t *json, const char *field,
                      bool *flag)
{
    const json_t *value = json_object_get(json, field);
    if (!json_is_boolean(value))
        return element_fail(element, field, "true or false");
    *flag = json_is_true(value);
    return true;
}

/* An index that is null is FUNCTION_NONE. */
static bool read_index(const struct element *element, const json_t *json, const char *field,
                       uint32_t count, uint32_t *index)
{
    const json_t *value = json_object_get(json, field);
    *index = FUNCTION_NONE;
    if (json_is_null(value))
        return true;
    json_int_t n = json_integer_value(value);
    if (!json_is_integer(value) || n < 0 || n >= count)
        return element_fail(element, field, "null or the number of a function");
    *index = (uint32_t)n;
    return true;
}

static bool read_indices(const struct element *element, struct arena *arena, const json_t *json,
                         const char *field, uint32_t count, uint32_t **indices,
                         uint32_t *index_count)
{
    const json_t *array = json_object_get(json, field);
    if (!json_is_array(array))
        return element_fail(element, field, "an array");
    size_t size = json_array_size(array);
    *indices = ARENA_ARRAY(arena, uint32_t, size);
    *index_count = 0;
    for (size_t i = 0; i < size; i++) {
        const json_t *value = json_array_get(array, i);
        json_int_t n = json_integer_value(value);
        if (!json_is_integer(value) || n < 0 || n >= count)
            return element_fail(element, field, "an array of numbers of functions");
        (*indices)[(*index_count)++] = (uint32_t)n;
    }
    return true;
}

static bool read_reach(const struct element *element, struct arena *arena, const json_t *json,
                       uint32_t count, struct function_info *function)
{
    function->referenced = json_is_true(json_object_get(json, "referenced"));
    function->handles_signals = json_is_true(json_object_get(json, "handles_signals"));
    function->team_unseen = json_is_true(json_object_get(json, "team_unseen"));
    const char *calls = json_string_value(json_object_get(json, "calls_back"));
    function->calls_back = !calls                      ? CALLS_NOBODY
                           : strcmp(calls, "any") == 0 ? CALLS_ANY
                                                       : CALLS_GIVEN;
    return !json_object_get(json, "references") ||
           read_indices(element, arena, json, "references", count, &function->references,
                        &function->reference_count);
}

static bool read_function(const struct element *element, struct arena *arena, const json_t *json,
                          uint32_t count, struct function_info *function)
{
    return read_text(element, arena, json, "name", &function->name) &&
           read_text(element, arena, json, "symbol", &function->symbol) &&
           read_text(element, arena, json, "file", &function->file) &&
           read_number(element, json, "line", &function->line) &&
           read_bool(element, json, "body", &function->body) &&
           read_bool(element, json, "marks", &function->marks) &&
           read_bool(element, json, "indirect_calls", &function->indirect_calls) &&
           read_indices(element, arena, json, "callees", count, &function->callees,
                        &function->callee_count) &&
           read_reach(element, arena, json, count, function);
}

static bool read_kind(const struct element *element, const json_t *json, enum probe_kind *kind)
{
    const char *text = json_string_value(json_object_get(json, "kind"));
    for (int i = 0; text && i < KIND_COUNT; i++)
        if (strcmp(text, kind_names[i]) == 0) {
            *kind = (enum probe_kind)i;
            return true;
        }
    return element_fail(element, "kind", "none, function, call, indirect, sync or task");
}

static bool read_probe(const struct element *element, struct arena *arena, const json_t *json,
                       uint32_t count, struct probe_info *probe)
{
    return read_kind(element, json, &probe->kind) &&
           read_index(element, json, "function", count, &probe->function) &&
           read_index(element, json, "within", count, &probe->within) &&
           read_number(element, json, "line", &probe->line) &&
           read_text(element, arena, json, "file", &probe->file) &&
           (!json_object_get(json, "object") ||
            read_text(element, arena, json, "object", &probe->object));
}

static bool read_functions(struct function_table *table, const char *path, const json_t *array,
                           struct error *error)
{
    uint32_t count = (uint32_t)json_array_size(array);
    table->functions = ARENA_ARRAY(&table->arena, struct function_info, count);
    for (; table->function_count < count; table->function_count++) {
        struct element element = {path, "functions", table->function_count, error};
        if (!read_function(&element, &table->arena, json_array_get(array, element.index), count,
                           &table->functions[element.index]))
            return false;
    }
    return true;
}

static bool read_probes(struct function_table *table, const char *path, const json_t *array,
                        struct error *error)
{
    uint32_t count = (uint32_t)json_array_size(array);
    table->probes = ARENA_ARRAY(&table->arena, struct probe_info, count);
    for (; table->probe_count < count; table->probe_count++) {
        struct element element = {path, "probes", table->probe_count, error};
        if (!read_probe(&element, &table->arena, json_array_get(array, element.index),
                        table->function_count, &table->probes[element.index]))
            return false;
    }
    return true;
}

static bool read_root(struct function_table *table, const char *path, const json_t *root,
                      struct error *error)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    const json_t *functions = json_object_get(root, "functions");
    const json_t *probes = json_object_get(root, "probes");
    if (!schema || strcmp(schema, SCHEMA) != 0)
        return error_set(error, ERROR_FORMAT,
                         "%s has the schema \"%s\"; this vprofiler reads \"" SCHEMA
                         "\". Run vprofiler rewrite again.",
                         path, schema ? schema : "");
    if (!json_is_array(functions) || !json_is_array(probes))
        return error_set(error, ERROR_FORMAT,
                         "%s lacks \"functions\" or \"probes\": the file is damaged. Run vprofiler "
                         "rewrite again.",
                         path);
    return read_functions(table, path, functions, error) && read_probes(table, path, probes, error);
}

bool function_table_read(struct function_table *table, const char *path, struct error *error)
{
    struct str text = {0};
    json_error_t fault;
    *table = (struct function_table){0};
    if (!file_read(&text, path, error)) {
        str_release(&text);
        return false;
    }
    json_t *root = json_loadb(str_text(&text), text.length, 0, &fault);
    str_release(&text);
    bool ok = root ? read_root(table, path, root, error)
                   : error_set(error, ERROR_FORMAT,
                               "%s: byte %d: %s: the file is damaged. Run vprofiler rewrite again.",
                               path, fault.position, fault.text);
    json_decref(root);
    if (!ok)
        function_table_release(table);
    return ok;
}

void function_table_release(struct function_table *table)
{
    arena_release(&table->arena);
    *table = (struct function_table){0};
}

uint32_t function_table_find_symbol(const struct function_table *table, const char *symbol)
{
    for (uint32_t i = 0; i < table->function_count; i++)
        if (strcmp(table->functions[i].symbol, symbol) == 0)
            return i;
    return FUNCTION_NONE;
}
