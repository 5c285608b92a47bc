#include "variance/critical_path.h"

#include <pthread.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "interval/path_walk.h"
#include "symbol/waker_name.h"
#include "variance/attribution.h"
#include "variance/meanwhile.h"

/* A job that gets fewer intervals is not worth its thread. What is known of as many rows as are
 * ordered at a time stays in a near cache. */
enum { LEAST_INTERVALS = 500, ORDERED_ROWS = 1024, FETCHED_AHEAD = 8 };

/* One job's. */
struct walk {
    const struct timelines *run;
    struct path_walk path;
    struct attribution attribution;
    struct meanwhile meanwhile;
    uint32_t waiting, hand_over, unexplained; /* callees */
};

static void take_stretch(void *context, uint32_t thread, time_ns lo, time_ns hi)
{
    struct walk *walk = context;
    attribution_stretch(&walk->attribution, thread, lo, hi);
}

static uint32_t gap_node(struct walk *walk, const struct path_gap *gap)
{
    struct attribution *a = &walk->attribution;
    time_ns own = gap->came - gap->lo;
    switch (gap->kind) {
    case PATH_TASK:
        return attribution_gap(a, NODE_QUEUE, callee_of_pickup(a->callees, gap->pickup),
                               gap->pickup->creator_site, own);
    case PATH_HAND_OVER:
        return attribution_gap(a, NODE_QUEUE, walk->hand_over, 0, own);
    case PATH_AGAIN:
        break;
    }
    return attribution_gap(a, NODE_WAIT, walk->waiting, 0, own);
}

static void take_gap(void *context, const struct path_gap *gap)
{
    struct walk *walk = context;
    struct attribution *a = &walk->attribution;
    uint32_t node = gap_node(walk, gap);
    struct blame blame = {gap->thread, gap->came, gap->hi, node, 0, 0, 0};
    blame.waker = callee_of_unknown(a->callees, gap->thread);
    if (gap->came < gap->hi)
        meanwhile_tell(&walk->meanwhile, a, &blame, path_walk_idle_since(&walk->path));
}

static void take_rest(void *context, time_ns lo, time_ns hi)
{
    struct walk *walk = context;
    interval_table_leaf(walk->attribution.table, TABLE_ROOT, NODE_UNEXPLAINED, walk->unexplained, 0,
                        hi - lo);
}

static const struct path_visitor visitor = {take_stretch, take_gap, take_rest};

static void walk_interval(struct walk *walk, uint32_t index)
{
    const struct interval *interval = &walk->run->intervals[index];
    attribution_next_row(&walk->attribution, index);
    walk->attribution.table->probes.call_cost = walk->run->processes[interval->process].probe_cost;
    path_walk_interval(&walk->path, index);
}

static void walk_init(struct walk *walk, const struct timelines *run,
                      const struct segment_index *segments, const struct left_off *left,
                      struct interval_table *table, struct callee_table *callees)
{
    *walk = (struct walk){.run = run};
    path_walk_init(&walk->path, run, segments, left, &visitor, walk);
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
