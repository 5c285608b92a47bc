#include "rewriter/clang/sync_use.h"

#include <string.h>

#include "rewriter/clang/cursor.h"

static bool in_std(CXCursor cursor)
{
    CXCursor parent = clang_getCursorSemanticParent(cursor);
    for (; kind_is_scope(clang_getCursorKind(parent));
         parent = clang_getCursorSemanticParent(parent))
        cursor = parent;
    return clang_getCursorKind(cursor) == CXCursor_Namespace && cursor_is_named(cursor, "std");
}

static bool is_declared_as(CXCursor named, const struct sync_name *sync)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(named));
    if (clang_getCursorKind(named) != CXCursor_FunctionDecl)
        return false;
    bool is_long = sync->traits & SYNC_TRAIT_LONG;
    return !(sync->traits & SYNC_TRAIT_VARIADIC) ||
           (clang_isFunctionTypeVariadic(type) && clang_getNumArgTypes(type) == (is_long ? 1 : 4) &&
            clang_getResultType(type).kind == (is_long ? CXType_Long : CXType_Int));
}

void sync_use_note(struct unit *unit, CXCursor named)
{
    if (clang_getCursorKind(named) == CXCursor_OverloadedDeclRef)
        named = clang_getOverloadedDecl(named, 0);
    CXCursor parent = clang_getCursorSemanticParent(named);
    enum CXCursorKind scope = clang_getCursorKind(parent);
    bool member = kind_is_scope(scope) && scope != CXCursor_Namespace;
    if (kind_is_scope(scope) && !unit->cplusplus)
        return;
    CXString text = clang_getCursorSpelling(named), class_text = clang_getCursorSpelling(parent);
    const char *name = clang_getCString(text), *class = clang_getCString(class_text);
    int sync = kind_is_scope(scope) ? SYNC_NAME_NONE : sync_name_find(name);
    sync_set standard = kind_is_scope(scope) ? sync_name_standard(member ? class : name) : 0;
    if (member && !standard)
        standard = sync_name_member(name);
    if (sync != SYNC_NAME_NONE && is_declared_as(named, &sync_names[sync]))
        unit->sync |= SYNC_BIT(sync);
    else if (standard && in_std(named))
        unit->sync |= standard;
    clang_disposeString(text);
    clang_disposeString(class_text);
}
