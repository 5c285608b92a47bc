/* sync_use.h - which synchronization functions and classes a compilation uses.
 *
 *     pthread_mutex_lock(&m);   std::mutex m;        both count
 *     sync_use_of_unit(unit)                         all that count, when everything was visited
 *
 * What a header's static function in C uses counts only where the compilation comes to call it: no
 * compiler keeps the others.
 */
#ifndef REWRITER_CLANG_SYNC_USE_H
#define REWRITER_CLANG_SYNC_USE_H

#include "rewriter/clang/unit.h"

/* `named` is what a name in the tree stands for: a function, a class, or a member of one. It stands
 * in the body of `within`, or in none (FUNCTION_NONE). */
void sync_use_note(struct unit *unit, uint32_t within, CXCursor named);

/* Notes of a function that was met with its body whether it is kept only where it is called. */
void sync_use_note_body(struct unit *unit, uint32_t function, CXCursor cursor);

sync_set sync_use_of_unit(const struct unit *unit);

/* The answer names what a call is given first: "queue.lock", a member, or "table_lock", a variable
 * that outlives the call; else NULL. */
const char *sync_use_object(struct unit *unit, CXCursor call);

#endif
