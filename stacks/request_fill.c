#include "stacks/request_fill.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stacks/request_descriptor.h"
#include "stacks/request_pair.h"
#include "stacks/request_set.h"
#include "stacks/request_span.h"

#include "stacks/task_thread.h"
#include "trace/thread_index.h"
#include "trace/watched_interval.h"

/* The hits of one wish, and what they are. */
struct wish_hits {
    struct request_hit *items;
    size_t count, capacity;
    bool by_value;
    uint8_t role; /* of its first point */
    const char *type;
};

struct filling {
    struct timelines *run;
    struct wish_hits *wishes; /* by number - 1 */
    struct point_loss *losses;
    size_t loss_count;
    struct request_set set;
};

/* ---- the hits of each wish ---- */

static bool is_of_call(uint8_t role)
{
    return role >= TRACE_POINT_READ && role <= TRACE_POINT_POLL;
}

/* Those are no requests: proof.h. */
static bool is_measured(uint8_t role)
{
    return role == TRACE_POINT_CALLED || role == TRACE_POINT_RETURNED;
}

static void name_wishes(struct filling *f)
{
    const struct point_hits *hits = f->run->point_hits;
    for (uint32_t i = 0; i < hits->point_count; i++) {
        const struct point *point = &hits->points[i];
        struct wish_hits *wish = &f->wishes[point->wish - 1];
        if (wish->type || is_measured(point->role))
            continue;
        wish->role = point->role;
        wish->by_value = point->by_value;
        wish->type = is_of_call(point->role) ? "socket" : point->name;
    }
}

/* A hit whose value is not known may be of any request: it is as good as lost. */
static void sort_hits(struct filling *f, struct request_totals *totals)
{
    const struct point_hits *hits = f->run->point_hits;
    struct thread_index index;
    thread_index_init(&index, f->run);
    for (size_t i = 0; i < hits->count; i++) {
        const struct point_hit *hit = &hits->items[i];
        const struct point *point = &hits->points[hit->point];
        struct wish_hits *wish = &f->wishes[point->wish - 1];
        if (is_measured(point->role))
            continue;
        uint32_t thread = thread_index_find(&index, hit->pid, hit->tid, hit->time);
        if (hit->unknown && wish->by_value) {
            f->losses[f->loss_count++] = (struct point_loss){hit->time, hit->time, 1};
            totals->unknown++;
        } else {
            VEC_PUSH(wish->items, wish->count, wish->capacity) =
                (struct request_hit){.time = hit->time,
                                     .thread = thread,
                                     .process = f->run->threads[thread].process,
                                     .role = point->role,
                                     .value = hit->value,
                                     .second = hit->second};
        }
    }
    thread_index_release(&index);
}

static int by_end(const void *a, const void *b)
{
    const struct point_loss *p = a, *q = b;
    return p->until < q->until ? -1 : p->until > q->until;
}

static void gather_losses(struct filling *f, struct request_totals *totals)
{
    const struct point_hits *hits = f->run->point_hits;
    f->losses = memory_alloc((hits->loss_count + hits->count + 1) * sizeof *f->losses);
    for (size_t i = 0; i < hits->loss_count; i++) {
        f->losses[f->loss_count++] = hits->losses[i];
        totals->lost += hits->losses[i].hits;
    }
}

/* ---- its requests ---- */

/* The end of the recording that the wish was of: the first one behind its last hit. */
static time_ns until_of(const struct point_hits *hits, const struct wish_hits *wish)
{
    time_ns last = wish->count ? wish->items[wish->count - 1].time : 0, until = INT64_MAX;
    for (uint32_t i = 0; i < hits->time_count; i++)
        if (hits->times[i].until >= last && hits->times[i].until < until)
            until = hits->times[i].until;
    return until == INT64_MAX ? last : until;
}

static void find_requests(struct found_requests *list, const struct wish_hits *wish, time_ns until)
{
    struct request_hits hits = {
        .items = wish->items, .count = wish->count, .by_value = wish->by_value, .until = until};
    if (is_of_call(wish->role))
        request_descriptors_find(list, &hits);
    else if (wish->role == TRACE_POINT_BEGIN || wish->role == TRACE_POINT_END)
        request_spans_find(list, &hits);
    else
        request_pairs_find(list, &hits);
}

static void fill_wish(struct filling *f, const struct wish_hits *wish,
                      struct request_totals *totals)
{
    struct found_requests list = {0};
    find_requests(&list, wish, until_of(f->run->point_hits, wish));
    found_requests_doubt(&list, f->losses, f->loss_count);
    for (size_t i = 0; i < list.count; i++)
        totals->fates[list.items[i].fate]++;
    totals->unbegun += list.unbegun;
    request_set_add(&f->set, &list, wish->type, &f->run->arena);
    found_requests_release(&list);
}

void requests_fill(struct timelines *run, struct request_totals *totals)
{
    struct filling f = {.run = run};
    *totals = (struct request_totals){0};
    task_threads_make(run);
    if (!run->point_hits)
        return;
    uint32_t wishes = run->point_hits->wish_count;
    f.wishes = memory_zeroed((wishes + 1) * sizeof *f.wishes);
    name_wishes(&f);
    gather_losses(&f, totals);
    sort_hits(&f, totals);
    if (f.loss_count)
        qsort(f.losses, f.loss_count, sizeof *f.losses, by_end);
    for (uint32_t i = 0; i < wishes; i++)
        if (f.wishes[i].type)
            fill_wish(&f, &f.wishes[i], totals);
    request_set_fill(&f.set, run);
    run->intervals_outside +=
        (uint32_t)(totals->fates[REQUEST_CUT] + totals->fates[REQUEST_DOUBTFUL]);
    watched_intervals_keep(run, WATCHED_FEWEST);
    for (uint32_t i = 0; i < wishes; i++)
        memory_free(f.wishes[i].items);
    memory_free(f.wishes);
    memory_free(f.losses);
}

/* ---- the whole run ---- */

static void add_whole(struct found_requests *list, const struct timelines *run, uint32_t thread)
{
    const struct timeline_thread *t = &run->threads[thread];
    struct request_hit hit = {.time = t->first, .thread = thread};
    if (!list->count)
        found_requests_begin(list, &hit, t->tid);
    struct request *whole = &list->items[0];
    if (t->first < whole->begin) {
        whole->begin = t->first;
        whole->begin_thread = thread;
    }
    found_requests_end(list, 0, t->last > whole->end ? t->last : whole->end,
                       t->last > whole->end ? thread : whole->end_thread, REQUEST_COMPLETE);
    found_requests_work(list, 0, thread, t->first, t->last);
}

static const char *program_of(const struct timelines *run, uint32_t process)
{
    const char *program = run->processes[process].program;
    const char *slash = program ? strrchr(program, '/') : NULL;
    return slash ? slash + 1 : program && *program ? program : "process";
}

uint32_t requests_fill_whole(struct timelines *run, bool of_processes)
{
    struct request_set set = {0};
    task_threads_make(run);
    uint32_t wholes = of_processes ? run->process_count : run->thread_count, count = 0;
    for (uint32_t w = 0; w < wholes; w++) {
        struct found_requests list = {0};
        for (uint32_t i = 0; i < run->thread_count; i++)
            if ((of_processes ? run->threads[i].process : i) == w)
                add_whole(&list, run, i);
        count += (uint32_t)list.count;
        request_set_add(&set, &list, of_processes ? program_of(run, w) : "thread", &run->arena);
        found_requests_release(&list);
    }
    request_set_fill(&set, run);
    return count;
}
