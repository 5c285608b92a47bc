#include "rewriter/clang/call_text.h"

#include <string.h>

#include "base/memory.h"
#include "rewriter/clang/cursor.h"
#include "rewriter/clang/macros.h"

/* Does the function's name stand in the text of what is called? */
static bool names_callee(const struct source_text *text, const struct fact_call *call,
                         CXCursor target)
{
    if (call->callee_end <= call->begin || call->callee_end >= text->size_bytes)
        return false;
    if (clang_Cursor_isNull(target) || !cursor_is_plain_function(target))
        return true;
    CXString name = clang_getCursorSpelling(target);
    bool named = source_has_word(text, call->begin, call->callee_end, clang_getCString(name));
    clang_disposeString(name);
    return named;
}

/* A macro that stands for this call and nothing else can be edited around, as the call can: the
 * text is that of its use, and has no arguments of the call. */
static enum obstacle macro_text(struct unit *unit, struct source_file *file, CXCursor target,
                                struct fact_call *call)
{
    struct expansion_list *uses = &file->expansions;
    uint32_t at = expansion_list_at(uses, call->begin);
    bool within = at > 1 && uses->items[at - 2].begin == call->begin; /* another macro's body */
    if (within || clang_Cursor_isNull(target) || !cursor_is_plain_function(target))
        return OBSTACLE_FROM_MACRO;
    CXString name = clang_getCursorSpelling(target);
    bool is = macro_table_is_call(&unit->macro_table, call->macro, clang_getCString(name));
    clang_disposeString(name);
    if (!is)
        return OBSTACLE_FROM_MACRO;
    call->end = uses->items[at - 1].end;
    call->macro_safe = source_macro_safe(&file->text, call->begin, call->end);
    return macros_argument_obstacle(unit, uses, uses->items[at - 1].around);
}

enum obstacle call_find_text(struct node *node, CXCursor callee, CXCursor target,
                             struct fact_call *call)
{
    struct unit *unit = node->unit;
    struct source_file *file = node->body->file;
    struct position begin = position_begin(unit, node->cursor),
                    end = position_end(unit, node->cursor);
    struct position callee_end = position_end(unit, callee);
    call->line = begin.line;
    call->begin = begin.offset;
    call->end = end.offset;
    call->callee_end = callee_end.offset;
    if (begin.file != file || end.file != file || callee_end.file != file)
        return OBSTACLE_OTHER_FILE;
    call->macro = expansion_list_starting_at(&file->expansions, begin.offset);
    if (call->macro)
        return macro_text(unit, file, target, call);
    enum obstacle obstacle = macros_obstacle(unit, &begin);
    if (obstacle)
        return obstacle;
    if (!names_callee(&file->text, call, target))
        return OBSTACLE_NAME_FROM_MACRO;
    struct token open = source_token(&file->text, call->callee_end);
    uint32_t close =
        token_is(&file->text, &open, "(") ? source_match(&file->text, open.begin) : SOURCE_NOWHERE;
    if (close == SOURCE_NOWHERE || close + 1 != call->end)
        return OBSTACLE_PARENTHESES_FROM_MACRO;
    call->open = open.begin;
    for (struct token token = open; token.begin < close;
         token = source_token(&file->text, token.end))
        if (token.kind == TOKEN_DIRECTIVE)
            return OBSTACLE_DIRECTIVE;
    call->callee_macro_safe = source_macro_safe(&file->text, call->begin, call->callee_end);
    call->macro_safe = source_macro_safe(&file->text, call->begin, call->end);
    return OBSTACLE_NONE;
}

static bool is_copyable(const struct unit *unit, CXCursor argument, CXType function, int index)
{
    CXCursor inner = cursor_unwrap(argument);
    CXType type = clang_getCanonicalType(clang_getCursorType(inner));
    CXCursor member = clang_getCursorReferenced(inner);
    if (clang_getCursorKind(member) == CXCursor_FieldDecl && clang_Cursor_isBitField(member))
        return false;
    if (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray ||
        type.kind == CXType_VariableArray || type.kind == CXType_Void)
        return false;
    bool fixed = index < clang_getNumArgTypes(function);
    if (fixed && type.kind == CXType_Pointer && clang_isFunctionTypeVariadic(function))
        return false; /* a format that the compiler checks */
    if (!unit->cplusplus)
        return true;
    return type_is_scalar(clang_getCursorType(argument)) && type_is_scalar(type) &&
           (!fixed || type_is_scalar(clang_getArgType(function, (unsigned)index)));
}

void call_find_arguments(struct node *node, const struct call_parts *parts, CXType function,
                         struct fact_call *call)
{
    enum { MOST = 64 }; /* a call with more arguments is none that one writes by hand */
    struct source_argument texts[MOST];
    uint32_t close = call->end - 1;
    uint32_t count = source_arguments(&node->body->file->text, call->open, close, texts, MOST);
    uint32_t known = (uint32_t)parts->argument_count;
    if (count > MOST || count > known || (count < known && !node->unit->cplusplus))
        return;
    call->arguments = ARENA_ARRAY(&node->unit->facts->arena, struct fact_argument, count + 1);
    call->argument_count = count;
    for (uint32_t i = 0; i < count; i++) {
        CXCursor argument = clang_Cursor_getArgument(node->cursor, i);
        struct position begin = position_begin(node->unit, argument);
        CXType type = clang_getCanonicalType(clang_getCursorType(argument));
        call->arguments[i] = (struct fact_argument){
            .begin = texts[i].begin,
            .end = texts[i].end,
            .macro_safe = texts[i].macro_safe && begin.offset >= texts[i].begin &&
                          begin.offset < texts[i].end,
            .calls = parts->argument_found[i] & FOUND_CALL,
            .copyable = !(parts->argument_found[i] & FOUND_TEMPORARY) &&
                        is_copyable(node->unit, argument, function, (int)i),
            .scalar = type_is_scalar(type),
            .pointer = type.kind == CXType_Pointer,
        };
    }
}

const char *call_callee_text(struct node *node, const struct fact_call *call)
{
    enum { MOST_BYTES = 60 };
    const struct source_text *text = &node->body->file->text;
    uint32_t end = call->callee_end;
    if (call->text_obstacle || end <= call->begin || end - call->begin > MOST_BYTES ||
        memchr(text->data + call->begin, '\n', end - call->begin))
        return NULL;
    return arena_strndup(&node->unit->facts->arena, text->data + call->begin, end - call->begin);
}
