#include "rewriter/clang/call.h"

#include "base/memory.h"
#include "rewriter/clang/call_text.h"
#include "rewriter/clang/call_value.h"
#include "rewriter/clang/cursor.h"
#include "rewriter/clang/found.h"
#include "rewriter/clang/sync_use.h"
#include "rewriter/sync_name.h"
#include "trace/function_table.h"

static CXCursor called_function(CXCursor call, CXCursor callee)
{
    CXCursor target = clang_getCursorReferenced(call);
    if (kind_is_function(clang_getCursorKind(target)))
        return target;
    CXCursor inner = clang_Cursor_isNull(callee) ? callee : cursor_strip(callee);
    if (clang_getCursorKind(inner) == CXCursor_DeclRefExpr)
        target = clang_getCursorReferenced(inner);
    return kind_is_function(clang_getCursorKind(target)) ? target : clang_getNullCursor();
}

/* The type of what is called is that of its declaration, or stands behind the pointer. */
static CXType function_type(CXCursor target, CXCursor callee)
{
    if (!clang_Cursor_isNull(target))
        return clang_getCursorType(target);
    CXCursor inner = cursor_strip(callee);
    CXType type = clang_getCanonicalType(clang_getCursorType(callee));
    if (clang_getCursorKind(inner) == CXCursor_BinaryOperator) /* p->*member */
        type = clang_getCanonicalType(clang_getCursorType(cursor_last(inner)));
    bool behind = type.kind == CXType_Pointer || type.kind == CXType_MemberPointer;
    return behind ? clang_getPointeeType(type) : type;
}

static bool is_pointer_call(CXCursor callee)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(callee));
    if (type.kind != CXType_Pointer)
        return false;
    enum CXTypeKind kind = clang_getPointeeType(type).kind;
    return kind == CXType_FunctionProto || kind == CXType_FunctionNoProto;
}

/* The operator syntax always calls virtually, and libclang doesn't say so. */
static bool is_virtual_call(CXCursor call, CXCursor target, bool operator_syntax)
{
    return clang_Cursor_isDynamicCall(call) ||
           (operator_syntax && clang_CXXMethod_isVirtual(target));
}

static void add_call(struct node *node, struct call_parts *parts, CXCursor target,
                     uint32_t callee_index)
{
    struct unit *unit = node->unit;
    bool named = !clang_Cursor_isNull(target);
    struct fact_call call = {.callee = callee_index};
    call.dynamic = named && is_virtual_call(node->cursor, target, parts->no_callee);
    if (call.dynamic)
        unit->facts->functions[callee_index].address_taken = true;
    call.pointer = !named && is_pointer_call(parts->callee);
    call.text_obstacle = call_find_text(node, parts->callee, target, &call);
    CXType function = function_type(target, parts->callee);
    CXType result = clang_getCursorType(node->cursor);
    call.void_result = clang_getCanonicalType(result).kind == CXType_Void;
    call.scalar_result = type_is_scalar(result);
    CXType returned = clang_getCanonicalType(clang_getResultType(function));
    call.reference = returned.kind == CXType_LValueReference;
    call.value_obstacle =
        call_value_obstacle(node, &call, function, named ? &unit->traits[callee_index] : NULL);
    if (named && sync_name_find(unit->facts->functions[callee_index].name) != SYNC_NAME_NONE)
        call.object = sync_use_object(unit, node->cursor);
    if (!named && !call.pointer)
        call.name = call_callee_text(node, &call);
    if (!call.text_obstacle && !call.macro && !parts->no_callee &&
        !(node->context & IN_NAMED_REGION))
        call_find_arguments(node, parts, function, &call);
    VEC_PUSH(node->body->calls, node->body->call_count, node->body->call_capacity) = call;
    VEC_PUSH(node->body->nodes, node->body->node_count, node->body->node_capacity) = node->cursor;
}

/* In a template a name stands for all functions that bear it, of which one is called: all are
 * noted, and the first is the answer. */
static CXCursor note_overloads(struct node *node, CXCursor callee)
{
    CXCursor named = clang_getCursorReferenced(callee), first = clang_getNullCursor();
    unsigned count = clang_getCursorKind(named) == CXCursor_OverloadedDeclRef
                         ? clang_getNumOverloadedDecls(named)
                         : 0;
    for (unsigned i = 0; i < count; i++) {
        CXCursor one = clang_getOverloadedDecl(named, i);
        if (!kind_is_function(clang_getCursorKind(one)))
            continue;
        uint32_t index = found_function(node->unit, one);
        node->unit->facts->functions[index].address_taken = true;
        if (node->unit->traits[index].ignored)
            continue;
        body_note_callee(node->body, index);
        first = one;
    }
    return first;
}

/* This call goes through a pointer, or to what a template parameter decides. */
static void note_unknown_call(struct node *node, struct call_parts *parts)
{
    if ((parts->callee_found & FOUND_HOOKS) || clang_isInvalid(parts->callee.kind))
        return;
    bool known = is_pointer_call(parts->callee) ||
                 clang_getCursorKind(cursor_strip(parts->callee)) == CXCursor_BinaryOperator;
    if (!known && clang_getCursorType(node->cursor).kind != CXType_Dependent)
        return;
    CXCursor first = note_overloads(node, parts->callee);
    CXCursor named = clang_getCursorReferenced(parts->callee);
    if (clang_Cursor_isNull(first) && clang_getCursorKind(named) == CXCursor_OverloadedDeclRef)
        return;
    node->found |= FOUND_CALL;
    node->body->indirect |= clang_Cursor_isNull(first);
    add_call(node, parts, first,
             clang_Cursor_isNull(first) ? FUNCTION_NONE : found_function(node->unit, first));
}

void call_note(struct node *node, struct call_parts *parts)
{
    CXCursor target = called_function(node->cursor, parts->callee);
    if (clang_Cursor_isNull(target)) {
        note_unknown_call(node, parts);
        return;
    }
    uint32_t callee = found_function(node->unit, target);
    sync_use_note(node->unit, node->body->function, target);
    if (node->unit->traits[callee].ignored)
        return;
    node->found |= FOUND_CALL;
    body_note_callee(node->body, callee);
    if (is_virtual_call(node->cursor, target, parts->no_callee))
        body_note_virtual(node->body, callee);
    if (cursor_is_lambda(target) && cursor_is_constant(node->cursor))
        node->unit->facts->functions[callee].obstacle = OBSTACLE_CALL_IS_CONSTANT;
    if (parts->no_callee && cursor_is_call_operator(target))
        parts->callee = cursor_first(node->cursor);
    else if (!parts->has_callee || !cursor_is_plain_function(target))
        return;
    add_call(node, parts, target, callee);
}
