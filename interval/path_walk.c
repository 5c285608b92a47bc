#include "interval/path_walk.h"

#include <stddef.h>

enum { MOST_SEGMENTS = 64 };

void path_walk_init(struct path_walk *walk, const struct timelines *run,
                    const struct segment_index *segments, const struct left_off *left,
                    const struct path_visitor *visitor, void *context)
{
    *walk = (struct path_walk){
        .run = run, .segments = segments, .left = left, .visitor = visitor, .context = context};
}

static time_ns later(time_ns a, time_ns b)
{
    return a > b ? a : b;
}

time_ns path_walk_idle_since(const struct path_walk *walk)
{
    const struct segment *last = segment_index_before(walk->segments, walk->interval, walk->time);
    return last ? last->end : INT64_MIN;
}

/* The cursor goes back to `time`, or to the begin; between them the thread was yet to come to the
 * interval. */
static void walk_gap(struct path_walk *walk, enum path_gap_kind kind, const struct pickup *pickup,
                     time_ns time)
{
    time = later(time, walk->begin);
    if (time >= walk->time)
        return;
    time_ns first = walk->run->threads[walk->thread].first;
    time_ns came = first < time ? time : first < walk->time ? first : walk->time;
    struct path_gap gap = {kind, walk->thread, time, came, walk->time, pickup};
    walk->visitor->gap(walk->context, &gap);
    walk->time = time;
}

static void walk_unexplained(struct path_walk *walk)
{
    walk->visitor->rest(walk->context, walk->begin, walk->time);
    walk->time = walk->begin;
}

static void walk_stretch(struct path_walk *walk, time_ns time)
{
    time = later(time, walk->begin);
    if (time >= walk->time)
        return;
    walk->visitor->stretch(walk->context, walk->thread, time, walk->time);
    walk->time = time;
}

/* The result is the last pickup at or before `time`, or NULL. */
static const struct pickup *pickup_before(const struct timeline_thread *thread, time_ns time)
{
    uint32_t low = 0, high = thread->pickup_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (thread->pickups[middle].time <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &thread->pickups[low - 1] : NULL;
}

/* The last label before `label` that makes a segment, or -1. */
static int64_t previous_segment(const struct timeline_thread *thread, uint32_t label)
{
    for (int64_t i = (int64_t)label - 1; i >= 0; i--)
        if (thread->labels[i].interval != INTERVAL_NONE &&
            thread->labels[i].time < thread->labels[i + 1].time)
            return i;
    return -1;
}

static bool creator_worked_for(const struct path_walk *walk, const struct pickup *pickup)
{
    const struct timeline_thread *creator = &walk->run->threads[pickup->creator];
    int64_t label = timeline_label_at(creator, pickup->creation_time);
    return label >= 0 && creator->labels[label].interval == walk->interval;
}

/* The task with which the segment of `label` began, or NULL: picked up after the thread's previous
 * segment. A loop that never leaves an interval (pop, SI_ENTER, pop, SI_ENTER) picks it up within
 * the previous one; then the creator must have been at work for this interval. */
static const struct pickup *pickup_of_segment(const struct path_walk *walk, uint32_t label)
{
    const struct timeline_thread *thread = &walk->run->threads[walk->thread];
    const struct pickup *pickup = pickup_before(thread, thread->labels[label].time);
    if (!pickup || pickup->creator == THREAD_NONE)
        return NULL;
    int64_t previous = previous_segment(thread, label);
    if (previous < 0 || pickup->time >= thread->labels[previous + 1].time)
        return pickup;
    bool within = pickup->time >= thread->labels[previous].time &&
                  thread->labels[previous].interval != walk->interval;
    return within && creator_worked_for(walk, pickup) ? pickup : NULL;
}

static void walk_pickup(struct path_walk *walk, const struct pickup *pickup)
{
    walk_stretch(walk, pickup->time);
    walk_gap(walk, PATH_TASK, pickup, pickup->creation_time);
    walk->thread = pickup->creator;
}

static void walk_segment(struct path_walk *walk, const struct segment *segment)
{
    walk_stretch(walk, segment->begin);
    if (walk->time == walk->begin)
        return;
    const struct pickup *pickup = pickup_of_segment(walk, segment->label);
    if (pickup)
        walk_pickup(walk, pickup);
}

/* Looks for a segment that was worked in longer than the one found, whose thread left off before
 * its label says; of many it is the one found. */
static const struct segment *left_last(const struct path_walk *walk, const struct segment *found,
                                       time_ns *left)
{
    uint32_t count;
    const struct segment *all = segment_index_all(walk->segments, walk->interval, &count);
    for (uint32_t i = 0; i < count && count <= MOST_SEGMENTS; i++) {
        if (all[i].begin >= walk->time)
            continue;
        time_ns end = left_off_time(walk->left, &all[i], walk->thread, walk->time);
        if (end < *left || (end == *left && all[i].begin <= found->begin))
            continue;
        found = &all[i];
        *left = end;
    }
    return found;
}

/* Another thread had the interval before this one came to it. */
static void walk_hand_over(struct path_walk *walk, const struct segment *segment)
{
    time_ns left = left_off_time(walk->left, segment, walk->thread, walk->time);
    if (left < segment->end && left < walk->time)
        segment = left_last(walk, segment, &left);
    if (left < walk->time)
        walk_gap(walk, PATH_HAND_OVER, NULL, left);
    walk->thread = segment->thread;
}

static void walk_step(struct path_walk *walk)
{
    const struct segment *segment =
        segment_index_on_thread(walk->segments, walk->interval, walk->thread, walk->time);
    if (segment && segment->end >= walk->time) {
        walk_segment(walk, segment);
    } else if (segment) {
        walk_gap(walk, PATH_AGAIN, NULL, segment->end);
    } else if ((segment = segment_index_before(walk->segments, walk->interval, walk->time))) {
        walk_hand_over(walk, segment);
    } else {
        walk_unexplained(walk);
    }
}

void path_walk_interval(struct path_walk *walk, uint32_t interval)
{
    const struct interval *walked = &walk->run->intervals[interval];
    walk->interval = interval;
    walk->begin = walked->begin;
    walk->thread = walked->end_thread;
    walk->time = walked->end;
    while (walk->time > walk->begin)
        walk_step(walk);
}
