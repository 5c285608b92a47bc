/* hooks.h - what the runtime puts into the tables of annotated programs (vprof_api.h). */
#ifndef RUNTIME_HOOKS_H
#define RUNTIME_HOOKS_H

#define VPROF_TYPES_ONLY
#include "vprof_api.h"

extern const struct vprof_hooks_1 hooks_table;

/* The probes of an object write their records themselves afterwards, where they and the clock can.
 * What an earlier scan gave is left alone: other threads read it. */
void hooks_give(struct vprof_direct_1 *direct);

#endif
