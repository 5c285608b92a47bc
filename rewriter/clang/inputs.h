/* inputs.h - every file that a compilation was read from, so that its facts can be kept.
 *
 * None are noted where the text decides by something that can't be told from it, such as
 * __has_include of a macro: facts of such a compilation are never kept.
 */
#ifndef REWRITER_CLANG_INPUTS_H
#define REWRITER_CLANG_INPUTS_H

#include "rewriter/clang/unit.h"

void inputs_note(struct unit *unit);

#endif
