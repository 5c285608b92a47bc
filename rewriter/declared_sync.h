/* declared_sync.h - where the probes of the config's synchronization functions go.
 *
 *     take(VPROF_OBJECT(7, &lock))                                       at its calls, or
 *     void take(struct lock *l) {VPROF_ACQUIRE_ENTRY(7, l) ...           in its definition
 *
 * At the calls where all of them can be wrapped and nothing takes the function's address, because a
 * call says from where. Else in the definition, where there is one that the tree holds and a probe
 * can stand in it; all functions that one declaration names go the same way. Else at the calls that
 * can be wrapped; the others are skipped, and listed.
 *
 * Pure.
 */
#ifndef REWRITER_DECLARED_SYNC_H
#define REWRITER_DECLARED_SYNC_H

#include "rewriter/resolve.h"

/* The answer says why this call can't be wrapped. */
enum obstacle declared_call_obstacle(const struct fact_call *call,
                                     const struct sync_declaration *sync);

/* The answer says why the function's definition can't hold the probe. */
enum obstacle declared_body_obstacle(const struct fact_function *function,
                                     const struct sync_declaration *sync);

/* The array goes by function: true where its definition gets the probe. The arena owns it. */
bool *declared_in_body(struct arena *arena, const struct facts *facts,
                       const struct resolved *resolved);

#endif
