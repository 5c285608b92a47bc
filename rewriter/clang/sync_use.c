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

/* A type without a name is called by where it stands, which is none. */
static bool has_name(const char *name)
{
    return name && name[0] && !strchr(name, '(') && !strchr(name, '<');
}

static const char *member_text(struct arena *arena, CXCursor member, const char *index)
{
    CXString class = clang_getCursorSpelling(clang_getCursorSemanticParent(member));
    CXString name = clang_getCursorSpelling(member);
    const char *of = clang_getCString(class);
    bool named = has_name(of);
    const char *text = arena_printf(arena, "%s%s%s%s", named ? of : "", named ? "." : "",
                                    clang_getCString(name), index);
    clang_disposeString(class);
    clang_disposeString(name);
    return text;
}

static bool outlives_calls(CXCursor variable)
{
    CXCursor parent = clang_getCursorSemanticParent(variable);
    return clang_Cursor_getStorageClass(variable) == CX_SC_Static ||
           clang_getCursorKind(parent) == CXCursor_TranslationUnit ||
           clang_getCursorKind(parent) == CXCursor_Namespace;
}

static const char *variable_text(struct arena *arena, CXCursor variable, const char *index)
{
    if (!outlives_calls(variable))
        return NULL;
    CXString name = clang_getCursorSpelling(variable);
    const char *text = arena_printf(arena, "%s%s", clang_getCString(name), index);
    clang_disposeString(name);
    return text;
}

const char *sync_use_object(struct unit *unit, CXCursor call)
{
    if (clang_Cursor_getNumArguments(call) < 1)
        return NULL;
    CXCursor given = cursor_strip(clang_Cursor_getArgument(call, 0));
    bool element = clang_getCursorKind(given) == CXCursor_ArraySubscriptExpr;
    CXCursor named = clang_getCursorReferenced(element ? cursor_strip(cursor_first(given)) : given);
    const char *index = element ? "[]" : "";
    if (clang_getCursorKind(named) == CXCursor_FieldDecl)
        return member_text(&unit->facts->arena, named, index);
    if (clang_getCursorKind(named) == CXCursor_VarDecl)
        return variable_text(&unit->facts->arena, named, index);
    return NULL;
}
