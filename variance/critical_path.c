#include "variance/critical_path.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "variance/attribution.h"
#include "variance/segment_index.h"

/* A job that gets fewer is not worth its thread. Parts: a processor that is slower, or has the
 * dearer intervals, does fewer of them. */
enum { LEAST_INTERVALS = 500, PARTS_OF_JOB = 4 };

struct walk {
    const struct timelines *run;
    const struct segment_index *segments;
    struct attribution attribution;
    uint32_t waiting, hand_over, unexplained; /* callees */
    uint32_t interval;                        /* of this walk */
    time_ns begin;
    uint32_t thread; /* the cursor */
    time_ns time;
};

static time_ns later(time_ns a, time_ns b)
{
    return a > b ? a : b;
}

/* The cursor goes back to `time`, or to the begin; what lies between is one leaf. */
static void walk_leaf(struct walk *walk, enum node_kind kind, uint32_t callee, uint32_t site,
                      time_ns time)
{
    time = later(time, walk->begin);
    if (time >= walk->time)
        return;
    attribution_leaf(&walk->attribution, kind, callee, site, walk->time - time);
    walk->time = time;
}

static void walk_stretch(struct walk *walk, time_ns time)
{
    time = later(time, walk->begin);
    if (time >= walk->time)
        return;
    attribution_stretch(&walk->attribution, walk->thread, time, walk->time);
    walk->time = time;
}

/* The last pickup at or before `time`, or NULL. */
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

static bool creator_worked_for(const struct walk *walk, const struct pickup *pickup)
{
    const struct timeline_thread *creator = &walk->run->threads[pickup->creator];
    int64_t label = timeline_label_at(creator, pickup->creation_time);
    return label >= 0 && creator->labels[label].interval == walk->interval;
}

/* The task with which the segment of `label` began, or NULL: picked up after the thread's previous
 * segment. A loop that never leaves an interval (pop, SI_ENTER, pop, SI_ENTER) picks it up within
 * the previous one; then the creator must have been at work for this interval. */
static const struct pickup *pickup_of_segment(const struct walk *walk, uint32_t label)
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

static void walk_pickup(struct walk *walk, const struct pickup *pickup)
{
    walk_stretch(walk, pickup->time);
    uint32_t queue = callee_of_pickup(walk->attribution.callees, pickup);
    walk_leaf(walk, NODE_QUEUE, queue, pickup->creator_site, pickup->creation_time);
    walk->thread = pickup->creator;
}

static void walk_segment(struct walk *walk, const struct segment *segment)
{
    walk_stretch(walk, segment->begin);
    if (walk->time == walk->begin)
        return;
    const struct pickup *pickup = pickup_of_segment(walk, segment->label);
    if (pickup)
        walk_pickup(walk, pickup);
}

static void walk_step(struct walk *walk)
{
    const struct segment *segment =
        segment_index_on_thread(walk->segments, walk->interval, walk->thread, walk->time);
    if (segment && segment->end >= walk->time) {
        walk_segment(walk, segment);
    } else if (segment) {
        walk_leaf(walk, NODE_WAIT, walk->waiting, 0, segment->end);
    } else if ((segment = segment_index_before(walk->segments, walk->interval, walk->time))) {
        if (segment->end < walk->time)
            walk_leaf(walk, NODE_WAIT, walk->hand_over, 0, segment->end);
        walk->thread = segment->thread;
    } else {
        walk_leaf(walk, NODE_UNEXPLAINED, walk->unexplained, 0, walk->begin);
    }
}

static void walk_interval(struct walk *walk, uint32_t index)
{
    const struct interval *interval = &walk->run->intervals[index];
    walk->interval = index;
    walk->begin = interval->begin;
    walk->thread = interval->end_thread;
    walk->time = interval->end;
    attribution_next_row(&walk->attribution, index);
    while (walk->time > walk->begin)
        walk_step(walk);
    if (interval_table_close(walk->attribution.table, index) != interval->end - interval->begin)
        BUG("the times on a critical path do not sum to the interval's latency");
}

/* What one task fills: the rows of the intervals from `first` up to `end`. */
struct path_part {
    _Alignas(64) const struct timelines *run; /* no line of memory is two tasks' */
    const struct segment_index *segments;
    uint32_t first, end;
    struct callee_table callees;
    struct interval_table table;
};

static void fill_part(void *context, uint32_t task)
{
    struct path_part *part = (struct path_part *)context + task;
    const struct interval *intervals = part->run->intervals;
    struct walk walk = {.run = part->run, .segments = part->segments};
    attribution_init(&walk.attribution, part->run, &part->callees, &part->table);
    walk.waiting = callee_named(&part->callees, "waiting");
    walk.hand_over = callee_named(&part->callees, "hand-over");
    walk.unexplained = callee_named(&part->callees, "unexplained");
    for (uint32_t i = part->first; i < part->end; i++)
        if (intervals[i].complete && intervals[i].end >= intervals[i].begin)
            walk_interval(&walk, i);
    attribution_release(&walk.attribution);
}

static void join_part(struct interval_table *table, struct callee_table *callees,
                      struct path_part *part)
{
    uint32_t *callee_of = callee_table_join(callees, &part->callees);
    interval_table_join(table, &part->table, callee_of);
    memory_free(callee_of);
    interval_table_release(&part->table);
    callee_table_release(&part->callees);
}

void critical_path_fill(struct interval_table *table, const struct timelines *run,
                        struct callee_table *callees)
{
    struct segment_index segments;
    struct path_part parts[PARALLEL_MOST * PARTS_OF_JOB];
    uint32_t jobs = parallel_jobs(run->interval_count / LEAST_INTERVALS);
    uint32_t count = jobs == 1 ? 1 : jobs * PARTS_OF_JOB;
    segment_index_init(&segments, run);
    for (uint32_t i = 0; i < count; i++) {
        parts[i] =
            (struct path_part){.run = run,
                               .segments = &segments,
                               .first = (uint32_t)parallel_share(run->interval_count, count, i),
                               .end = (uint32_t)parallel_share(run->interval_count, count, i + 1)};
        callee_table_init(&parts[i].callees, run, callees->table);
        interval_table_init(&parts[i].table);
    }
    parallel_each(count, fill_part, parts);
    for (uint32_t i = 0; i < count; i++)
        join_part(table, callees, &parts[i]);
    segment_index_release(&segments);
}
