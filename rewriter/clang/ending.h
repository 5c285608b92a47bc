/* ending.h - destructors, which nothing in the text calls.
 *
 *     { std::unique_ptr<Pool> pool; }       calls Pool::~Pool where the block ends
 */
#ifndef REWRITER_CLANG_ENDING_H
#define REWRITER_CLANG_ENDING_H

#include "rewriter/clang/node.h"

/* The end of a variable, `delete`, and the end of a destructor call destructors: those are
 * noted. */
void endings_note(struct node *node);

#endif
