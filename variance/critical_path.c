#include "variance/critical_path.h"

#include <pthread.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "symbol/waker_name.h"
#include "variance/attribution.h"
#include "variance/left_off.h"
#include "variance/meanwhile.h"
#include "variance/segment_index.h"

/* A job that gets fewer intervals is not worth its thread. What is known of as many rows as are
 * ordered at a time stays in a near cache. */
enum { LEAST_INTERVALS = 500, ORDERED_ROWS = 1024, FETCHED_AHEAD = 8, MOST_SEGMENTS = 64 };

struct walk {
    const struct timelines *run;
    const struct segment_index *segments;
    const struct left_off *left;
    struct attribution attribution;
    struct meanwhile meanwhile;
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

/* Nobody worked for the interval from the result on until the cursor's time. */
static time_ns idle_since(const struct walk *walk)
{
    const struct segment *last = segment_index_before(walk->segments, walk->interval, walk->time);
    return last ? last->end : INT64_MIN;
}

/* The cursor goes back to `time`, or to the begin; between them the thread was yet to come to the
 * interval. */
static void walk_gap(struct walk *walk, enum node_kind kind, uint32_t callee, uint32_t site,
                     time_ns time)
{
    time = later(time, walk->begin);
    if (time >= walk->time)
        return;
    time_ns first = walk->run->threads[walk->thread].first;
    time_ns from = first < time ? time : first < walk->time ? first : walk->time;
    uint32_t node = attribution_gap(&walk->attribution, kind, callee, site, from - time);
    struct blame blame = {walk->thread, from, walk->time, node, 0, 0, 0};
    blame.waker = callee_of_unknown(walk->attribution.callees, walk->thread);
    if (from < walk->time)
        meanwhile_tell(&walk->meanwhile, &walk->attribution, &blame, idle_since(walk));
    walk->time = time;
}

static void walk_unexplained(struct walk *walk)
{
    interval_table_leaf(walk->attribution.table, TABLE_ROOT, NODE_UNEXPLAINED, walk->unexplained, 0,
                        walk->time - walk->begin);
    walk->time = walk->begin;
}

static void walk_stretch(struct walk *walk, time_ns time)
{
    time = later(time, walk->begin);
    if (time >= walk->time)
        return;
    attribution_stretch(&walk->attribution, walk->thread, time, walk->time);
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
    walk_gap(walk, NODE_QUEUE, queue, pickup->creator_site, pickup->creation_time);
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

/* Looks for a segment that was worked in longer than the one found, whose thread left off before
 * its label says; of many it is the one found. */
static const struct segment *left_last(const struct walk *walk, const struct segment *found,
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
static void walk_hand_over(struct walk *walk, const struct segment *segment)
{
    time_ns left = left_off_time(walk->left, segment, walk->thread, walk->time);
    if (left < segment->end && left < walk->time)
        segment = left_last(walk, segment, &left);
    if (left < walk->time)
        walk_gap(walk, NODE_QUEUE, walk->hand_over, 0, left);
    walk->thread = segment->thread;
}

static void walk_step(struct walk *walk)
{
    const struct segment *segment =
        segment_index_on_thread(walk->segments, walk->interval, walk->thread, walk->time);
    if (segment && segment->end >= walk->time) {
        walk_segment(walk, segment);
    } else if (segment) {
        walk_gap(walk, NODE_WAIT, walk->waiting, 0, segment->end);
    } else if ((segment = segment_index_before(walk->segments, walk->interval, walk->time))) {
        walk_hand_over(walk, segment);
    } else {
        walk_unexplained(walk);
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
    walk->attribution.table->probes.call_cost = walk->run->processes[interval->process].probe_cost;
    while (walk->time > walk->begin)
        walk_step(walk);
}

static void walk_init(struct walk *walk, const struct timelines *run,
                      const struct segment_index *segments, const struct left_off *left,
                      struct interval_table *table, struct callee_table *callees)
{
    *walk = (struct walk){.run = run, .segments = segments, .left = left};
    attribution_init(&walk->attribution, run, callees, table);
    meanwhile_init(&walk->meanwhile, run, callees);
    walk->waiting = callee_of_wait(callees, WAIT_FOR_THREAD);
    walk->hand_over = callee_of_wait(callees, WAIT_HAND_OVER);
    walk->unexplained = callee_named(callees, "unexplained");
    table->probes.callee = callee_named(callees, "[probes]");
    for (uint32_t p = 0; p < run->process_count; p++)
        table->probes.any |= run->processes[p].probe_cost > 0;
}

/* All jobs have these in common. */
struct filling {
    const struct timelines *run;
    const struct row_list *rows;
    double tail_ns;
    const struct segment_index *segments;
    const struct left_off *left;
    struct path_job *jobs;
    pthread_mutex_t lock; /* of what follows: where the rows begin that no job has taken */
    uint32_t block;
    size_t row;
};

/* A job has what one thread adds up, whichever rows it took. */
struct path_job {
    _Alignas(64) struct callee_table callees; /* no line of memory is two jobs' */
    struct interval_table table;
};

/* A piece is some rows of a block. */
struct row_piece {
    uint32_t block, count;
    size_t begin;
};

/* The result is false if there are no more. A processor that is slower, or gets the dearer rows,
 * does fewer. */
static bool take_piece(struct filling *filling, struct row_piece *piece)
{
    pthread_mutex_lock(&filling->lock);
    while (filling->block < filling->rows->blocks &&
           filling->row == row_list_block(filling->rows, filling->block + 1))
        filling->block++;
    bool any = filling->block < filling->rows->blocks;
    size_t left = any ? row_list_block(filling->rows, filling->block + 1) - filling->row : 0;
    uint32_t count = left < ORDERED_ROWS ? (uint32_t)left : ORDERED_ROWS;
    *piece = (struct row_piece){filling->block, count, filling->row};
    filling->row += count;
    pthread_mutex_unlock(&filling->lock);
    return any;
}

static void fill_row(struct walk *walk, const struct filling *filling, uint32_t row)
{
    struct interval_table *table = walk->attribution.table;
    uint32_t index = filling->rows->intervals[row];
    time_ns latency = row_list_latency(filling->rows, filling->run, row);
    walk_interval(walk, index);
    interval_table_close(table, latency, (double)latency >= filling->tail_ns);
}

/* The rows are taken by the thread that they end on: what lies side by side in a log is read side
 * by side. Their sums are the same in any order. */
struct row_order {
    uint32_t rows[ORDERED_ROWS];
    uint32_t *first; /* by thread */
};

static void order_rows(struct row_order *order, const struct filling *filling, size_t begin,
                       uint32_t count)
{
    const struct timelines *run = filling->run;
    const uint32_t *intervals = filling->rows->intervals + begin;
    uint32_t *first = order->first;
    memset(first, 0, sizeof *first * ((size_t)run->thread_count + 1));
    for (uint32_t i = 0; i < count; i++) {
        first[run->intervals[intervals[i]].end_thread + 1]++;
        segment_index_fetch(filling->segments, intervals[i]);
    }
    for (uint32_t t = 0; t < run->thread_count; t++)
        first[t + 1] += first[t];
    for (uint32_t i = 0; i < count; i++)
        order->rows[first[run->intervals[intervals[i]].end_thread]++] = (uint32_t)begin + i;
}

static void fetch_row(const struct filling *filling, uint32_t row)
{
    uint32_t interval = filling->rows->intervals[row];
    __builtin_prefetch(&filling->run->intervals[interval]);
    segment_index_fetch(filling->segments, interval);
}

static void fill_piece(struct walk *walk, const struct filling *filling, struct row_order *order,
                       const struct row_piece *piece)
{
    struct path_sums *sums = &walk->attribution.table->sums;
    if (sums->block != piece->block)
        path_sums_begin(sums, piece->block);
    order_rows(order, filling, piece->begin, piece->count);
    for (uint32_t i = 0; i < piece->count; i++) {
        fetch_row(filling, order->rows[i + FETCHED_AHEAD < piece->count ? i + FETCHED_AHEAD : i]);
        fill_row(walk, filling, order->rows[i]);
    }
}

static void fill_table(void *context, uint32_t number)
{
    struct filling *filling = context;
    struct path_job *job = &filling->jobs[number];
    struct row_piece piece;
    struct row_order order;
    struct walk walk;
    order.first = memory_alloc(sizeof *order.first * ((size_t)filling->run->thread_count + 1));
    walk_init(&walk, filling->run, filling->segments, filling->left, &job->table, &job->callees);
    while (take_piece(filling, &piece))
        fill_piece(&walk, filling, &order, &piece);
    interval_table_finish(&job->table);
    meanwhile_release(&walk.meanwhile);
    attribution_release(&walk.attribution);
    memory_free(order.first);
}

static void join_job(struct interval_table *table, struct callee_table *callees,
                     struct path_job *job)
{
    uint32_t *callee_of = callee_table_join(callees, &job->callees);
    interval_table_join(table, &job->table, callee_of);
    memory_free(callee_of);
    interval_table_release(&job->table);
    callee_table_release(&job->callees);
}

void critical_path_fill(struct interval_table *table, const struct timelines *run,
                        const struct segment_index *segments, const struct row_list *rows,
                        double tail_ns, struct callee_table *callees)
{
    struct path_job jobs[PARALLEL_MOST];
    struct left_off left;
    struct filling filling = {.run = run,
                              .rows = rows,
                              .tail_ns = tail_ns,
                              .segments = segments,
                              .left = &left,
                              .jobs = jobs,
                              .lock = PTHREAD_MUTEX_INITIALIZER};
    uint32_t count = parallel_jobs(rows->count / LEAST_INTERVALS);
    left_off_init(&left, run);
    for (uint32_t i = 0; i < count; i++) {
        callee_table_init_part(&jobs[i].callees, callees);
        interval_table_init(&jobs[i].table, &jobs[i].callees);
    }
    parallel_run(count, fill_table, &filling);
    for (uint32_t i = 0; i < count; i++)
        join_job(table, callees, &jobs[i]);
    left_off_release(&left);
    pthread_mutex_destroy(&filling.lock);
}

void critical_path_visit(struct interval_table *table, const struct timelines *run,
                         const struct row_list *rows, struct callee_table *callees,
                         void (*take)(void *context, uint64_t row), void *context)
{
    struct segment_index segments;
    struct left_off left;
    struct walk walk;
    segment_index_init(&segments, run);
    left_off_init(&left, run);
    walk_init(&walk, run, &segments, &left, table, callees);
    for (size_t r = 0; r < rows->count; r++) {
        walk_interval(&walk, rows->intervals[r]);
        interval_table_list(table, row_list_latency(rows, run, r));
        take(context, r);
    }
    meanwhile_release(&walk.meanwhile);
    attribution_release(&walk.attribution);
    segment_index_release(&segments);
    left_off_release(&left);
}
