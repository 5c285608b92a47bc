/* left_off.h - when a thread left off working for an interval that another one went on with.
 *
 *   producer   |BEGIN==I==push|poll~~~~~~~~|BEGIN==J==...     its label I lasts until BEGIN J
 *   worker     ...==H==|        ^left off        |ENTER==I==...
 *
 * The label tells at the latest, and sooner, where the producer began to wait for work. Waits for
 * work are those that come before what a thread begins: the calls (by operation and site) that were
 * the last to block before one in LEFT_OFF_PART of its stretches of work, or more, of those that it
 * was blocked before, if these are LEFT_OFF_LEAST or more. Locks, joins and barriers are none. Both
 * numbers are chosen. Who let the taker start stands below the queue, as what it did meanwhile.
 *
 * Built once for a run and read by several threads; owns its array.
 */
#ifndef INTERVAL_LEFT_OFF_H
#define INTERVAL_LEFT_OFF_H

#include <stdint.h>

#include "interval/segment_index.h"
#include "trace/timeline.h"

enum {
    LEFT_OFF_PART = 4, /* one in so many */
    LEFT_OFF_LEAST = 8 /* of fewer stretches nothing is learned */
};

struct work_wait {
    uint32_t operation, site;
    uint32_t count; /* stretches of work that it was the last wait before */
};

struct work_waits {
    struct work_wait *items;
    uint32_t count, capacity;
};

struct left_off {
    const struct timelines *run;
    struct work_waits *threads; /* by thread */
};

void left_off_init(struct left_off *left, const struct timelines *run);
void left_off_release(struct left_off *left);

/* The thread of `segment` worked for its interval until the result at the latest, if `taker` began
 * to work for it at `time`; between the segment's begin and `time`. */
time_ns left_off_time(const struct left_off *left, const struct segment *segment, uint32_t taker,
                      time_ns time);

#endif
