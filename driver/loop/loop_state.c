#include "driver/loop/loop_state.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/hash_map.h"
#include "base/memory.h"
#include "driver/cli/command.h"
#include "driver/workbench/workdir.h"

/* Command lines; they live as long as the process. */
static struct arena words_;

/* ---- the command line ---- */

static json_t *text_json(const char *text)
{
    json_t *json = json_stringn_nocheck(text, strlen(text));
    if (!json)
        BUG("a JSON text could not be made");
    return json;
}

static void add_word(json_t *words, const char *text)
{
    json_array_append_new(words, text_json(text));
}

/* The number is written as option_take reads it again, every bit of it. */
static void add_number(json_t *words, double number)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", number);
    add_word(words, text);
}

static void add_path(json_t *words, const char *path)
{
    char absolute[PATH_MAX];
    add_word(words, realpath(path, absolute) ? absolute : path);
}

static void add_option(json_t *words, const struct option_spec *option, const void *values)
{
    const void *value = (const char *)values + option->offset;
    if (option_is_zero(option, values))
        return;
    struct str name = {0};
    option_append_name(option, &name);
    add_word(words, name.data);
    str_release(&name);
    switch (option->kind) {
    case OPTION_FLAG:
    case OPTION_COMMAND:
        return;
    case OPTION_TEXT:
    case OPTION_CHOICE:
        add_word(words, *(const char *const *)value);
        return;
    case OPTION_FILE:
    case OPTION_FOLDER:
        add_path(words, *(const char *const *)value);
        return;
    case OPTION_WHOLE:
    case OPTION_PROCESSORS:
        add_number(words, *(const unsigned *)value);
        return;
    case OPTION_FRACTION:
    case OPTION_DURATION:
        add_number(words, *(const double *)value);
        return;
    }
}

static void replace(json_t **value, json_t *by)
{
    json_decref(*value);
    *value = by;
}

/* An option that says where and how results are shown is asked for anew each time. */
static bool is_lasting(const struct option_spec *option)
{
    static const char *const passing[] = {"resume", "out", "json"};
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
        if (strcmp(option->name, passing[i]) == 0)
            return false;
    return true;
}

void loop_state_begin(struct loop_state *state, const struct iterate_options *options)
{
    loop_state_release(state);
    state->words = json_array();
    state->command = json_array();
    state->typed = text_json(options->words);
    const struct option_spec *option = command_options(&command_iterate);
    for (; option->name; option++)
        if (is_lasting(option))
            add_option(state->words, option, options);
    for (char *const *word = options->command; word && *word; word++)
        add_word(state->command, *word);
}

void loop_state_begin_again(struct loop_state *state, const struct iterate_options *options)
{
    struct loop_state fresh = {0};
    struct str typed = {0};
    loop_state_begin(&fresh, options);
    if (!json_equal(fresh.words, state->words))
        str_printf(&typed, "%s && %s", json_string_value(state->typed), options->words);
    replace(&state->words, json_incref(fresh.words));
    if (typed.length)
        replace(&state->typed, text_json(typed.data));
    str_release(&typed);
    loop_state_release(&fresh);
}

char **loop_state_words(const struct loop_state *state, int argc, char **argv, int *count)
{
    size_t options = json_array_size(state->words), command = json_array_size(state->command);
    char **words = ARENA_ARRAY(&words_, char *, options + command + (size_t)argc + 2);
    int n = 0;
    words[n++] = argv[0];
    for (size_t i = 0; i < options; i++)
        words[n++] = arena_strdup(&words_, json_string_value(json_array_get(state->words, i)));
    for (int i = 1; i < argc; i++)
        words[n++] = argv[i];
    if (command)
        words[n++] = arena_strdup(&words_, "--");
    for (size_t i = 0; i < command; i++)
        words[n++] = arena_strdup(&words_, json_string_value(json_array_get(state->command, i)));
    *count = n;
    return words;
}

/* ---- the functions ---- */

static json_t *chosen_json(const bool *chosen, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        if (chosen[i])
            json_array_append_new(list, json_integer(i));
    return list;
}

void loop_state_note(struct loop_state *state, const struct refine_loop *loop)
{
    replace(&state->opened, chosen_json(loop->opened, loop->table->function_count));
    replace(&state->timed, chosen_json(loop->timed, loop->table->function_count));
    replace(&state->hot, chosen_json(loop->hot, loop->table->function_count));
    replace(&state->seen, json_array());
    for (uint32_t i = 0; i < loop->seen_count; i++)
        json_array_append_new(state->seen, json_integer(loop->seen[i]));
}

static bool take_function(const json_t *list, size_t i, const struct refine_loop *loop,
                          uint32_t *function)
{
    json_int_t number = json_integer_value(json_array_get(list, i));
    *function = (uint32_t)number;
    return number >= 0 && number < loop->table->function_count;
}

static bool restore_chosen(const json_t *list, const struct refine_loop *loop, bool *chosen)
{
    memset(chosen, 0, sizeof *chosen * loop->table->function_count);
    bool ok = true;
    for (size_t i = 0; ok && i < json_array_size(list); i++) {
        uint32_t function;
        ok = take_function(list, i, loop, &function);
        if (ok)
            chosen[function] = true;
    }
    return ok;
}

bool loop_state_restore(const struct loop_state *state, struct refine_loop *loop,
                        struct error *error)
{
    bool ok = restore_chosen(state->opened, loop, loop->opened) &&
              restore_chosen(state->timed, loop, loop->timed) &&
              restore_chosen(state->hot, loop, loop->hot) && json_array_size(state->seen) % 2 == 0;
    loop->seen_count = 0;
    for (size_t i = 0; ok && i < json_array_size(state->seen); i++) {
        uint32_t function;
        ok = take_function(state->seen, i, loop, &function);
        VEC_PUSH(loop->seen, loop->seen_count, loop->seen_capacity) = function;
    }
    return ok || error_set(error, ERROR_FORMAT,
                           "%s names functions that are not there. Begin anew, without --resume.",
                           LOOP_STATE_FILE);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return hash_mix(hash ^ hash_bytes(text, strlen(text)));
}

static uint64_t hash_file(uint64_t hash, const char *source, const char *name)
{
    struct str path = {0}, text = {0};
    struct error ignored;
    path_join(&path, source, name);
    if (file_exists(path.data) && file_read(&text, path.data, &ignored))
        hash = hash_mix(hash ^ hash_bytes(str_text(&text), text.length));
    str_release(&path);
    str_release(&text);
    return hash;
}

uint64_t loop_state_hash_sources(const struct function_table *table, const char *source)
{
    struct intern files = {0};
    uint64_t hash = table->function_count;
    for (uint32_t i = 0; i < table->function_count; i++) {
        const struct function_info *info = &table->functions[i];
        hash = hash_text(hash_text(hash, info->name), info->file);
        size_t known = files.count;
        if (info->body && intern_add(&files, info->file) == known)
            hash = hash_file(hash, source, info->file);
    }
    intern_release(&files);
    return hash;
}

/* ---- the file ---- */

static json_t *first_json(const struct interval_summary *first)
{
    json_t *percentiles = json_array();
    for (int i = 0; i < SUMMARY_PERCENTILES; i++)
        json_array_append_new(percentiles, json_real(first->percentiles_ns[i]));
    return json_pack("{s:I, s:f, s:f, s:f, s:o}", "count", (json_int_t)first->count, "mean_ns",
                     first->mean_ns, "p50_ns", first->p50_ns, "p99_ns", first->p99_ns,
                     "percentiles_ns", percentiles);
}

static void read_first(struct interval_summary *first, const json_t *json)
{
    const json_t *percentiles = json_object_get(json, "percentiles_ns");
    *first = (struct interval_summary){
        .count = (uint64_t)json_integer_value(json_object_get(json, "count")),
        .mean_ns = json_number_value(json_object_get(json, "mean_ns")),
        .p50_ns = json_number_value(json_object_get(json, "p50_ns")),
        .p99_ns = json_number_value(json_object_get(json, "p99_ns")),
    };
    for (size_t i = 0; i < SUMMARY_PERCENTILES; i++)
        first->percentiles_ns[i] = json_number_value(json_array_get(percentiles, i));
}

bool loop_state_write(const struct loop_state *state, const char *root, struct error *error)
{
    char sources[32];
    struct str path = {0};
    snprintf(sources, sizeof sources, "%016" PRIx64, state->sources);
    json_t *json = json_pack(
        "{s:s, s:O, s:O, s:O, s:i, s:b, s:f, s:I, s:b, s:s, s:o, s:O*, s:O*, s:O*, s:O*}", "schema",
        "vprofiler.loop/1", "typed", state->typed, "words", state->words, "command", state->command,
        "round", (int)state->round, "measured", state->measured, "longest_s", state->longest_s,
        "copied_s", (json_int_t)state->copied_s, "building", state->building, "sources", sources,
        "first", first_json(&state->first), "opened", state->opened, "timed", state->timed, "hot",
        state->hot, "seen", state->seen);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    if (!text)
        BUG("a JSON text could not be made");
    path_join(&path, root, LOOP_STATE_FILE);
    bool ok = file_write(path.data, text, strlen(text), error);
    free(text);
    json_decref(json);
    str_release(&path);
    return ok;
}

static json_t *take_list(const json_t *json, const char *key)
{
    json_t *list = json_object_get(json, key);
    return json_is_array(list) ? json_incref(list) : json_array();
}

static void take_state(struct loop_state *state, const json_t *json)
{
    *state = (struct loop_state){
        .words = take_list(json, "words"),
        .command = take_list(json, "command"),
        .typed = json_incref(json_object_get(json, "typed")),
        .opened = take_list(json, "opened"),
        .timed = take_list(json, "timed"),
        .hot = take_list(json, "hot"),
        .seen = take_list(json, "seen"),
        .round = (unsigned)json_integer_value(json_object_get(json, "round")),
        .measured = json_is_true(json_object_get(json, "measured")),
        .copied_s = json_integer_value(json_object_get(json, "copied_s")),
        .building = json_is_true(json_object_get(json, "building")),
        .longest_s = json_number_value(json_object_get(json, "longest_s")),
        .sources = strtoull(json_string_value(json_object_get(json, "sources")), NULL, 16),
    };
    read_first(&state->first, json_object_get(json, "first"));
}

static bool holds_texts(const json_t *list)
{
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item) if (!json_is_string(item)) return false;
    return json_is_array(list);
}

bool loop_state_read(struct loop_state *state, const char *root, struct error *error)
{
    struct str path = {0};
    path_join(&path, root, LOOP_STATE_FILE);
    json_t *json = json_load_file(path.data, 0, NULL);
    bool ok = holds_texts(json_object_get(json, "words")) &&
              holds_texts(json_object_get(json, "command")) &&
              json_is_string(json_object_get(json, "typed")) &&
              json_is_string(json_object_get(json, "sources"));
    if (ok)
        take_state(state, json);
    else
        error_set(error, ERROR_FORMAT, "%s can't be read. Begin anew, without --resume.",
                  path.data);
    json_decref(json);
    str_release(&path);
    return ok;
}

void loop_state_release(struct loop_state *state)
{
    json_t *owned[] = {state->words, state->command, state->typed, state->opened,
                       state->timed, state->hot,     state->seen};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        json_decref(owned[i]);
    *state = (struct loop_state){0};
}
