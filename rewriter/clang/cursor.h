/* cursor.h - questions about libclang's cursors and types that need nothing but them.
 *
 *     CXCursor callee = cursor_strip(cursor_first(call));         (*(f))(x)   ->   f
 *
 * A cursor is one node of the parser's tree: a declaration, a statement or an expression. A null
 * cursor is the answer where there is no such node.
 */
#ifndef REWRITER_CLANG_CURSOR_H
#define REWRITER_CLANG_CURSOR_H

#include <clang-c/Index.h>
#include <stdbool.h>

#include "base/arena.h"

/* The text is copied into the arena, "" for none, and the string disposed of. False where it is
 * empty. */
bool cursor_take_text(CXString string, struct arena *arena, const char **text);

bool cursor_is_named(CXCursor cursor, const char *name);

/* Both give a null cursor where there is no child. */
CXCursor cursor_first(CXCursor cursor);
CXCursor cursor_last(CXCursor cursor);

/* Parentheses, implicit conversions, * and & are transparent: cursor_strip goes below them. */
bool cursor_is_transparent(CXCursor cursor);
CXCursor cursor_strip(CXCursor cursor);

/* cursor_unwrap goes below parentheses and implicit conversions alone. */
CXCursor cursor_unwrap(CXCursor cursor);

/* Below a variable's declaration two cursors of one expression are not equal: their text is. */
bool cursor_is_same_text(CXCursor a, CXCursor b);

/* The answer is the template that a class is an instance of, else the class. */
CXCursor cursor_pattern(CXCursor class);

/* A lambda's body is the call operator of a class that has no name. */
bool cursor_is_lambda(CXCursor function);
bool cursor_is_call_operator(CXCursor function);

/* A plain function is called by its name: it is no constructor, destructor, conversion or
 * operator. */
bool cursor_is_plain_function(CXCursor function);

/* No other file can name it: it is static, or in an unnamed namespace. */
bool cursor_is_local(CXCursor function);

/* The parser can tell the value of the expression. */
bool cursor_is_constant(CXCursor expression);

bool kind_is_function(enum CXCursorKind kind);
bool kind_is_scope(enum CXCursorKind kind); /* a namespace or a class */

/* Scalars are numbers, enumerations and pointers. */
bool type_is_scalar(CXType type);

#endif
