/* waits_folded.h - stacks as flamegraph.pl and speedscope read them, in ns.
 *
 *     worker x 3;waits for log-writer;main;serve;commit;pthread_cond_wait;futex_wait_[k] 5000000000
 *     worker x 3;is woken by log-writer;log_writer_main;flush 5000000000
 *     worker x 3;runs;main;serve;parse 1200000000
 */
#ifndef REPORT_WAITS_WAITS_FOLDED_H
#define REPORT_WAITS_WAITS_FOLDED_H

#include <stdio.h>

#include "waits/waits.h"

void waits_folded_write(FILE *out, const struct waits *waits);

#endif
