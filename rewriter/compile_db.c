#include "rewriter/compile_db.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/str.h"
#include "rewriter/compiler_name.h"

enum { RESPONSE_DEPTH_MOST = 8 };

struct argument_list {
    struct arena *arena;
    const char **items;
    uint32_t count;
    uint32_t capacity;
    const char *directory;
};

/* A word of a shell command loses its quotes and backslashes. NULL at the end. */
static const char *shell_word(struct arena *arena, const char **at)
{
    const char *c = *at;
    while (isspace((unsigned char)*c))
        c++;
    if (!*c)
        return NULL;
    struct str word = {0};
    str_append(&word, "");
    for (char quote = '\0'; *c && (quote || !isspace((unsigned char)*c)); c++) {
        if (!quote && (*c == '\'' || *c == '"'))
            quote = *c;
        else if (quote && *c == quote)
            quote = '\0';
        else if (*c == '\\' && c[1] &&
                 (!quote || (quote == '"' && strchr("\\\"$`\n", c[1]) != NULL)))
            str_append_char(&word, *++c);
        else
            str_append_char(&word, *c);
    }
    *at = c;
    const char *kept = arena_strdup(arena, str_text(&word));
    str_release(&word);
    return kept;
}

static void list_add(struct argument_list *list, const char *argument, int depth);

/* `@file` stands for the words of the file. */
static bool list_add_response(struct argument_list *list, const char *name, int depth)
{
    struct str path = {0}, text = {0};
    struct error ignored;
    path_join(&path, list->directory, name);
    bool ok = depth < RESPONSE_DEPTH_MOST && file_read(&text, path.data, &ignored);
    const char *at = str_text(&text);
    for (const char *word; ok && (word = shell_word(list->arena, &at)) != NULL;)
        list_add(list, word, depth + 1);
    str_release(&path);
    str_release(&text);
    return ok;
}

static void list_add(struct argument_list *list, const char *argument, int depth)
{
    if (argument[0] == '@' && list_add_response(list, argument + 1, depth))
        return;
    VEC_PUSH(list->items, list->count, list->capacity) = argument;
}

/* The list begins with the compiler afterwards; false where it has none. */
static bool list_strip_launcher(struct argument_list *list)
{
    int at = compiler_name_find((int)list->count, list->items);
    if (at < 0)
        return false;
    list->count -= (uint32_t)at;
    memmove(list->items, list->items + at, list->count * sizeof *list->items);
    if (compiler_name_is_launcher(list->items[0]))
        list->items[0] = "cc";
    return true;
}

/* The option -o names the output, "" where there is none. */
static const char *output_of(const struct compile_command *command)
{
    const char *output = "";
    for (uint32_t i = 1; i < command->argument_count; i++) {
        const char *argument = command->arguments[i];
        if (strcmp(argument, "-o") == 0 && i + 1 < command->argument_count)
            output = command->arguments[i + 1];
        else if (str_starts_with(argument, "-o") && argument[2])
            output = argument + 2;
    }
    return output;
}

static bool same_product(const struct compile_command *a, const struct compile_command *b)
{
    return strcmp(a->file, b->file) == 0 && strcmp(a->directory, b->directory) == 0 &&
           strcmp(output_of(a), output_of(b)) == 0;
}

static bool same_arguments(const struct compile_command *a, const struct compile_command *b)
{
    if (strcmp(a->file, b->file) != 0 || a->argument_count != b->argument_count)
        return false;
    for (uint32_t i = 0; i < a->argument_count; i++)
        if (strcmp(a->arguments[i], b->arguments[i]) != 0)
            return false;
    return true;
}

static void db_add(struct compile_db *db, const char *directory, const char *file,
                   const struct argument_list *list)
{
    struct str path = {0};
    path_join(&path, directory, file);
    struct compile_command command = {
        .directory = arena_strdup(&db->arena, directory),
        .file = arena_strdup(&db->arena, path.data),
        .arguments = ARENA_ARRAY(&db->arena, const char *, list->count + 1),
        .argument_count = list->count,
    };
    str_release(&path);
    for (uint32_t i = 0; i < list->count; i++)
        command.arguments[i] = list->items[i];
    for (uint32_t i = 0; i < db->count; i++)
        if (same_product(&db->commands[i], &command) ||
            same_arguments(&db->commands[i], &command)) {
            db->commands[i] = command;
            return;
        }
    VEC_PUSH(db->commands, db->count, db->capacity) = command;
}

/* compile_commands.json ----------------------------------------------------------------------- */

static bool add_json_entry(struct compile_db *db, json_t *entry)
{
    const char *directory = json_string_value(json_object_get(entry, "directory"));
    const char *file = json_string_value(json_object_get(entry, "file"));
    const char *line = json_string_value(json_object_get(entry, "command"));
    json_t *arguments = json_object_get(entry, "arguments");
    if (!directory || directory[0] != '/' || !file || (!line && !json_is_array(arguments)))
        return false;
    struct argument_list list = {.arena = &db->arena, .directory = directory};
    if (json_is_array(arguments)) {
        size_t i;
        json_t *item;
        json_array_foreach(arguments, i, item) if (json_is_string(item))
            list_add(&list, arena_strdup(&db->arena, json_string_value(item)), 0);
    } else {
        for (const char *word; (word = shell_word(&db->arena, &line)) != NULL;)
            list_add(&list, word, 0);
    }
    list_strip_launcher(&list);
    db_add(db, directory, file, &list);
    memory_free(list.items);
    return true;
}

bool compile_db_read_json(struct compile_db *db, const char *path, struct error *error)
{
    json_error_t where;
    json_t *root = json_load_file(path, 0, &where);
    if (!root)
        return error_set(error, file_exists(path) ? ERROR_FORMAT : ERROR_SYSTEM,
                         "Can't read the compile commands of %s, line %d: %s. It must be a JSON "
                         "Compilation Database, as CMake and bear write it.",
                         path, where.line, where.text);
    size_t count = json_array_size(root);
    bool ok = json_is_array(root) ||
              error_set(error, ERROR_FORMAT,
                        "%s is not a list of compile commands. It must be a JSON Compilation "
                        "Database, as CMake and bear write it.",
                        path);
    for (size_t i = 0; ok && i < count; i++)
        if (!add_json_entry(db, json_array_get(root, i)))
            ok = error_set(error, ERROR_FORMAT,
                           "Entry %zu of %s has no absolute \"directory\", no \"file\", or neither "
                           "\"command\" nor \"arguments\".",
                           i, path);
    json_decref(root);
    return ok;
}

/* The recorder's log -------------------------------------------------------------------------- */

static bool is_source(const char *name)
{
    static const char *const ENDS[] = {".c",  ".cc", ".cpp", ".cxx", ".c++",
                                       ".cp", ".C",  ".CPP", ".i",   ".ii"};
    for (size_t i = 0; i < sizeof ENDS / sizeof ENDS[0]; i++)
        if (str_ends_with(name, ENDS[i]) && strlen(name) > strlen(ENDS[i]))
            return true;
    return false;
}

static bool takes_value(const char *flag)
{
    static const char *const FLAGS[] = {
        "-o",          "-I",
        "-D",          "-U",
        "-L",          "-l",
        "-x",          "-MF",
        "-MT",         "-MQ",
        "-MJ",         "-include",
        "-imacros",    "-isystem",
        "-idirafter",  "-iquote",
        "-isysroot",   "--sysroot",
        "-Xlinker",    "-Xclang",
        "-Xassembler", "-Xpreprocessor",
        "-u",          "-T",
        "-z",          "-B",
        "--param",     "-aux-info",
        "-arch",       "-target",
    };
    return STR_IS_ONE_OF(flag, FLAGS);
}

static bool compiles_nothing(const struct argument_list *list)
{
    for (uint32_t i = 1; i < list->count; i++)
        if (strcmp(list->items[i], "-E") == 0 || strcmp(list->items[i], "-M") == 0 ||
            strcmp(list->items[i], "-MM") == 0 || strcmp(list->items[i], "-cc1") == 0 ||
            strcmp(list->items[i], "-fsyntax-only") == 0)
            return true;
    return false;
}

/* The option -x says what the files after it are, whatever their names. */
enum language { LANGUAGE_BY_NAME, LANGUAGE_OURS, LANGUAGE_OTHER };

static enum language language_of(const char *name)
{
    static const char *const OURS[] = {"c", "c++", "cpp-output", "c++-cpp-output"};
    if (STR_IS_ONE_OF(name, OURS))
        return LANGUAGE_OURS;
    return strcmp(name, "none") == 0 ? LANGUAGE_BY_NAME : LANGUAGE_OTHER;
}

static void add_record(struct compile_db *db, const char *directory, struct argument_list *list)
{
    enum language language = LANGUAGE_BY_NAME;
    if (directory[0] != '/' || !list_strip_launcher(list) || compiles_nothing(list))
        return;
    for (uint32_t i = 1; i < list->count; i++) {
        const char *argument = list->items[i];
        if (str_starts_with(argument, "-x")) {
            const char *next = i + 1 < list->count ? list->items[i + 1] : "";
            language = language_of(argument[2] ? argument + 2 : next);
            i += !argument[2];
        } else if (strcmp(argument, "-") == 0) {
            db->piped += language == LANGUAGE_OURS;
        } else if (argument[0] == '-') {
            i += takes_value(argument);
        } else if (language == LANGUAGE_OURS ||
                   (language == LANGUAGE_BY_NAME && is_source(argument))) {
            db_add(db, directory, argument, list);
        }
    }
}

static void add_log(struct compile_db *db, const struct str *text)
{
    const char *at = text->data, *end = text->data + text->length;
    while (at < end) {
        struct argument_list list = {.arena = &db->arena, .directory = at};
        const char *field = at + strlen(at) + 1;
        while (field < end && *field != '\n') {
            list_add(&list, arena_strdup(&db->arena, field), 0);
            field += strlen(field) + 1;
        }
        if (field < end) /* a record that was cut off is left out */
            add_record(db, at, &list);
        memory_free(list.items);
        at = field + 1;
    }
}

static int compare_commands(const void *first, const void *second)
{
    const struct compile_command *a = first, *b = second;
    int order = strcmp(a->file, b->file);
    for (uint32_t i = 0; order == 0 && i < a->argument_count && i < b->argument_count; i++)
        order = strcmp(a->arguments[i], b->arguments[i]);
    return order
               ? order
               : (a->argument_count > b->argument_count) - (a->argument_count < b->argument_count);
}

bool compile_db_read_log(struct compile_db *db, const char *path, struct error *error)
{
    struct str text = {0};
    bool ok = file_read(&text, path, error);
    if (ok && text.length)
        add_log(db, &text);
    if (db->count)
        qsort(db->commands, db->count, sizeof *db->commands, compare_commands);
    str_release(&text);
    return ok;
}

/* Moving -------------------------------------------------------------------------------------- */

/* Does a path begin at `at`? Not where it is the tail of a longer one: "/x/home" is not "/home",
 * while -I/home and a=/home are. */
static bool path_begins(const char *text, const char *at)
{
    while (at > text && !strchr("=,:\"' ", at[-1]))
        if (*--at == '/')
            return false;
    return true;
}

/* A path that begins with `from` begins with `to` afterwards, unless only the older one is
 * there. */
static bool is_moved(const char *at, const char *from, const char *to)
{
    struct str older = {0}, moved = {0};
    size_t length = strlen(from), rest = strcspn(at + length, ":,\"' ;");
    str_printf(&older, "%.*s", (int)(length + rest), at);
    str_printf(&moved, "%s%.*s", to, (int)rest, at + length);
    bool is = file_exists(moved.data) || !file_exists(older.data);
    str_release(&older);
    str_release(&moved);
    return is;
}

static const char *relocate(struct arena *arena, const char *text, const char *from, const char *to)
{
    size_t length = strlen(from);
    struct str moved = {0};
    const char *copied = text;
    for (const char *at = text; (at = strstr(at, from)) != NULL; at += length) {
        bool whole = at[length] == '\0' || strchr("/:,\"' ;", at[length]) != NULL;
        if (!whole || !path_begins(text, at) || !is_moved(at, from, to))
            continue;
        str_append_bytes(&moved, copied, (size_t)(at - copied));
        str_append(&moved, to);
        copied = at + length;
    }
    str_append(&moved, copied);
    const char *kept = copied == text ? text : arena_strdup(arena, moved.data);
    str_release(&moved);
    return kept;
}

/* The file itself is the copy's, or is not there. */
static const char *relocate_file(struct arena *arena, const char *file, const char *from,
                                 const char *to)
{
    const char *below = path_below(file, from);
    return below ? arena_printf(arena, "%s/%s", to, below) : file;
}

/* The argument may name a folder of headers, or a header: "-I../include" or, behind such a flag,
 * "../include". NULL where it names none, or an absolute one. */
static const char *relative_header(const char *before, const char *argument)
{
    static const char *const FLAGS[] = {"-I",         "-isystem", "-iquote",
                                        "-idirafter", "-include", "-imacros"};
    for (size_t i = 0; i < sizeof FLAGS / sizeof FLAGS[0]; i++) {
        size_t length = strlen(FLAGS[i]);
        const char *path = strcmp(before, FLAGS[i]) == 0              ? argument
                           : strncmp(argument, FLAGS[i], length) == 0 ? argument + length
                                                                      : "";
        if (*path && *path != '/' && *path != '=' && *path != '-')
            return path;
    }
    return NULL;
}

/* A relative path would mean the older folder's neighbours. */
static void make_absolute(struct arena *arena, struct compile_command *command)
{
    for (uint32_t i = 1; i < command->argument_count; i++) {
        const char *argument = command->arguments[i];
        const char *path = relative_header(command->arguments[i - 1], argument);
        struct str whole = {0};
        if (!path)
            continue;
        path_join(&whole, command->directory, path);
        command->arguments[i] =
            arena_printf(arena, "%.*s%s", (int)(path - argument), argument, whole.data);
        str_release(&whole);
    }
}

/* A build folder may not be in the copy: what was made in it is found in the older one, all else
 * in the copy. */
static void relocate_command(struct arena *arena, struct compile_command *command, const char *from,
                             const char *to)
{
    const char *moved = relocate_file(arena, command->directory, from, to);
    bool left_out = moved != command->directory && file_exists(to) && !file_exists(moved);
    if (left_out)
        make_absolute(arena, command);
    command->file = relocate_file(arena, command->file, from, to);
    for (uint32_t k = 0; k < command->argument_count; k++)
        command->arguments[k] = relocate(arena, command->arguments[k], from, to);
    if (!left_out)
        command->directory = relocate(arena, command->directory, from, to);
    else if (!file_exists(command->directory))
        command->directory = to;
}

void compile_db_relocate(struct compile_db *db, const char *from, const char *to)
{
    const char *kept = arena_strdup(&db->arena, to);
    for (uint32_t i = 0; i < db->count; i++)
        relocate_command(&db->arena, &db->commands[i], from, kept);
}

void compile_db_release(struct compile_db *db)
{
    memory_free(db->commands);
    arena_release(&db->arena);
    *db = (struct compile_db){0};
}
