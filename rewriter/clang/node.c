#include "rewriter/clang/node.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "rewriter/clang/cursor.h"
#include "rewriter/clang/declaration.h"
#include "rewriter/clang/found.h"
#include "rewriter/clang/sync_use.h"
#include "rewriter/openmp.h"
#include "trace/function_table.h"

/* A label counts as the statement that it stands before. */
void node_note_statement(struct node *up, CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    while (kind == CXCursor_CaseStmt || kind == CXCursor_DefaultStmt ||
           kind == CXCursor_LabelStmt) {
        cursor = cursor_last(cursor);
        kind = clang_getCursorKind(cursor);
    }
    if (clang_Cursor_isNull(cursor))
        return;
    struct position position = position_begin(up->unit, cursor);
    if (position.file != up->body->file || position.in_argument ||
        (up->unit->openmp && openmp_before(&position.file->text, position.offset)))
        return; /* nothing may come between a directive and what it is about */
    struct fact_statement statement = {position.line, position.offset, kind == CXCursor_DeclStmt,
                                       false};
    VEC_PUSH(up->body->statements, up->body->statement_count, up->body->statement_capacity) =
        statement;
}

/* The last value of a statement expression is its own: nothing may come after it. */
void node_note_closing(struct node *block)
{
    if (block->context & IN_VALUE)
        return;
    CXSourceRange range = clang_getCursorExtent(block->cursor);
    struct position end = position_of(block->unit, clang_getRangeEnd(range));
    if (end.file != block->body->file || end.in_argument || end.offset == 0 ||
        end.offset > end.file->text.size_bytes || end.file->text.data[end.offset - 1] != '}')
        return;
    struct fact_statement closing = {end.line, end.offset - 1, false, true};
    VEC_PUSH(block->body->statements, block->body->statement_count,
             block->body->statement_capacity) = closing;
}

void node_note_reference(struct node *node)
{
    static const char *const MARKS[] = {"VPROF_MARK_BEGIN", "VPROF_MARK_END", "VPROF_MARK_ENTER"};
    CXString text = clang_getCursorSpelling(node->cursor);
    const char *name = clang_getCString(text);
    if (strcmp(name, "vprof_hooks_1") == 0)
        node->found |= FOUND_HOOKS;
    else if (STR_IS_ONE_OF(name, MARKS))
        node->body->marks = true;
    clang_disposeString(text);
    CXCursor named = clang_getCursorReferenced(node->cursor);
    sync_use_note(node->unit, node->body->function, named);
    if (!(node->context & (IN_CALLEE | UNEVALUATED)))
        body_note_reference(node->body, found_address(node->unit, named));
}

/* A call that returns a reference makes no object. */
static bool returns_reference(CXCursor call)
{
    CXCursor called = clang_getCursorReferenced(call);
    CXType result = clang_getCanonicalType(clang_getCursorResultType(called));
    return result.kind == CXType_LValueReference || result.kind == CXType_RValueReference;
}

void node_note_temporary(struct node *node)
{
    enum CXCursorKind kind = clang_getCursorKind(node->cursor);
    bool call = kind == CXCursor_CallExpr;
    bool maybe = call || kind == CXCursor_InitListExpr || kind == CXCursor_CXXFunctionalCastExpr;
    CXType type = clang_getCanonicalType(clang_getCursorType(node->cursor));
    bool object = maybe && type.kind == CXType_Record && !(call && returns_reference(node->cursor));
    if (object || kind == CXCursor_LambdaExpr)
        node->found |= FOUND_TEMPORARY;
}

void node_note_cleanup(struct node *node)
{
    if (clang_getCursorKind(node->cursor) != CXCursor_VarDecl)
        return;
    const char *name = declaration_cleanup(node->cursor, &node->unit->facts->arena);
    if (!name)
        return;
    crowd_add(&node->body->crowd, FUNCTION_NONE, name);
    intern_add(&node->unit->cleanups, name);
}

/* A loop of `do ... while (0)` runs its statement once. */
static bool is_once(CXCursor loop)
{
    if (clang_getCursorKind(loop) != CXCursor_DoStmt)
        return false;
    CXEvalResult result = clang_Cursor_Evaluate(cursor_last(loop));
    bool once = result && clang_EvalResult_getKind(result) == CXEval_Int &&
                clang_EvalResult_getAsLongLong(result) == 0;
    if (result)
        clang_EvalResult_dispose(result);
    return once;
}

static bool goes_back(struct unit *unit, CXCursor jump)
{
    CXCursor label = clang_getCursorReferenced(cursor_first(jump));
    return position_begin(unit, label).offset <= position_begin(unit, jump).offset;
}

void node_note_unbounded(struct node *node)
{
    switch (clang_getCursorKind(node->cursor)) {
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_CXXForRangeStmt:
    case CXCursor_IndirectGotoStmt:
    case CXCursor_CXXNewExpr:
    case CXCursor_CXXDeleteExpr:
    case CXCursor_CXXThrowExpr:
        node->body->unbounded = true;
        break;
    case CXCursor_DoStmt:
        node->body->unbounded |= !is_once(node->cursor);
        break;
    case CXCursor_GotoStmt:
        node->body->unbounded |= goes_back(node->unit, node->cursor);
        break;
    default:
        break;
    }
}

static enum CXChildVisitResult note_call_operator(CXCursor cursor, CXCursor parent,
                                                  CXClientData data)
{
    (void)parent;
    struct node *node = data;
    if (kind_is_function(clang_getCursorKind(cursor)) && cursor_is_call_operator(cursor))
        body_note_reference(node->body, found_address(node->unit, cursor));
    return CXChildVisit_Continue;
}

/* Lambdas are noted where they stand. */
void node_note_given_objects(struct node *node, int argument_count)
{
    CXCursor called = clang_getCursorReferenced(node->cursor);
    if (clang_Cursor_isNull(called) || unit_holds(node->unit, called))
        return;
    for (int i = 0; i < argument_count; i++) {
        CXCursor argument = clang_Cursor_getArgument(node->cursor, (unsigned)i);
        CXType type = clang_getCanonicalType(clang_getCursorType(argument));
        if (type.kind != CXType_Record)
            continue;
        CXCursor class = cursor_pattern(clang_getTypeDeclaration(type));
        if (unit_holds(node->unit, class))
            clang_visitChildren(class, note_call_operator, node);
    }
}
