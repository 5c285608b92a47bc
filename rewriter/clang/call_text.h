/* call_text.h - where a call's text stands, and whether it can be edited.
 *
 *     serve ( pool, next(q) )
 *     ^begin^open           ^end        callee_end: behind "serve"
 */
#ifndef REWRITER_CLANG_CALL_TEXT_H
#define REWRITER_CLANG_CALL_TEXT_H

#include "rewriter/clang/node.h"

/* call_find_text fills in the offsets of the call's text and returns why it can't be edited.
 * `target` is the function that is called, or a null cursor. */
enum obstacle call_find_text(struct node *node, CXCursor callee, CXCursor target,
                             struct fact_call *call);

/* call_find_arguments fills in the arguments where the text tells them. */
void call_find_arguments(struct node *node, const struct call_parts *parts, CXType function,
                         struct fact_call *call);

/* Where the callee is not known its text names it; NULL where that is too long. */
const char *call_callee_text(struct node *node, const struct fact_call *call);

#endif
