#include "rewriter/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/similar.h"
#include "base/str.h"

/* A function is declared as "file.c:name" or "name"; then `file` is NULL. */
struct function_name {
    char *file;
    const char *name;
};

static struct function_name name_split(struct arena *arena, const char *text)
{
    const char *colon = NULL;
    for (const char *c = text; *c; c++)
        if (*c == ':' && c[1] == ':')
            c++;
        else if (*c == ':')
            colon = c;
    if (!colon)
        return (struct function_name){NULL, text};
    return (struct function_name){arena_strndup(arena, text, (size_t)(colon - text)), colon + 1};
}

/* The tail is all of it, or the last parts after `separator`. */
static bool is_tail(const char *whole, const char *tail, const char *separator)
{
    size_t length = strlen(whole), part = strlen(tail), gap = strlen(separator);
    if (!str_ends_with(whole, tail))
        return false;
    return length == part ||
           (length >= part + gap && memcmp(whole + length - part - gap, separator, gap) == 0);
}

static bool name_matches(const struct facts *facts, const struct function_name *name,
                         const struct fact_function *function)
{
    if (name->file && (function->file == FACT_NO_FILE ||
                       !is_tail(facts->files[function->file].path, name->file, "/")))
        return false;
    return is_tail(function->name, name->name, "::");
}

static bool unknown_function(const struct facts *facts, const char *text, const char *name,
                             struct error *error)
{
    struct similar similar = {.wanted = name};
    for (uint32_t i = 0; i < facts->function_count; i++)
        similar_offer(&similar, facts->functions[i].name);
    struct str hint = {0};
    similar_append(&similar, "", &hint);
    error_set(error, ERROR_USAGE,
              "The config names the function %s, but the program has none of that name.%s", text,
              str_text(&hint));
    str_release(&hint);
    return false;
}

static bool ambiguous_function(const struct facts *facts, const char *text, uint32_t first,
                               uint32_t second, struct error *error)
{
    const struct fact_function *a = &facts->functions[first], *b = &facts->functions[second];
    return error_set(error, ERROR_USAGE,
                     "The config names the function %s, but %s:%u and %s:%u both define one. "
                     "Write %s:%s.",
                     text, facts->files[a->file].path, a->line, facts->files[b->file].path, b->line,
                     facts->files[a->file].path, a->name);
}

static bool no_statement(const struct facts *facts, const struct fact_function *function,
                         uint32_t line, struct error *error)
{
    uint32_t before = 0, after = 0;
    for (uint32_t i = 0; i < function->statement_count; i++) {
        uint32_t here = function->statements[i].line;
        if (here < line && here > before)
            before = here;
        if (here > line && (!after || here < after))
            after = here;
    }
    struct str hint = {0};
    if (before && after)
        str_printf(&hint, "Lines %u and %u would do.", before, after);
    else if (before || after)
        str_printf(&hint, "Line %u would do.", before ? before : after);
    else
        str_append(&hint, "The function has no statement to put it before.");
    error_set(error, ERROR_USAGE, "No statement of %s (%s:%u) begins on line %u of that file. %s",
              function->name, facts->files[function->file].path, function->line, line, hint.data);
    str_release(&hint);
    return false;
}

static const struct fact_statement *statement_on(const struct fact_function *function,
                                                 uint32_t line)
{
    for (uint32_t i = 0; i < function->statement_count; i++)
        if (function->statements[i].line == line && !function->statements[i].closing)
            return &function->statements[i];
    for (uint32_t i = 0; i < function->statement_count; i++)
        if (function->statements[i].line == line)
            return &function->statements[i];
    return NULL;
}

/* The mark goes into each of the functions that its declaration names. */
static bool place_mark(struct resolved *resolved, const struct facts *facts, uint32_t index,
                       uint32_t number, const struct mark_declaration *mark, struct error *error)
{
    const struct fact_function *function = &facts->functions[index];
    if (function->obstacle)
        return error_set(error, ERROR_USAGE,
                         "The config puts a mark into %s (%s:%u), where none can be put: %s.",
                         function->name, facts->files[function->file].path, function->line,
                         obstacle_text(function->obstacle));
    const struct fact_statement *statement = NULL;
    if (mark->place == MARK_AT_LINE) {
        statement = statement_on(function, mark->line);
        if (!statement)
            return no_statement(facts, function, mark->line, error);
    }
    resolved->marks[resolved->mark_count++] =
        (struct resolved_mark){mark, number, index, statement};
    return true;
}

/* Several functions of one file may bear the name: overloads, or the branches of an #if. With a
 * line it is the one that has it. */
static bool is_meant(const struct fact_function *function, const struct mark_declaration *mark,
                     uint32_t same_file)
{
    return mark->place != MARK_AT_LINE || same_file == 1 ||
           statement_on(function, mark->line) != NULL;
}

static bool resolve_mark(struct resolved *resolved, struct arena *arena, const struct facts *facts,
                         const struct mark_declaration *mark, uint32_t number, struct error *error)
{
    struct function_name name = name_split(arena, mark->function);
    uint32_t first = UINT32_MAX, found = 0, bodiless = 0;
    for (uint32_t i = 0; i < facts->function_count; i++) {
        const struct fact_function *function = &facts->functions[i];
        if (!name_matches(facts, &name, function))
            continue;
        bodiless += function->file == FACT_NO_FILE;
        if (function->file == FACT_NO_FILE)
            continue;
        if (found++ == 0)
            first = i;
        else if (facts->functions[first].file != function->file)
            return ambiguous_function(facts, mark->function, first, i, error);
    }
    if (!found && bodiless)
        return error_set(error, ERROR_USAGE,
                         "The config puts a mark into %s, whose body is not in the tree. Choose a "
                         "function that is.",
                         mark->function);
    if (!found)
        return unknown_function(facts, mark->function, name.name, error);
    uint32_t before = resolved->mark_count;
    for (uint32_t i = first; i < facts->function_count; i++)
        if (facts->functions[i].file == facts->functions[first].file &&
            name_matches(facts, &name, &facts->functions[i]) &&
            is_meant(&facts->functions[i], mark, found) &&
            !place_mark(resolved, facts, i, number, mark, error))
            return false;
    return resolved->mark_count > before ||
           no_statement(facts, &facts->functions[first], mark->line, error);
}

static bool resolve_sync(struct resolved *resolved, struct arena *arena, const struct facts *facts,
                         const struct sync_declaration *sync, struct error *error)
{
    struct function_name name = name_split(arena, sync->function);
    bool found = false;
    for (uint32_t i = 0; i < facts->function_count; i++)
        if (name_matches(facts, &name, &facts->functions[i])) {
            resolved->syncs[i] = sync;
            found = true;
        }
    return found || unknown_function(facts, sync->function, name.name, error);
}

static bool resolve_untimed(struct resolved *resolved, struct arena *arena,
                            const struct facts *facts, const char *text, struct error *error)
{
    struct function_name name = name_split(arena, text);
    bool found = false, bodiless = false;
    for (uint32_t i = 0; i < facts->function_count; i++)
        if (!name_matches(facts, &name, &facts->functions[i]))
            continue;
        else if (facts->functions[i].file == FACT_NO_FILE)
            bodiless = true;
        else
            found = resolved->untimed[i] = true;
    if (!found && bodiless)
        return error_set(error, ERROR_USAGE,
                         "The config lists %s as untimed, whose body is not in the tree. List the "
                         "functions that call it.",
                         text);
    return found || unknown_function(facts, text, name.name, error);
}

static uint32_t most_marks(const struct facts *facts, const struct declarations *declarations)
{
    return declarations->mark_count ? declarations->mark_count * (facts->function_count + 1) : 1;
}

bool resolve_declarations(struct resolved *resolved, struct arena *arena, const struct facts *facts,
                          const struct declarations *declarations, struct error *error)
{
    *resolved = (struct resolved){0};
    resolved->syncs =
        ARENA_ARRAY(arena, const struct sync_declaration *, facts->function_count + 1);
    resolved->untimed = ARENA_ARRAY(arena, bool, facts->function_count + 1);
    if (!declarations)
        return true;
    struct resolved_mark *all = memory_alloc(most_marks(facts, declarations) * sizeof *all);
    resolved->marks = all;
    bool ok = true;
    for (uint32_t i = 0; ok && i < declarations->mark_count; i++)
        ok = resolve_mark(resolved, arena, facts, &declarations->marks[i], i + 1, error);
    for (uint32_t i = 0; ok && i < declarations->sync_count; i++)
        ok = resolve_sync(resolved, arena, facts, &declarations->syncs[i], error);
    for (uint32_t i = 0; ok && i < declarations->untimed_count; i++)
        ok = resolve_untimed(resolved, arena, facts, declarations->untimed[i], error);
    resolved->marks = ARENA_ARRAY(arena, struct resolved_mark, resolved->mark_count + 1);
    if (resolved->mark_count)
        memcpy(resolved->marks, all, resolved->mark_count * sizeof *all);
    memory_free(all);
    return ok;
}

bool resolve_finds(const struct facts *facts, const struct declarations *declarations)
{
    struct arena arena = {0};
    bool all = true;
    for (uint32_t i = 0; all && i < declarations->mark_count; i++) {
        struct function_name name = name_split(&arena, declarations->marks[i].function);
        bool found = false;
        for (uint32_t k = 0; k < facts->function_count && !found; k++)
            found = facts->functions[k].file != FACT_NO_FILE &&
                    name_matches(facts, &name, &facts->functions[k]);
        all = found;
    }
    arena_release(&arena);
    return all;
}
