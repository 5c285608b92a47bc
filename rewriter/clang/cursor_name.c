#include "rewriter/clang/cursor_name.h"

#include <string.h>

#include "rewriter/clang/cursor.h"

/* A lambda is named by its line: "handle::lambda:12". */
void cursor_take_name(CXCursor cursor, struct str *name)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool lambda = kind_is_function(kind) && cursor_is_lambda(cursor);
    CXCursor parent = clang_getCursorSemanticParent(cursor);
    if (lambda)
        parent = clang_getCursorSemanticParent(parent);
    enum CXCursorKind around = clang_getCursorKind(parent);
    if (kind_is_scope(around) || (lambda && kind_is_function(around)))
        cursor_take_name(parent, name);
    if (lambda) {
        unsigned line;
        clang_getSpellingLocation(clang_getCursorLocation(cursor), NULL, &line, NULL, NULL);
        str_printf(name, "%slambda:%u", name->length ? "::" : "", line);
        return;
    }
    CXString text = clang_getCursorSpelling(cursor);
    const char *c = clang_getCString(text);
    if (c && *c) {
        if (name->length)
            str_append(name, "::");
        /* A template's constructor is "Box<T>" by libclang's account. */
        bool special = kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
                       (kind == CXCursor_FunctionTemplate && !str_starts_with(c, "operator"));
        str_append_bytes(name, c, special ? strcspn(c, "<") : strlen(c));
    }
    clang_disposeString(text);
}

/* All lambdas of a class have one USR by libclang's account: they get their offset added. */
void cursor_take_usr(CXCursor cursor, struct str *usr)
{
    CXString text = clang_getCursorUSR(cursor);
    str_append(usr, clang_getCString(text));
    clang_disposeString(text);
    unsigned offset;
    clang_getSpellingLocation(clang_getCursorLocation(cursor), NULL, NULL, NULL, &offset);
    if (cursor_is_lambda(cursor))
        str_printf(usr, "@%u", offset);
}

CXCursor cursor_of_pattern(CXCursor cursor)
{
    CXCursor pattern = clang_getSpecializedCursorTemplate(cursor);
    while (kind_is_function(clang_getCursorKind(pattern)) && !clang_equalCursors(cursor, pattern)) {
        cursor = pattern; /* of a member template: first of the class's instance */
        pattern = clang_getSpecializedCursorTemplate(cursor);
    }
    return cursor;
}
