#include "rewriter/clang/call_value.h"

#include "rewriter/clang/cursor.h"

/* Is this a thing that has a place, of the very type that is asked for? */
static bool is_lasting(CXCursor argument, CXType wanted)
{
    argument = cursor_unwrap(argument);
    enum CXCursorKind kind = clang_getCursorKind(argument);
    enum CXCursorKind named = clang_getCursorKind(clang_getCursorReferenced(argument));
    bool position = kind == CXCursor_MemberRefExpr || kind == CXCursor_StringLiteral ||
                    (kind == CXCursor_DeclRefExpr && named != CXCursor_EnumConstantDecl &&
                     named != CXCursor_NonTypeTemplateParameter);
    CXType own = clang_getCanonicalType(clang_getCursorType(argument));
    wanted = clang_getCanonicalType(wanted);
    return position && own.kind == wanted.kind &&
           (own.kind != CXType_Pointer ||
            clang_equalTypes(clang_getPointeeType(own), clang_getPointeeType(wanted)));
}

/* May an argument be a temporary that the result can refer to? */
static bool binds_temporary(CXCursor call, CXType function)
{
    int count = clang_getNumArgTypes(function);
    for (int i = 0; i < count; i++) {
        CXType type = clang_getCanonicalType(clang_getArgType(function, (unsigned)i));
        CXCursor argument = clang_Cursor_getArgument(call, (unsigned)i);
        if ((type.kind == CXType_LValueReference || type.kind == CXType_RValueReference) &&
            !is_lasting(argument, clang_getPointeeType(type)))
            return true;
    }
    return false;
}

static enum obstacle cplusplus_obstacle(const struct node *node, CXType function, bool constant)
{
    CXType result = clang_getCanonicalType(clang_getResultType(function));
    if (clang_getCursorType(node->cursor).kind == CXType_Dependent ||
        result.kind == CXType_Dependent || result.kind == CXType_Invalid ||
        result.kind == CXType_Unexposed)
        return OBSTACLE_DEPENDENT;
    bool object = result.kind == CXType_Record, lvalue = result.kind == CXType_LValueReference;
    bool scalar = type_is_scalar(result);
    if (result.kind == CXType_RValueReference)
        return OBSTACLE_RVALUE;
    if (result.kind != CXType_Void && !scalar && !lvalue && !(object && node->unit->elision))
        return OBSTACLE_OBJECT;
    if ((object || lvalue) && constant)
        return OBSTACLE_MAYBE_CONSTANT;
    return OBSTACLE_NONE;
}

/* May temporary objects of the call be used when it is over? */
static bool has_living(const struct node *node, CXType function)
{
    CXType result = clang_getCanonicalType(clang_getResultType(function));
    bool object = result.kind == CXType_Record, lvalue = result.kind == CXType_LValueReference;
    /* What a reference names is read after the call. */
    if (node->context & (lvalue ? DISCARDED : FULL_EXPRESSION))
        return false;
    bool refers = object || lvalue || result.kind == CXType_Pointer;
    return (node->found & FOUND_TEMPORARY) || (refers && binds_temporary(node->cursor, function));
}

/* An object that only a member is called of may as well be a reference to it. */
static bool can_hold(const struct node *node, const struct fact_call *call, CXType function)
{
    CXType result = clang_getCanonicalType(clang_getResultType(function));
    bool object = result.kind == CXType_Record && (node->context & IN_OBJECT);
    return node->unit->elision && !call->pointer &&
           (object || result.kind == CXType_LValueReference || type_is_scalar(result));
}

enum obstacle call_value_obstacle(const struct node *node, struct fact_call *call, CXType function,
                                  const struct callee_traits *callee)
{
    if (callee && callee->obstacle)
        return callee->obstacle;
    if (node->context & OUTSIDE_BODY)
        return OBSTACLE_OUTSIDE_BODY;
    if (node->context & IN_CAPTURE)
        return OBSTACLE_CAPTURE;
    if (node->context & IN_VECTOR_LOOP)
        return OBSTACLE_VECTOR_LOOP;
    if ((node->context & UNEVALUATED) || unevaluated_holds(&node->body->unevaluated, call->begin))
        return OBSTACLE_UNEVALUATED;
    if (node->found & FOUND_LITERAL)
        return OBSTACLE_LITERAL;
    enum obstacle obstacle = node->unit->cplusplus
                                 ? cplusplus_obstacle(node, function, callee && callee->constant)
                                 : OBSTACLE_NONE;
    if (obstacle || (!call->text_obstacle && cursor_is_constant(node->cursor)))
        return obstacle ? obstacle : OBSTACLE_IS_CONSTANT;
    call->held = node->unit->cplusplus && has_living(node, function);
    return call->held && !can_hold(node, call, function) ? OBSTACLE_TEMPORARY : OBSTACLE_NONE;
}
