#include "rewriter/clang/unit.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/str.h"

/* libclang looks a file up in a list of all inclusions, which takes long for each macro. */
struct source_text unit_text(struct unit *unit, CXFile file)
{
    uint64_t *known = hash_map_put(&unit->text_of, (uint64_t)(uintptr_t)file);
    if (*known == 0) {
        size_t size = 0;
        const char *data = file ? clang_getFileContents(unit->clang, file, &size) : NULL;
        struct source_text text = {data ? data : "", data ? (uint32_t)size : 0};
        VEC_PUSH(unit->texts, unit->text_count, unit->text_capacity) = text;
        *known = unit->text_count;
    }
    return unit->texts[*known - 1];
}

static uint32_t unit_add_file(struct unit *unit, CXFile file, const char *path)
{
    uint32_t id = intern_add(&unit->paths, path);
    if (id < unit->file_count)
        return id;
    struct source_file *fresh = ARENA_NEW(&unit->facts->arena, struct source_file);
    fresh->fact = id;
    fresh->text = unit_text(unit, file);
    VEC_PUSH(unit->files, unit->file_count, unit->file_capacity) = fresh;
    return id;
}

/* Every symbolic link in the path is resolved, so that nothing outside is ever touched and a file
 * has one name. */
static uint64_t unit_resolve_file(struct unit *unit, CXFile file)
{
    CXString name = clang_getFileName(file);
    const char *text = clang_getCString(name);
    struct str path = {0};
    path_join(&path, unit->command->directory, text ? text : "");
    clang_disposeString(name);
    char *real = realpath(path.data, NULL);
    const char *below = real ? path_below(real, unit->source->tree) : NULL;
    uint64_t result = below ? unit_add_file(unit, file, below) + 2 : 1;
    free(real);
    str_release(&path);
    return result;
}

struct source_file *unit_file(struct unit *unit, CXFile file)
{
    if (!file)
        return NULL;
    uint64_t *known = hash_map_put(&unit->file_of, (uint64_t)(uintptr_t)file);
    if (*known == 0)
        *known = unit_resolve_file(unit, file);
    return *known == 1 ? NULL : unit->files[*known - 2];
}

bool unit_holds(struct unit *unit, CXCursor declaration)
{
    CXFile file;
    clang_getSpellingLocation(clang_getCursorLocation(declaration), &file, NULL, NULL, NULL);
    return unit_file(unit, file) != NULL;
}

struct position position_of(struct unit *unit, CXSourceLocation location)
{
    CXFile file, outer;
    unsigned line, offset, outer_offset;
    clang_getSpellingLocation(location, &file, &line, NULL, &offset);
    clang_getExpansionLocation(location, &outer, NULL, NULL, &outer_offset);
    return (struct position){unit_file(unit, file), offset, line,
                             offset != outer_offset || file != outer};
}

struct position position_begin(struct unit *unit, CXCursor cursor)
{
    return position_of(unit, clang_getRangeStart(clang_getCursorExtent(cursor)));
}

struct position position_end(struct unit *unit, CXCursor cursor)
{
    return position_of(unit, clang_getRangeEnd(clang_getCursorExtent(cursor)));
}

void unit_release(struct unit *unit)
{
    for (size_t i = 0; i < unit->file_count; i++)
        expansion_list_release(&unit->files[i]->expansions);
    memory_free(unit->files);
    memory_free(unit->macros);
    macro_table_release(&unit->macro_table);
    memory_free(unit->traits);
    for (size_t i = 0; i < unit->crowd_count; i++)
        crowd_release(&unit->crowds[i]);
    memory_free(unit->crowds);
    intern_release(&unit->paths);
    intern_release(&unit->usrs);
    intern_release(&unit->cleanups);
    hash_map_release(&unit->file_of);
    hash_map_release(&unit->text_of);
    memory_free(unit->texts);
    clang_disposeTranslationUnit(unit->clang);
}
