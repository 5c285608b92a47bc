/* site_hit.h - what a site that is on does: a call is entered or left.
 *
 *   program | frame of f | red zone | probe, kind | return into the stub | registers | ...
 *                        at                                              site_hit
 *
 * Stubs jump to site_hit(), which is no C function: it changes no register but the flags. The
 * common case uses few registers and none of the vector ones; for all else they are saved too.
 *
 * Calls that are entered go onto the thread's stack of calls (frames.h), by probe and by the
 * stack's address; a site that leaves one looks there for it. Where the code was changed in between
 * there is none: no record. Signal-safe; no locks; errno is kept.
 */
#ifndef RUNTIME_SITE_HIT_H
#define RUNTIME_SITE_HIT_H

void site_hit(void);

/* Learn how registers are saved, before the first site is on. */
void site_hit_start(void);

#endif
