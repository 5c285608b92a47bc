/* function.h - a function with a body in the tree, before its body is visited.
 *
 *     static int f(int x)   {   return g(x); }
 *                ^line      ^body
 *
 * What stands at its head and whether anything can be put into its body.
 */
#ifndef REWRITER_CLANG_FUNCTION_H
#define REWRITER_CLANG_FUNCTION_H

#include "rewriter/clang/body.h"

/* function_open fills in the function's facts and begins its body; *block is the compound
 * statement. False where it has no body in the tree, or is known already. */
bool function_open(struct unit *unit, CXCursor function, struct body *body, CXCursor *block);

#endif
