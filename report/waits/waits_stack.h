/* waits_stack.h - where a wait, or the waking that ended it, was seen.
 *
 *     worker -> log-writer    wait    5.0 s +- 80 ms    pthread_cond_wait, os_event::wait_low, ...
 *                             waker   5.0 s +- 90 ms    os_event::set, log_writer_main, ...
 *
 * Whoever samples stacks fills this in; the page and the folded stacks show it. Borrows everything.
 */
#ifndef REPORT_WAITS_WAITS_STACK_H
#define REPORT_WAITS_WAITS_STACK_H

#include <stdbool.h>
#include <stdio.h>

#include "waits/waits.h"

struct waits_stack {
    uint32_t edge;
    bool of_waker;
    time_ns estimate, sd;      /* of the edge's time; standard deviation */
    uint64_t sampled;          /* how many waits it was seen in */
    const char *const *frames; /* innermost first */
    uint32_t frame_count;
};

/* By edge, the wait's before the waker's, the largest estimate first. */
struct waits_stacks {
    const struct waits_stack *items;
    uint32_t count;
};

/* "worker;waits for log-writer;trx_commit;...;pthread_cond_wait 5000000000": for flamegraph.pl and
 * speedscope, in ns; of wakers "worker;is woken by log-writer;...". */
void waits_folded_write(FILE *out, const struct waits *waits, const struct waits_stacks *stacks);

#endif
