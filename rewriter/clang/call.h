/* call.h - a call whose children have been visited becomes a fact of the body. */
#ifndef REWRITER_CLANG_CALL_H
#define REWRITER_CLANG_CALL_H

#include "rewriter/clang/node.h"

void call_note(struct node *node, struct call_parts *parts);

#endif
