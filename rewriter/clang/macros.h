/* macros.h - the macros of a compilation, and whether a text can be edited in spite of them.
 *
 *     #define LOCK(m) lock(&(m))     macros_note_definition
 *     LOCK(pool->m);                 macros_note_expansion
 *
 * libclang gives all of them before it gives the first declaration.
 */
#ifndef REWRITER_CLANG_MACROS_H
#define REWRITER_CLANG_MACROS_H

#include "rewriter/clang/unit.h"

void macros_note_definition(struct unit *unit, CXCursor definition);
void macros_note_expansion(struct unit *unit, CXCursor expansion);

/* Definitions outside of the tree become facts where functions of the tree come out of them: when
 * all functions are known. */
void macros_keep_makers(struct unit *unit);

/* The answer says why a text that begins here can't be edited. */
enum obstacle macros_obstacle(struct unit *unit, const struct position *position);

/* The answer says why a text in the argument of this use can't be edited; `at` is that of
 * expansion_list_at. */
enum obstacle macros_argument_obstacle(struct unit *unit, const struct expansion_list *uses,
                                       uint32_t at);

#endif
