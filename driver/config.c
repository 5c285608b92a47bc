#include "driver/config.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

/* Where in the file we are, for messages: "intervals[0].begin". */
struct place {
    const char *path;
    char text[160];
    struct error *error;
};

static bool fail(const struct place *place, const char *what)
{
    return error_set(place->error, ERROR_USAGE, "%s: %s: %s. See docs/config.md for the form.",
                     place->path, place->text, what);
}

static struct place inside(const struct place *place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static struct place inside(const struct place *place, const char *format, ...)
{
    struct place inner = *place;
    size_t used = strlen(inner.text);
    if (used)
        used += (size_t)snprintf(inner.text + used, sizeof inner.text - used, ".");
    va_list args;
    va_start(args, format);
    if (used < sizeof inner.text)
        vsnprintf(inner.text + used, sizeof inner.text - used, format, args);
    va_end(args);
    return inner;
}

static bool keys_known(const struct place *place, json_t *object, const char *const *known)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return fail(place, "an object {...} is wanted here");
    json_object_foreach(object, key, value)
    {
        const char *const *name = known;
        while (*name && strcmp(*name, key) != 0)
            name++;
        if (!*name) {
            struct place inner = inside(place, "%s", key);
            return fail(&inner, "this key is not known");
        }
    }
    return true;
}

/* A string by key; NULL is left where it is missing and not `needed`. */
static bool read_text(struct config *config, const struct place *place, json_t *object,
                      const char *key, bool needed, const char **text)
{
    json_t *value = json_object_get(object, key);
    struct place inner = inside(place, "%s", key);
    if (!value)
        return !needed || fail(&inner, "this key is missing");
    if (!json_is_string(value) || !*json_string_value(value))
        return fail(&inner, "a text \"...\" is wanted here");
    *text = arena_strdup(&config->arena, json_string_value(value));
    return true;
}

static bool read_at(const struct place *place, json_t *object, struct mark_declaration *mark)
{
    json_t *at = json_object_get(object, "at");
    struct place inner = inside(place, "at");
    const char *word = json_string_value(at);
    json_t *line = json_object_get(at, "line");
    if (word && strcmp(word, "entry") == 0) {
        mark->place = MARK_AT_ENTRY;
    } else if (word && strcmp(word, "exit") == 0) {
        mark->place = MARK_AT_EXIT;
    } else if (json_is_integer(line) && json_integer_value(line) > 0) {
        mark->place = MARK_AT_LINE;
        mark->line = (uint32_t)json_integer_value(line);
    } else {
        return fail(&inner, "\"entry\", \"exit\" or {\"line\": N} is wanted here");
    }
    return true;
}

static bool read_mark(struct config *config, const struct place *place, json_t *object,
                      enum mark_what what, struct mark_declaration *mark)
{
    static const char *const known[] = {"function", "at", "id", "if", NULL};
    mark->what = what;
    return keys_known(place, object, known) &&
           read_text(config, place, object, "function", true, &mark->function) &&
           read_at(place, object, mark) &&
           read_text(config, place, object, "id", true, &mark->id) &&
           read_text(config, place, object, "if", false, &mark->condition);
}

/* One of "begin", "end", "enter": an object, or a list of them. */
static bool read_marks(struct config *config, const struct place *place, json_t *interval,
                       const char *key, enum mark_what what)
{
    json_t *value = json_object_get(interval, key);
    size_t count = json_is_array(value) ? json_array_size(value) : value ? 1 : 0;
    struct declarations *all = &config->declarations;
    for (size_t i = 0; i < count; i++) {
        struct place inner =
            json_is_array(value) ? inside(place, "%s[%zu]", key, i) : inside(place, "%s", key);
        json_t *one = json_is_array(value) ? json_array_get(value, i) : value;
        if (!read_mark(config, &inner, one, what, &all->marks[all->mark_count]))
            return false;
        all->mark_count++;
    }
    return true;
}

static bool read_interval(struct config *config, const struct place *place, json_t *interval)
{
    static const char *const known[] = {"begin", "end", "enter", "type", NULL};
    uint32_t first = config->declarations.mark_count;
    const char *type = NULL;
    if (!keys_known(place, interval, known))
        return false;
    if (!json_object_get(interval, "begin") || !json_object_get(interval, "end"))
        return fail(place, "an interval wants a \"begin\" and an \"end\"");
    if (!read_text(config, place, interval, "type", false, &type) ||
        !read_marks(config, place, interval, "begin", MARK_BEGIN) ||
        !read_marks(config, place, interval, "end", MARK_END) ||
        !read_marks(config, place, interval, "enter", MARK_ENTER))
        return false;
    for (uint32_t i = first; i < config->declarations.mark_count; i++)
        if (config->declarations.marks[i].what == MARK_BEGIN)
            config->declarations.marks[i].type = type;
    return true;
}

static size_t count_marks(json_t *intervals)
{
    static const char *const keys[] = {"begin", "end", "enter"};
    size_t count = 0, i;
    json_t *interval;
    json_array_foreach(intervals, i, interval)
    {
        for (size_t k = 0; k < 3; k++) {
            json_t *value = json_object_get(interval, keys[k]);
            count += json_is_array(value) ? json_array_size(value) : 1;
        }
    }
    return count;
}

static bool read_intervals(struct config *config, const struct place *place, json_t *intervals)
{
    if (!json_is_array(intervals)) {
        struct place inner = inside(place, "intervals");
        return fail(&inner, "a list [...] is wanted here");
    }
    config->declarations.marks =
        ARENA_ARRAY(&config->arena, struct mark_declaration, count_marks(intervals) + 1);
    size_t i;
    json_t *interval;
    json_array_foreach(intervals, i, interval)
    {
        struct place inner = inside(place, "intervals[%zu]", i);
        if (!read_interval(config, &inner, interval))
            return false;
    }
    return true;
}

static bool read_role(const struct place *place, json_t *object, enum sync_role *role)
{
    static const char *const names[] = {"acquire", "release", "enqueue", "dequeue"};
    const char *name = json_string_value(json_object_get(object, "role"));
    struct place inner = inside(place, "role");
    for (int i = 0; name && i < 4; i++)
        if (strcmp(name, names[i]) == 0) {
            *role = (enum sync_role)i;
            return true;
        }
    return fail(&inner, "\"acquire\", \"release\", \"enqueue\" or \"dequeue\" is wanted here");
}

/* "object": 0, "task": 1, "task": "return", "task": "*1". */
static bool read_argument(const struct place *place, json_t *object, struct sync_declaration *sync)
{
    bool task = sync->role == SYNC_ENQUEUE || sync->role == SYNC_DEQUEUE;
    const char *key = task ? "task" : "object";
    json_t *value = json_object_get(object, key);
    const char *word = json_string_value(value);
    struct place inner = inside(place, "%s", key);
    unsigned index;
    char rest;
    if (json_is_integer(value) && json_integer_value(value) >= 0 &&
        json_integer_value(value) < 64) {
        sync->argument = (uint32_t)json_integer_value(value);
    } else if (word && sync->role == SYNC_DEQUEUE && strcmp(word, "return") == 0) {
        sync->argument = SYNC_ARGUMENT_RETURN;
    } else if (word && sync->role == SYNC_DEQUEUE && sscanf(word, "*%u%c", &index, &rest) == 1) {
        sync->argument = index;
        sync->dereference = true;
    } else {
        return fail(&inner, "the number of an argument (the first is 0) is wanted here, or, for a "
                            "dequeue, \"return\" or \"*1\"");
    }
    return true;
}

static bool read_sync(struct config *config, const struct place *place, json_t *object,
                      struct sync_declaration *sync)
{
    static const char *const known[] = {"function", "role", "object", "task", NULL};
    return keys_known(place, object, known) &&
           read_text(config, place, object, "function", true, &sync->function) &&
           read_role(place, object, &sync->role) && read_argument(place, object, sync);
}

static bool read_syncs(struct config *config, const struct place *place, json_t *list)
{
    if (!json_is_array(list)) {
        struct place inner = inside(place, "synchronization");
        return fail(&inner, "a list [...] is wanted here");
    }
    struct declarations *all = &config->declarations;
    all->syncs = ARENA_ARRAY(&config->arena, struct sync_declaration, json_array_size(list) + 1);
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one)
    {
        struct place inner = inside(place, "synchronization[%zu]", i);
        if (!read_sync(config, &inner, one, &all->syncs[i]))
            return false;
        all->sync_count++;
    }
    return true;
}

bool config_read(struct config *config, const char *path, struct error *error)
{
    static const char *const known[] = {"intervals", "synchronization", NULL};
    *config = (struct config){0};
    json_error_t trouble;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &trouble);
    if (!root)
        return error_set(error, ERROR_USAGE, "%s:%d:%d: this is not JSON: %s.", path, trouble.line,
                         trouble.column, trouble.text);
    struct place place = {.path = path, .error = error};
    json_t *intervals = json_object_get(root, "intervals");
    json_t *syncs = json_object_get(root, "synchronization");
    bool ok = keys_known(&place, root, known) &&
              (!intervals || read_intervals(config, &place, intervals)) &&
              (!syncs || read_syncs(config, &place, syncs));
    json_decref(root);
    return ok;
}

void config_release(struct config *config)
{
    arena_release(&config->arena);
    *config = (struct config){0};
}
