/* dwfl_walk.h - the calls of a stopped thread as elfutils' own unwinder finds them, and what they are
 * called: what sampler/unwinder.h has to agree with. It asks no file more than once, but works out
 * each frame anew.
 */
#ifndef TESTS_SAMPLER_DWFL_WALK_H
#define TESTS_SAMPLER_DWFL_WALK_H

#include "sampler/unwinder.h"

struct dwfl_walk;

struct dwfl_walk *dwfl_walk_open(pid_t pid);
/* As it is mapped now. */
void dwfl_walk_read_maps(struct dwfl_walk *walk);
/* As unwinder_walk; *whole: nothing was in its way. */
size_t dwfl_walk_thread(struct dwfl_walk *walk, const struct unwinder_thread *thread,
                        uint64_t *addresses, size_t most, bool *whole);
/* The function at the address, or "?". Valid until it is closed. */
const char *dwfl_walk_name(struct dwfl_walk *walk, uint64_t address);
void dwfl_walk_close(struct dwfl_walk *walk);

#endif
