/* call_value.h - whether a call's value can come out of a statement expression.
 *
 *     __extension__({VPROF_FUNCTION(7) serve(pool, next(q));})
 *
 * In C++ the objects that the call's arguments make die when the statement expression is over, not
 * at the end of the full expression around it: what may still be used then stops the edit, or has
 * the call held (fact_call.held).
 */
#ifndef REWRITER_CLANG_CALL_VALUE_H
#define REWRITER_CLANG_CALL_VALUE_H

#include "rewriter/clang/node.h"

/* The answer says why it can't. `function` is the type of what is called, `callee` is NULL where
 * it is not known; call->held is set. */
enum obstacle call_value_obstacle(const struct node *node, struct fact_call *call, CXType function,
                                  const struct callee_traits *callee);

#endif
