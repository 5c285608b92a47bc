#include "rewriter/clang/function.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "rewriter/clang/cursor.h"
#include "rewriter/clang/declaration.h"
#include "rewriter/clang/found.h"
#include "rewriter/clang/macros.h"
#include "rewriter/clang/sync_use.h"
#include "rewriter/openmp.h"
#include "trace/function_table.h"

struct find_block {
    CXCursor block;
    bool found, tried;
};

static enum CXChildVisitResult find_block(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct find_block *find = data;
    if (clang_getCursorKind(cursor) == CXCursor_CXXTryStmt) {
        find->tried = true;
        return CXChildVisit_Recurse;
    }
    if (clang_getCursorKind(cursor) == CXCursor_UnexposedStmt) /* a coroutine's, around its block */
        return CXChildVisit_Recurse;
    if (clang_getCursorKind(cursor) != CXCursor_CompoundStmt || find->found)
        return CXChildVisit_Continue;
    find->block = cursor;
    find->found = true;
    return CXChildVisit_Break;
}

static bool is_coroutine(const struct source_text *text, uint32_t begin, uint32_t end)
{
    return source_has_word(text, begin, end, "co_await") ||
           source_has_word(text, begin, end, "co_yield") ||
           source_has_word(text, begin, end, "co_return");
}

static enum obstacle body_obstacle(struct unit *unit, CXCursor cursor, const struct position *begin,
                                   uint32_t end)
{
    const struct source_text *text = &begin->file->text;
    if (begin->offset >= text->size_bytes || text->data[begin->offset] != '{' ||
        expansion_list_starting_at(&begin->file->expansions, begin->offset))
        return OBSTACLE_BODY_FROM_MACRO;
    enum obstacle obstacle = macros_obstacle(unit, begin);
    if (!obstacle)
        obstacle = declaration_body_obstacle(unit, cursor);
    if (obstacle)
        return obstacle;
    struct token first = source_token(text, begin->offset + 1);
    if (token_is(text, &first, "__label__"))
        return OBSTACLE_LABELS;
    if (first.kind == TOKEN_DIRECTIVE && source_has_word(text, first.begin + 1, first.end, "STDC"))
        return OBSTACLE_PRAGMA;
    if (unit->cplusplus && is_coroutine(text, begin->offset, end))
        return OBSTACLE_COROUTINE;
    struct position name = position_of(unit, clang_getCursorLocation(cursor));
    if (cursor_is_lambda(cursor) &&
        (source_has_word(text, name.offset, begin->offset, "constexpr") ||
         source_has_word(text, name.offset, begin->offset, "consteval")))
        return OBSTACLE_CONSTEXPR;
    return OBSTACLE_NONE;
}

/* A function that a macro's use made keeps that macro. Where the function itself can't be timed,
 * its order is none, so that nothing goes into the macro. */
static void note_maker(struct unit *unit, CXCursor cursor, const struct position *begin,
                       struct fact_function *function)
{
    bool next = unit->maker == begin->file && unit->maker_offset == begin->offset;
    function->macro_order = unit->maker_order = next ? unit->maker_order + 1 : 0;
    unit->maker = begin->file;
    unit->maker_offset = begin->offset;
    const struct source_text *text = &begin->file->text;
    struct token name = source_token(text, begin->offset), open = source_token(text, name.end);
    uint32_t end = token_is(text, &open, "(") ? source_match(text, open.begin) : name.end;
    if (name.kind != TOKEN_WORD || name.begin != begin->offset || end == SOURCE_NOWHERE ||
        !expansion_list_starting_at(&begin->file->expansions, begin->offset))
        return;
    if (declaration_body_obstacle(unit, cursor))
        function->macro_order = FACT_NO_ORDER;
    function->macro =
        arena_strndup(&unit->facts->arena, text->data + name.begin, name.end - name.begin);
    clang_getPresumedLocation(clang_getCursorLocation(cursor), NULL, &function->macro_line, NULL);
    function->macro_line_end = function->macro_line;
    for (uint32_t i = name.begin; i < end; i++)
        function->macro_line_end += text->data[i] == '\n';
}

static void note_parameters(struct unit *unit, CXCursor cursor, struct fact_function *function)
{
    int count = clang_Cursor_getNumArguments(cursor); /* -1: a template */
    function->parameter_count = count > 0 ? (uint32_t)count : 0;
    function->parameters =
        ARENA_ARRAY(&unit->facts->arena, struct fact_parameter, function->parameter_count + 1);
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        CXCursor parameter = clang_Cursor_getArgument(cursor, i);
        CXType type = clang_getCanonicalType(clang_getCursorType(parameter));
        function->parameters[i].scalar = type_is_scalar(type);
        function->parameters[i].pointer = type.kind == CXType_Pointer;
        cursor_take_text(clang_getCursorSpelling(parameter), &unit->facts->arena,
                         &function->parameters[i].name);
    }
}

/* Of the compilers' calls of their OpenMP libraries only gcc's are known. */
static void note_team(const struct unit *unit, const struct source_text *text, uint32_t begin,
                      uint32_t end, struct fact_function *function)
{
    const struct compile_command *command = unit->command;
    const char *compiler = command->argument_count ? path_last_part(command->arguments[0]) : "";
    function->team = openmp_uses(text, begin, end) & OPENMP_TEAM;
    function->team_unseen =
        function->team && (strstr(compiler, "clang") || strcmp(compiler, "icx") == 0 ||
                           strcmp(compiler, "icpx") == 0);
}

bool function_open(struct unit *unit, CXCursor cursor, struct body *body, CXCursor *block)
{
    struct find_block find = {0};
    clang_visitChildren(cursor, find_block, &find);
    if (!find.found || clang_CXXMethod_isDefaulted(cursor)) /* "= default" has no text of its own */
        return false;
    struct position begin = position_begin(unit, find.block);
    uint32_t index = begin.file ? found_function(unit, cursor) : FUNCTION_NONE;
    if (index == FUNCTION_NONE || unit->traits[index].ignored ||
        unit->facts->functions[index].file != FACT_NO_FILE)
        return false;
    uint32_t end = position_end(unit, find.block).offset;
    enum obstacle obstacle = body_obstacle(unit, cursor, &begin, end);
    struct fact_function *function = &unit->facts->functions[index];
    function->obstacle = find.tried ? OBSTACLE_TRY_BLOCK : obstacle;
    function->file = begin.file->fact;
    function->body = begin.offset;
    function->line = position_of(unit, clang_getCursorLocation(cursor)).line;
    if (function->obstacle == OBSTACLE_BODY_FROM_MACRO)
        note_maker(unit, cursor, &begin, function);
    sync_use_note_body(unit, index, cursor);
    note_parameters(unit, cursor, function);
    *body = (struct body){.function = index, .file = begin.file};
    unevaluated_find(&body->unevaluated, &begin.file->text, begin.offset, end);
    if (unit->openmp)
        note_team(unit, &begin.file->text, begin.offset, end, function);
    *block = find.block;
    return true;
}
