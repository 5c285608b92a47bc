/* target_code.h - is a thread in the code that is experimented with?
 *
 *     target_code_find(delays);                 not in a handler: the loader is asked where objects lie
 *     if (target_code_has(&step)) ...
 *
 * It is where its instruction is, or a call that leads to it, as far as frame pointers tell of
 * those. Any thread may call these.
 */
#ifndef RUNTIME_TARGET_CODE_H
#define RUNTIME_TARGET_CODE_H

#include <stddef.h>

#include "runtime/step.h"
#include "trace/delay_format.h"

/* The target's code is found once for each target. errno is not kept. */
void target_code_find(const struct trace_delays *delays);
/* That was done; the next two are signal-safe. */
bool target_code_known(const struct trace_delays *delays);
bool target_code_has(const struct step *step);
/* Where units of work begin, of what is loaded (trace_delays.places); the result is their number. Not in a handler; errno
 * is not kept. */
size_t target_code_places(const struct trace_delays *delays, uintptr_t *addresses, size_t most);

#endif
