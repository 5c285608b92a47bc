/* pace.h - what time a call of a function itself can take, as far as the source tells.
 *
 *     const enum pace *paces = pace_find(&arena, &facts, &resolved);
 *     paces[f] == PACE_SHORT      int is_set(int x) { return !!(x & 1); }
 *
 * A program that carries probes for any round to switch on (iterate --live) has none where there
 * is no variance to find: in short functions, at calls of short library functions, and at calls of
 * those that take as long as what they are given is large. What a short function does is its
 * caller's time; what it calls has probes of its own, and stands below its caller.
 *
 *     static void finish(struct job *j) { check(j); commit(j); }      short, if commit() waits too
 *     static int sync_file(int fd) { return fsync(fd); }              not short: it waits itself
 *
 * A function with a body is short where it takes a few steps, has no loop, is not opened by a
 * declaration or an annotation, and calls nothing that may take long or wait and has no body in the
 * tree: no library function that is not short, no synchronization, nothing through a pointer. In a
 * circle of such functions at least one is not short. One that is declared "untimed" is short as it
 * is, but for marks and synchronization. One enum pace for each function of the facts, in `arena`.
 */
#ifndef REWRITER_PACE_H
#define REWRITER_PACE_H

#include "base/arena.h"
#include "rewriter/choice.h"
#include "rewriter/facts.h"
#include "rewriter/resolve.h"

const enum pace *pace_find(struct arena *arena, const struct facts *facts,
                           const struct resolved *resolved);

#endif
