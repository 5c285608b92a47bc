/* swept_list.h - the waits as the cascade has them, where they are not those that the kernel tells.
 *
 *     the kernel's     1 -> 8 |----|   1 -> 9 |----|     10 (lives shortly) -> 1 |--|
 *     the cascade's    1 -> 9 |--------------------|     virtual 7 -> 1 |-----------|
 *
 * A wake in vain ends no wait (wake_in_vain.h), and threads that live shortly, one after the other, are one, which
 * waits for its parent between (short_lived.h). Who looks at a single thread, or replays a run, has what was.
 */
#ifndef WAITS_SWEPT_LIST_H
#define WAITS_SWEPT_LIST_H

#include "waits/short_lived.h"
#include "waits/wait_list.h"

/* No items: nothing differs. All else of the list is as it is in `waits`, and borrowed. */
void swept_list_make(struct wait_list *swept, const struct wait_list *waits,
                     const struct vertex_table *vertices, const struct short_lived *shorts,
                     uint64_t *in_vain);

#endif
