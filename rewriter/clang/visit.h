/* visit.h - functions and their bodies, node by node.
 *
 *     visit_function     opens the function, visits what stands before its block, then the block
 *     visit_lambda       a lambda's body is a function of its own
 *
 * Each body is visited once; a function that stands in it is visited where it is met.
 */
#ifndef REWRITER_CLANG_VISIT_H
#define REWRITER_CLANG_VISIT_H

#include "rewriter/clang/unit.h"

void visit_function(struct unit *unit, CXCursor function);

/* The answer is the index of the lambda's function, FUNCTION_NONE where libclang doesn't show its
 * body. */
uint32_t visit_lambda(struct unit *unit, CXCursor lambda);

#endif
