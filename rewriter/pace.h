/* pace.h - what time a call of a function can take at the most, as far as the source tells.
 *
 *     const enum pace *paces = pace_find(&arena, &facts, &resolved);
 *     paces[f] == PACE_SHORT      int is_set(int x) { return !!(x & 1); }
 *
 * A program that carries probes for any round to switch on (iterate --live) has none where there
 * is no variance to find: in short functions, at calls of short library functions, and at calls of
 * those that take as long as what they are given is large. Their time is that of their caller.
 *
 * A function with a body is short where it has no loop, does not call itself, is not opened by a
 * declaration or an annotation, calls nothing that is not short, and all that takes a few steps.
 * So who calls one that is not short is not short either. One enum pace for each function of the
 * facts, in `arena`.
 */
#ifndef REWRITER_PACE_H
#define REWRITER_PACE_H

#include "base/arena.h"
#include "rewriter/facts.h"
#include "rewriter/resolve.h"
#include "rewriter/rewriter.h"

const enum pace *pace_find(struct arena *arena, const struct facts *facts,
                           const struct resolved *resolved);

#endif
