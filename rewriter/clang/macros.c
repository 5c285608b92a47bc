#include "rewriter/clang/macros.h"

#include <string.h>

#include "base/memory.h"
#include "rewriter/clang/cursor.h"

static void keep_macro(struct unit *unit, struct fact_macro macro, struct source_text text)
{
    uint32_t body = macro_body(&text);
    struct arena *arena = &unit->facts->arena;
    macro.begin += body;
    uint32_t head = source_token(&text, 0).end;
    macro.parameters = arena_strndup(arena, text.data + head, body > head ? body - head : 0);
    macro.body = arena_strndup(arena, text.data + body, text.size_bytes - body);
    macro.pastes = macro_pastes(&text);
    VEC_PUSH(unit->macros, unit->macro_count, unit->macro_capacity) = macro;
}

static void keep_outside_macro(void *unit, const char *name, struct source_text text)
{
    struct fact_macro macro = {.file = FACT_NO_FILE};
    macro.name = arena_strdup(&((struct unit *)unit)->facts->arena, name);
    keep_macro(unit, macro, text);
}

void macros_keep_makers(struct unit *unit)
{
    for (uint32_t i = 0; i < unit->facts->function_count; i++)
        if (unit->facts->functions[i].macro)
            macro_table_give_outside(&unit->macro_table, unit->facts->functions[i].macro,
                                     keep_outside_macro, unit);
}

void macros_note_definition(struct unit *unit, CXCursor cursor)
{
    const char *name;
    cursor_take_text(clang_getCursorSpelling(cursor), &unit->facts->arena, &name);
    unit->cplusplus = unit->cplusplus || strcmp(name, "__cplusplus") == 0;
    unit->elision = unit->elision || strcmp(name, "__cpp_guaranteed_copy_elision") == 0;
    CXSourceRange range = clang_getCursorExtent(cursor);
    CXFile file;
    unsigned line, begin, end;
    clang_getSpellingLocation(clang_getRangeStart(range), &file, &line, NULL, &begin);
    clang_getSpellingLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
    struct source_text whole = unit_text(unit, file);
    if (end > whole.size_bytes || begin >= end)
        return;
    struct source_text text = {whole.data + begin, end - begin};
    struct source_file *in_tree = unit_file(unit, file);
    macro_table_define(&unit->macro_table, name, text, in_tree != NULL);
    if (in_tree)
        keep_macro(unit, (struct fact_macro){name, in_tree->fact, begin, line, "", "", false},
                   text);
}

void macros_note_expansion(struct unit *unit, CXCursor cursor)
{
    struct position begin = position_begin(unit, cursor);
    if (!begin.file)
        return;
    const char *macro;
    cursor_take_text(clang_getCursorSpelling(cursor), &unit->facts->arena, &macro);
    expansion_list_add(&begin.file->expansions, begin.offset, position_end(unit, cursor).offset,
                       macro);
}

enum obstacle macros_argument_obstacle(struct unit *unit, const struct expansion_list *uses,
                                       uint32_t at)
{
    for (; at; at = uses->items[at - 1].around)
        if (macro_table_stringizes(&unit->macro_table, uses->items[at - 1].macro))
            return OBSTACLE_STRINGIZED;
    return OBSTACLE_NONE;
}

enum obstacle macros_obstacle(struct unit *unit, const struct position *position)
{
    struct expansion_list *uses = &position->file->expansions;
    uint32_t at = expansion_list_at(uses, position->offset);
    if (at && uses->items[at - 1].begin == position->offset)
        return OBSTACLE_FROM_MACRO;
    return macros_argument_obstacle(unit, uses, at);
}
