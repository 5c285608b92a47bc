#include "rewriter/clang/visit.h"

#include <string.h>

#include "base/memory.h"
#include "rewriter/clang/call.h"
#include "rewriter/clang/cursor.h"
#include "rewriter/clang/declaration.h"
#include "rewriter/clang/ending.h"
#include "rewriter/clang/found.h"
#include "rewriter/clang/function.h"
#include "rewriter/clang/node.h"
#include "rewriter/clang/sync_use.h"
#include "rewriter/openmp.h"
#include "trace/function_table.h"

static enum CXChildVisitResult visit_child(CXCursor cursor, CXCursor parent, CXClientData data);

/* A lambda's captures are evaluated where it stands; its body is a function of its own. */
static enum CXChildVisitResult visit_capture(CXCursor cursor, CXCursor parent, CXClientData data)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool own = kind == CXCursor_CompoundStmt || kind == CXCursor_ParmDecl;
    return own ? CXChildVisit_Continue : visit_child(cursor, parent, data);
}

static enum CXChildVisitResult take_call_operator(CXCursor cursor, CXCursor parent,
                                                  CXClientData data)
{
    (void)parent;
    if (!kind_is_function(clang_getCursorKind(cursor)) || !cursor_is_call_operator(cursor))
        return CXChildVisit_Continue;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

uint32_t visit_lambda(struct unit *unit, CXCursor lambda)
{
    CXCursor function = clang_getNullCursor();
    CXCursor type = clang_getTypeDeclaration(clang_getCursorType(lambda));
    clang_visitChildren(type, take_call_operator, &function);
    if (clang_Cursor_isNull(function))
        return FUNCTION_NONE;
    visit_function(unit, function);
    uint32_t index = found_function(unit, function);
    unit->facts->functions[index].handles_signals |= declaration_has_handler_type(function);
    if (unit->constant)
        unit->facts->functions[index].obstacle = OBSTACLE_IN_CONSTANT;
    return index;
}

static void visit_lambda_in_body(struct node *node)
{
    struct facts *facts = node->unit->facts;
    uint32_t lambda = visit_lambda(node->unit, node->cursor);
    node->context |= IN_CAPTURE;
    clang_visitChildren(node->cursor, visit_capture, node);
    if (lambda == FUNCTION_NONE)
        return;
    body_note_callee(node->body, lambda);
    body_note_reference(node->body, lambda);
    facts->functions[lambda].address_taken = facts->functions[lambda].referenced = true;
    uint32_t begin = position_begin(node->unit, node->cursor).offset;
    enum obstacle around = facts->functions[node->body->function].obstacle;
    if ((node->context & UNEVALUATED) || unevaluated_holds(&node->body->unevaluated, begin))
        facts->functions[lambda].obstacle = OBSTACLE_UNEVALUATED;
    else if (node->context & IN_CONSTANT)
        facts->functions[lambda].obstacle = OBSTACLE_IN_CONSTANT;
    else if (obstacle_is_constexpr(around))
        facts->functions[lambda].obstacle = around;
}

static enum CXChildVisitResult visit_local_class(CXCursor cursor, CXCursor parent,
                                                 CXClientData data)
{
    (void)parent;
    if (kind_is_function(clang_getCursorKind(cursor)))
        visit_function(data, cursor);
    return CXChildVisit_Continue;
}

static void visit_call(struct node *node)
{
    struct call_parts parts = {.callee = clang_getNullCursor(),
                               .argument_count = clang_Cursor_getNumArguments(node->cursor)};
    enum { USUAL = 64 }; /* arguments for which no memory is asked for */
    unsigned found[USUAL];
    if (parts.argument_count < 0)
        parts.argument_count = 0;
    parts.argument_found = parts.argument_count <= USUAL
                               ? memset(found, 0, sizeof found)
                               : memory_zeroed((size_t)parts.argument_count * sizeof(unsigned));
    parts.no_callee =
        parts.argument_count > 0 &&
        cursor_is_same_text(cursor_first(node->cursor), clang_Cursor_getArgument(node->cursor, 0));
    node->call = &parts;
    clang_visitChildren(node->cursor, visit_child, node);
    node->call = NULL;
    call_note(node, &parts);
    if (node->unit->cplusplus && !(node->context & UNEVALUATED))
        node_note_given_objects(node, parts.argument_count);
    if (parts.argument_found != found)
        memory_free(parts.argument_found);
}

static void visit_node(struct node *node)
{
    switch (clang_getCursorKind(node->cursor)) {
    case CXCursor_CallExpr:
        visit_call(node);
        break;
    case CXCursor_ClassDecl:
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
        clang_visitChildren(node->cursor, visit_local_class, node->unit);
        return;
    case CXCursor_LambdaExpr:
        visit_lambda_in_body(node);
        break;
    case CXCursor_UnaryExpr:
    case CXCursor_CXXTypeidExpr:
        node->context |= UNEVALUATED;
        clang_visitChildren(node->cursor, visit_child, node);
        break;
    case CXCursor_CompoundLiteralExpr:
        clang_visitChildren(node->cursor, visit_child, node);
        node->found |= FOUND_LITERAL;
        break;
    case CXCursor_DeclRefExpr:
        node_note_reference(node);
        break;
    case CXCursor_TypeRef:
    case CXCursor_TemplateRef:
        sync_use_note(node->unit, node->body->function, clang_getCursorReferenced(node->cursor));
        break;
    default:
        clang_visitChildren(node->cursor, visit_child, node);
        if (clang_getCursorKind(node->cursor) == CXCursor_CompoundStmt)
            node_note_closing(node);
    }
    node_note_cleanup(node);
    if (node->unit->cplusplus) {
        node_note_temporary(node);
        endings_note(node);
    }
}

static void note_call_child(struct node *up, const struct node *down)
{
    struct call_parts *call = up->call;
    if (!call->has_callee && !call->no_callee) {
        call->has_callee = true;
        call->callee = down->cursor;
        call->callee_found = down->found;
        return;
    }
    for (int i = call->next; i < call->argument_count; i++)
        if (cursor_is_same_text(down->cursor, clang_Cursor_getArgument(up->cursor, (unsigned)i))) {
            call->argument_found[i] = down->found;
            call->next = i + 1;
            return;
        }
}

/* A child of `parent` may be a full expression, and its value discarded. A range-based for keeps
 * the objects of its range. */
static unsigned full_expression(const struct node *up, CXCursor parent)
{
    enum CXCursorKind kind = clang_getCursorKind(parent);
    if (kind == CXCursor_UnexposedExpr)
        return up->context & (FULL_EXPRESSION | DISCARDED);
    if (kind == CXCursor_CompoundStmt && !(up->context & IN_VALUE))
        return FULL_EXPRESSION | DISCARDED;
    bool statement = clang_isStatement(kind) && kind != CXCursor_CXXForRangeStmt;
    return statement || kind == CXCursor_VarDecl ? FULL_EXPRESSION : 0;
}

/* The directives before a statement may say something of the text in it. */
static unsigned directive_context(struct unit *unit, CXCursor statement)
{
    struct position position = position_begin(unit, statement);
    unsigned uses = position.file ? openmp_before(&position.file->text, position.offset) : 0;
    return (uses & OPENMP_NAMED ? IN_NAMED_REGION : 0) |
           (uses & OPENMP_VECTOR ? IN_VECTOR_LOOP : 0);
}

static enum CXChildVisitResult visit_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct node *up = data;
    struct node down = {
        .unit = up->unit, .body = up->body, .context = up->context, .cursor = cursor};
    bool callee = up->call ? !up->call->has_callee && !up->call->no_callee
                           : (up->context & IN_CALLEE) && cursor_is_transparent(up->cursor);
    down.context = callee ? down.context | IN_CALLEE : down.context & ~(unsigned)IN_CALLEE;
    enum CXCursorKind around = clang_getCursorKind(up->cursor);
    bool object = around == CXCursor_MemberRefExpr
                      ? up->context & IN_CALLEE
                      : (up->context & IN_OBJECT) &&
                            (around == CXCursor_UnexposedExpr || around == CXCursor_ParenExpr);
    down.context = object ? down.context | IN_OBJECT : down.context & ~(unsigned)IN_OBJECT;
    down.context &= ~(unsigned)(FULL_EXPRESSION | DISCARDED);
    down.context |= full_expression(up, parent);
    if (clang_getCursorKind(cursor) == CXCursor_StmtExpr)
        down.context |= IN_VALUE;
    if (clang_getCursorKind(cursor) == CXCursor_VarDecl &&
        declaration_is_constexpr(up->unit, cursor))
        down.context |= IN_CONSTANT;
    if (up->unit->openmp && clang_isStatement(clang_getCursorKind(parent)))
        down.context |= directive_context(up->unit, cursor);
    if (clang_getCursorKind(parent) == CXCursor_CompoundStmt)
        node_note_statement(up, cursor);
    node_note_unbounded(&down);
    visit_node(&down);
    if (up->call)
        note_call_child(up, &down);
    up->found |= down.found;
    return CXChildVisit_Continue;
}

/* A constructor's member initialisers stand before its block. */
static enum CXChildVisitResult visit_outside(CXCursor cursor, CXCursor parent, CXClientData data)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt)
        return CXChildVisit_Continue;
    return clang_isExpression(kind) ? visit_child(cursor, parent, data) : CXChildVisit_Continue;
}

void visit_function(struct unit *unit, CXCursor cursor)
{
    struct body body;
    CXCursor block;
    if (unit->cplusplus)
        found_overrides(unit, cursor);
    if (!function_open(unit, cursor, &body, &block))
        return;
    struct node node = {.unit = unit, .body = &body, .context = OUTSIDE_BODY, .cursor = cursor};
    clang_visitChildren(cursor, visit_outside, &node);
    if (unit->cplusplus)
        endings_note(&node);
    node.context = 0;
    node.cursor = block;
    clang_visitChildren(block, visit_child, &node);
    body_finish(unit, &body);
}
