/* cursor_name.h - what a function is called: for people, and for us.
 *
 *     cursor_take_name(cursor, &name);          "Pool::run", "handle::lambda:12"
 *     cursor_take_usr(cursor, &usr);            one for each function of the program
 *
 * Both append.
 */
#ifndef REWRITER_CLANG_CURSOR_NAME_H
#define REWRITER_CLANG_CURSOR_NAME_H

#include <clang-c/Index.h>

#include "base/str.h"

void cursor_take_name(CXCursor function, struct str *name);
void cursor_take_usr(CXCursor function, struct str *usr);

/* An instance of a template is the template. */
CXCursor cursor_of_pattern(CXCursor function);

#endif
