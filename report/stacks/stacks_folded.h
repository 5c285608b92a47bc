/* stacks_folded.h - contexts as flamegraph.pl and speedscope.app read them, in ns.
 *
 *     server x 8;main;serve;parse 412000000                                folded: what ran
 *     server x 8;main;serve;commit;fsync;ext4_sync_[k];[waits for the disk vda (write)] 3800000000
 *
 * A stack weighs what is its own. What it waited for is its innermost frame.
 */
#ifndef REPORT_STACKS_STACKS_FOLDED_H
#define REPORT_STACKS_STACKS_FOLDED_H

#include <stdio.h>

#include "base/str.h"
#include "stacks/stacks.h"

void stacks_folded_write(FILE *out, const struct stacks *stacks);
/* A profile for each group of threads. */
void stacks_speedscope_write(struct str *out, const struct stacks *stacks);

#endif
