/* site_hit.h - what a site that is on does: a call is entered or left.
 *
 * Sites come here by way of what they call (rewriter/site.h), by kinds. These are no C functions:
 * the word is in %r11, where the program's stack ended in %r10, and they change no register but
 * those that a site of the kind gives up. The common case uses few registers and none of the vector
 * ones; for all else they are saved.
 *
 * Calls that are entered go onto the thread's stack of calls (frames.h), by probe and by the
 * stack's address; a site that leaves one looks there for it. Where the code was changed in between
 * there is none: no record. Signal-safe; no locks; errno is kept.
 */
#ifndef RUNTIME_SITE_HIT_H
#define RUNTIME_SITE_HIT_H

#include "runtime/sites.h"

/* The hooks are asked for before the first site is on. */
struct site_hooks site_hit_hooks(void);

#endif
