/* found.h - the functions of a compilation, as its declarations and calls name them.
 *
 *     uint32_t index = found_function(unit, cursor);
 *     unit->facts->functions[index]    unit->traits[index]
 *
 * A function gets its index where it is met first. Functions are told apart by USR, libclang's
 * name for one thing across files; an instance of a template is the template.
 */
#ifndef REWRITER_CLANG_FOUND_H
#define REWRITER_CLANG_FOUND_H

#include "rewriter/clang/unit.h"

uint32_t found_function(struct unit *unit, CXCursor function);

/* The function's name stands somewhere else than where it is called. FUNCTION_NONE where `named`
 * is no function. */
uint32_t found_address(struct unit *unit, CXCursor named);

/* The members that a virtual one overrides are noted, whether its body is here or not. */
void found_overrides(struct unit *unit, CXCursor member);

#endif
