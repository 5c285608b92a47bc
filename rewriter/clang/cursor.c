#include "rewriter/clang/cursor.h"

#include <string.h>

#include "base/str.h"

bool cursor_take_text(CXString string, struct arena *arena, const char **text)
{
    const char *c = clang_getCString(string);
    *text = arena_strdup(arena, c ? c : "");
    clang_disposeString(string);
    return **text != '\0';
}

bool cursor_is_named(CXCursor cursor, const char *name)
{
    CXString text = clang_getCursorSpelling(cursor);
    bool is = strcmp(clang_getCString(text), name) == 0;
    clang_disposeString(text);
    return is;
}

bool cursor_is_call_operator(CXCursor function)
{
    return cursor_is_named(function, "operator()");
}

static enum CXChildVisitResult take_first(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

CXCursor cursor_first(CXCursor cursor)
{
    CXCursor child = clang_getNullCursor();
    clang_visitChildren(cursor, take_first, &child);
    return child;
}

static enum CXChildVisitResult take_last(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Continue;
}

CXCursor cursor_last(CXCursor cursor)
{
    CXCursor child = clang_getNullCursor();
    clang_visitChildren(cursor, take_last, &child);
    return child;
}

bool cursor_is_transparent(CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    return kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr ||
           kind == CXCursor_UnaryOperator;
}

CXCursor cursor_strip(CXCursor cursor)
{
    for (;;) {
        if (!cursor_is_transparent(cursor))
            return cursor;
        CXCursor child = cursor_first(cursor);
        if (clang_Cursor_isNull(child))
            return cursor;
        cursor = child;
    }
}

CXCursor cursor_unwrap(CXCursor cursor)
{
    while (clang_getCursorKind(cursor) == CXCursor_UnexposedExpr ||
           clang_getCursorKind(cursor) == CXCursor_ParenExpr)
        cursor = cursor_first(cursor);
    return cursor;
}

CXCursor cursor_pattern(CXCursor class)
{
    CXCursor pattern = clang_getSpecializedCursorTemplate(class);
    return clang_Cursor_isNull(pattern) ? class : pattern;
}

bool cursor_is_same_text(CXCursor a, CXCursor b)
{
    return clang_getCursorKind(a) == clang_getCursorKind(b) &&
           clang_equalRanges(clang_getCursorExtent(a), clang_getCursorExtent(b));
}

bool kind_is_function(enum CXCursorKind kind)
{
    return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
           kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
           kind == CXCursor_ConversionFunction || kind == CXCursor_FunctionTemplate;
}

bool kind_is_scope(enum CXCursorKind kind)
{
    return kind == CXCursor_Namespace || kind == CXCursor_ClassDecl ||
           kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl ||
           kind == CXCursor_ClassTemplate || kind == CXCursor_ClassTemplatePartialSpecialization;
}

bool cursor_is_lambda(CXCursor function)
{
    CXCursor parent = clang_getCursorSemanticParent(function);
    if (clang_getCursorKind(parent) != CXCursor_ClassDecl)
        return false;
    CXString name = clang_getCursorSpelling(parent);
    const char *text = clang_getCString(name);
    bool lambda = !text || !*text || str_starts_with(text, "(lambda");
    clang_disposeString(name);
    return lambda;
}

bool cursor_is_plain_function(CXCursor target)
{
    enum CXCursorKind kind = clang_getCursorKind(target);
    if (kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
        kind == CXCursor_ConversionFunction)
        return false;
    CXString name = clang_getCursorSpelling(target);
    bool is_operator = str_starts_with(clang_getCString(name), "operator");
    clang_disposeString(name);
    return !is_operator;
}

bool cursor_is_local(CXCursor cursor)
{
    enum CXLinkageKind linkage = clang_getCursorLinkage(cursor);
    return linkage == CXLinkage_Internal || linkage == CXLinkage_NoLinkage ||
           linkage == CXLinkage_UniqueExternal;
}

bool cursor_is_constant(CXCursor call)
{
    CXEvalResult result = clang_Cursor_Evaluate(call);
    if (!result)
        return false;
    bool constant = clang_EvalResult_getKind(result) != CXEval_UnExposed;
    clang_EvalResult_dispose(result);
    return constant;
}

bool type_is_scalar(CXType type)
{
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return (kind >= CXType_Bool && kind <= CXType_LongDouble) || kind == CXType_Enum ||
           kind == CXType_Pointer;
}
