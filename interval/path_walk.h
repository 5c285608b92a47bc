/* path_walk.h - back from the end of an interval to its begin: whose time each part of it was.
 *
 *   thread 0  |begin==I==push|
 *   thread 1      |==H=======|~queue~|pop==I=============I==end|
 *                            gap     stretch
 *
 * A cursor (thread, time) goes backwards from (end thread, end); each turn it
 *   1. goes over the stretch of the thread that is labelled with the interval and reaches the time;
 *   2. there follows the task that the thread had picked up to its creator: a gap, in the queue;
 *   3. else goes to the thread's last segment of the interval: a gap, until it came back to it;
 *   4. else to the interval's segment on any thread that was worked in last (left_off.h), which
 *      handed it over through a queue that is not declared: a gap;
 *   5. else the rest is unexplained.
 * The visitor is told of each part, from the latest to the earliest; none is empty, and together
 * they are the interval. (VProfiler, EuroSys'17, Algorithm 2, made exact.)
 */
#ifndef INTERVAL_PATH_WALK_H
#define INTERVAL_PATH_WALK_H

#include "interval/left_off.h"
#include "interval/segment_index.h"

enum path_gap_kind {
    PATH_AGAIN,    /* the thread had worked for it before, and came back */
    PATH_TASK,     /* it was put into a queue, as the trace tells */
    PATH_HAND_OVER /* another thread had it before, and how it came here is not known */
};

/* The interval waited for `thread` to come to it: the thread began at `came`, or was there before
 * and did something else from then on. */
struct path_gap {
    enum path_gap_kind kind;
    uint32_t thread;
    time_ns lo, came, hi;
    const struct pickup *pickup; /* of PATH_TASK */
};

struct path_visitor {
    void (*stretch)(void *context, uint32_t thread, time_ns lo, time_ns hi);
    void (*gap)(void *context, const struct path_gap *gap);
    void (*rest)(void *context, time_ns lo, time_ns hi); /* unexplained */
};

struct path_walk {
    const struct timelines *run;
    const struct segment_index *segments;
    const struct left_off *left;
    const struct path_visitor *visitor;
    void *context;
    uint32_t interval; /* of this walk */
    time_ns begin;
    uint32_t thread; /* the cursor */
    time_ns time;
};

/* Borrows everything. */
void path_walk_init(struct path_walk *walk, const struct timelines *run,
                    const struct segment_index *segments, const struct left_off *left,
                    const struct path_visitor *visitor, void *context);
void path_walk_interval(struct path_walk *walk, uint32_t interval);
/* Within a gap: nobody worked for the interval from the result on until the gap's end. */
time_ns path_walk_idle_since(const struct path_walk *walk);

#endif
