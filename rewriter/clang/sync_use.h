/* sync_use.h - which synchronization functions and classes a compilation uses.
 *
 *     pthread_mutex_lock(&m);   std::mutex m;        both go into unit->sync
 */
#ifndef REWRITER_CLANG_SYNC_USE_H
#define REWRITER_CLANG_SYNC_USE_H

#include "rewriter/clang/unit.h"

/* `named` is what a name in the tree stands for: a function, a class, or a member of one. */
void sync_use_note(struct unit *unit, CXCursor named);

/* The answer names what a call is given first: "queue.lock", a member, or "table_lock", a variable
 * that outlives the call; else NULL. */
const char *sync_use_object(struct unit *unit, CXCursor call);

#endif
