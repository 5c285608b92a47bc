#include "driver/workbench/config.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/similar.h"
#include "base/str.h"
#include "driver/workbench/json_place.h"

enum { ARGUMENTS = 64 }; /* of a function, as far as a config may count them (chosen) */

/* A member is what is read just now, as messages call it: "intervals[0].begin". */
struct member {
    const char *path;
    const char *text; /* of the whole file */
    const char *at;   /* in it; NULL: not known */
    char name[160];
    struct error *error;
};

static bool fail(const struct member *member, const char *what)
{
    unsigned line, column;
    json_place_find(member->text, member->at ? member->at : member->text, &line, &column);
    return error_set(member->error, ERROR_USAGE,
                     "%s:%u:%u: %s%s%s. See docs/config.md for the form.", member->path, line,
                     column, member->name, *member->name ? ": " : "", what);
}

static struct member named(const struct member *outer, const char *at, const char *separator,
                           const char *name)
{
    struct member inner = *outer;
    size_t used = strlen(inner.name);
    snprintf(inner.name + used, sizeof inner.name - used, "%s%s", used ? separator : "", name);
    inner.at = at ? at : outer->at;
    return inner;
}

/* The member moves to the value by `key`; where there is none it stays at the object. */
static struct member inside(const struct member *outer, const char *key)
{
    return named(outer, json_place_value(json_place_member(outer->at, key)), ".", key);
}

static struct member element(const struct member *outer, size_t index)
{
    char name[24];
    snprintf(name, sizeof name, "[%zu]", index);
    return named(outer, json_place_element(outer->at, index), "", name);
}

static bool unknown_key(const struct member *member, const char *key, const char *const *known)
{
    struct similar similar = {.wanted = key};
    struct str what = {0}, all = {0};
    for (const char *const *name = known; *name; name++) {
        similar_offer(&similar, *name);
        str_printf(&all, "%s%s", name == known ? "" : ", ", *name);
    }
    struct member inner = named(member, json_place_member(member->at, key), ".", key);
    str_append(&what, "this key is not known.");
    similar_append(&similar, "", &what);
    str_printf(&what, " Known here: %s", all.data);
    fail(&inner, what.data);
    str_release(&what);
    str_release(&all);
    return false;
}

static bool keys_known(const struct member *member, json_t *object, const char *const *known)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return fail(member, "an object {...} is wanted here");
    json_object_foreach(object, key, value)
    {
        const char *const *name = known;
        while (*name && strcmp(*name, key) != 0)
            name++;
        if (!*name && strcmp(key, "comment") != 0)
            return unknown_key(member, key, known);
    }
    return true;
}

static const char *place_of(struct config *config, const struct member *member)
{
    unsigned line, column;
    json_place_find(member->text, member->at ? member->at : member->text, &line, &column);
    return arena_printf(&config->arena, "%s:%u:%u: %s", member->path, line, column, member->name);
}

/* Reads a string by its key; leaves NULL where it is missing and not `needed`. */
static bool read_text(struct config *config, const struct member *member, json_t *object,
                      const char *key, bool needed, const char **text)
{
    json_t *value = json_object_get(object, key);
    struct member inner = inside(member, key);
    if (!value)
        return !needed || fail(&inner, "this key is missing");
    if (!json_is_string(value) || !*json_string_value(value))
        return fail(&inner, "a text \"...\" is wanted here");
    *text = arena_strdup(&config->arena, json_string_value(value));
    return true;
}

static bool read_at(const struct member *member, json_t *object, struct mark_declaration *mark)
{
    json_t *at = json_object_get(object, "at");
    struct member inner = inside(member, "at");
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

/* Reads an expression, and where it stands. */
static bool read_expression(struct config *config, const struct member *member, json_t *object,
                            const char *key, bool needed, const char **text, const char **place)
{
    struct member inner = inside(member, key);
    *place = place_of(config, &inner);
    return read_text(config, member, object, key, needed, text);
}

/* "none" is a word of the config's, where a thread takes up an interval: it lays down the one that
 * it had. */
static void read_none(enum mark_what what, struct mark_declaration *mark)
{
    if (what == MARK_ENTER && strcmp(mark->id, "none") == 0)
        mark->id = MARK_ID_NONE;
}

/* An exit mark takes its values at the entry, where the type is not known yet. */
static bool read_is(struct config *config, const struct member *member, json_t *object,
                    struct mark_declaration *mark)
{
    struct member at = inside(member, "at");
    if (mark->place == MARK_AT_EXIT)
        return fail(&at, "a type is given at \"entry\" or {\"line\": N}");
    return read_expression(config, member, object, "is", true, &mark->type, &mark->type_place);
}

static bool read_mark(struct config *config, const struct member *member, json_t *object,
                      enum mark_what what, struct mark_declaration *mark)
{
    static const char *const known[] = {"function", "at", "id", "if", NULL};
    static const char *const known_of_type[] = {"function", "at", "id", "if", "is", NULL};
    mark->what = what;
    bool ok = keys_known(member, object, what == MARK_TYPE ? known_of_type : known) &&
              read_text(config, member, object, "function", true, &mark->function) &&
              read_at(member, object, mark) &&
              read_expression(config, member, object, "id", true, &mark->id, &mark->id_place) &&
              read_expression(config, member, object, "if", false, &mark->condition,
                              &mark->condition_place) &&
              (what != MARK_TYPE || read_is(config, member, object, mark));
    if (ok)
        read_none(what, mark);
    return ok;
}

/* The value of "begin", "end", "enter" or "type" is an object, or a list of them. */
static bool read_marks(struct config *config, const struct member *member, json_t *interval,
                       const char *key, enum mark_what what)
{
    json_t *value = json_object_get(interval, key);
    size_t count = json_is_array(value) ? json_array_size(value) : value ? 1 : 0;
    struct declarations *all = &config->declarations;
    for (size_t i = 0; i < count; i++) {
        struct member list = inside(member, key);
        struct member inner = json_is_array(value) ? element(&list, i) : list;
        json_t *one = json_is_array(value) ? json_array_get(value, i) : value;
        if (!read_mark(config, &inner, one, what, &all->marks[all->mark_count]))
            return false;
        all->mark_count++;
    }
    return true;
}

/* A type is a text, which belongs to the begin, or has marks of its own. */
static bool read_type(struct config *config, const struct member *member, json_t *interval,
                      const char **type, const char **place)
{
    json_t *value = json_object_get(interval, "type");
    if (json_is_object(value) || json_is_array(value))
        return read_marks(config, member, interval, "type", MARK_TYPE);
    return read_expression(config, member, interval, "type", false, type, place);
}

static bool read_interval(struct config *config, const struct member *member, json_t *interval)
{
    static const char *const known[] = {"begin", "end", "enter", "type", NULL};
    uint32_t first = config->declarations.mark_count;
    const char *type = NULL, *type_place = NULL;
    if (!keys_known(member, interval, known))
        return false;
    if (!json_object_get(interval, "begin") || !json_object_get(interval, "end"))
        return fail(member, "an interval wants a \"begin\" and an \"end\"");
    if (!read_marks(config, member, interval, "begin", MARK_BEGIN) ||
        !read_type(config, member, interval, &type, &type_place) ||
        !read_marks(config, member, interval, "end", MARK_END) ||
        !read_marks(config, member, interval, "enter", MARK_ENTER))
        return false;
    for (uint32_t i = first; i < config->declarations.mark_count; i++)
        if (config->declarations.marks[i].what == MARK_BEGIN) {
            config->declarations.marks[i].type = type;
            config->declarations.marks[i].type_place = type_place;
        }
    return true;
}

static size_t count_marks(json_t *intervals)
{
    static const char *const keys[] = {"begin", "end", "enter", "type"};
    size_t count = 0, i;
    json_t *interval;
    json_array_foreach(intervals, i, interval)
    {
        for (size_t k = 0; k < 4; k++) {
            json_t *value = json_object_get(interval, keys[k]);
            count += json_is_array(value) ? json_array_size(value) : 1;
        }
    }
    return count;
}

static bool read_intervals(struct config *config, const struct member *member, json_t *intervals)
{
    if (!json_is_array(intervals)) {
        return fail(member, "a list [...] is wanted here");
    }
    config->declarations.marks =
        ARENA_ARRAY(&config->arena, struct mark_declaration, count_marks(intervals) + 1);
    size_t i;
    json_t *interval;
    json_array_foreach(intervals, i, interval)
    {
        struct member inner = element(member, i);
        if (!read_interval(config, &inner, interval))
            return false;
    }
    return true;
}

static bool read_role(const struct member *member, json_t *object, enum sync_role *role)
{
    static const char *const names[] = {"acquire", "release", "enqueue", "dequeue"};
    const char *name = json_string_value(json_object_get(object, "role"));
    struct member inner = inside(member, "role");
    for (int i = 0; name && i < 4; i++)
        if (strcmp(name, names[i]) == 0) {
            *role = (enum sync_role)i;
            return true;
        }
    return fail(&inner, "\"acquire\", \"release\", \"enqueue\" or \"dequeue\" is wanted here");
}

/* An argument is written "object": 0, "task": 1, "task": "return" or "task": "*1". */
static bool read_argument(const struct member *member, json_t *object,
                          struct sync_declaration *sync)
{
    bool task = sync->role == SYNC_ENQUEUE || sync->role == SYNC_DEQUEUE;
    const char *key = task ? "task" : "object";
    json_t *value = json_object_get(object, key);
    const char *word = json_string_value(value);
    struct member inner = inside(member, key);
    unsigned index;
    char rest;
    if (json_is_integer(value) && json_integer_value(value) >= 0 &&
        json_integer_value(value) < ARGUMENTS) {
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

static bool read_sync(struct config *config, const struct member *member, json_t *object,
                      struct sync_declaration *sync)
{
    static const char *const known[] = {"function", "role", "object", "task", NULL};
    return keys_known(member, object, known) &&
           read_text(config, member, object, "function", true, &sync->function) &&
           read_role(member, object, &sync->role) && read_argument(member, object, sync);
}

static bool read_syncs(struct config *config, const struct member *member, json_t *list)
{
    if (!json_is_array(list)) {
        return fail(member, "a list [...] is wanted here");
    }
    struct declarations *all = &config->declarations;
    all->syncs = ARENA_ARRAY(&config->arena, struct sync_declaration, json_array_size(list) + 1);
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one)
    {
        struct member inner = element(member, i);
        if (!read_sync(config, &inner, one, &all->syncs[i]))
            return false;
        all->sync_count++;
    }
    return true;
}

static bool read_untimed(struct config *config, const struct member *member, json_t *list)
{
    if (!json_is_array(list))
        return fail(member, "a list [...] is wanted here");
    struct declarations *all = &config->declarations;
    all->untimed = ARENA_ARRAY(&config->arena, const char *, json_array_size(list) + 1);
    size_t i;
    json_t *name;
    json_array_foreach(list, i, name)
    {
        struct member inner = element(member, i);
        if (!json_is_string(name))
            return fail(&inner, "the name of a function is wanted here");
        all->untimed[all->untimed_count++] = arena_strdup(&config->arena, json_string_value(name));
    }
    return true;
}

static bool only_blanks(const char *text)
{
    return !text[strspn(text, " \t\r\n")];
}

/* The hint says what was probably meant where jansson finds something else. */
static const char *json_hint(const char *text, size_t at, enum json_error_code found)
{
    size_t before = at;
    while (before > 0 && strchr("]} \t\r\n", text[before]))
        before--;
    if (found == json_error_duplicate_key)
        return " Write this key once.";
    if (only_blanks(text))
        return " It is empty: write {} at least, or remove it.";
    if (text[before] == ',')
        return " Take out the comma before the closing bracket.";
    if (text[at] == '/' || text[at] == '#')
        return " JSON has no comments.";
    if (text[at] == '\'')
        return " JSON has double quotation marks only.";
    return only_blanks(text + at) ? " A closing bracket is missing at the end." : "";
}

static bool not_json(const char *path, const char *text, const json_error_t *trouble,
                     struct error *error)
{
    size_t at = trouble->position > 0 ? (size_t)trouble->position - 1 : 0;
    return error_set(
        error, ERROR_USAGE, "%s:%d:%d: this is not JSON: %s.%s", path, trouble->line,
        trouble->column, trouble->text,
        json_hint(text, at < strlen(text) ? at : strlen(text), json_error_code(trouble)));
}

static bool read_all(struct config *config, const struct member *member, json_t *root)
{
    static const char *const known[] = {"intervals", "synchronization", "untimed", NULL};
    if (!keys_known(member, root, known))
        return false;
    json_t *intervals = json_object_get(root, "intervals");
    json_t *syncs = json_object_get(root, "synchronization");
    json_t *untimed = json_object_get(root, "untimed");
    struct member at_intervals = inside(member, "intervals");
    struct member at_syncs = inside(member, "synchronization");
    struct member at_untimed = inside(member, "untimed");
    return (!intervals || read_intervals(config, &at_intervals, intervals)) &&
           (!syncs || read_syncs(config, &at_syncs, syncs)) &&
           (!untimed || read_untimed(config, &at_untimed, untimed));
}

bool config_read(struct config *config, const char *path, struct error *error)
{
    *config = (struct config){0};
    struct str text = {0};
    json_error_t trouble;
    bool ok = file_read(&text, path, error);
    json_t *root = ok ? json_loads(str_text(&text), JSON_REJECT_DUPLICATES, &trouble) : NULL;
    if (root) {
        const char *start = str_text(&text) + strspn(str_text(&text), " \t\r\n");
        struct member member = {.path = path, .text = text.data, .at = start, .error = error};
        ok = read_all(config, &member, root);
    } else if (ok) {
        ok = not_json(path, str_text(&text), &trouble, error);
    }
    json_decref(root);
    str_release(&text);
    return ok;
}

void config_release(struct config *config)
{
    arena_release(&config->arena);
    *config = (struct config){0};
}
