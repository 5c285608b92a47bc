/* request_print < CASES, or request_print FOLDER [threads|processes] - which requests follow from hits.
 *
 * Cases are lines: "pairs|spans|descriptors BY_VALUE UNTIL", then "hit TIME THREAD PROCESS ROLE VALUE SECOND"
 * and "loss FROM UNTIL", then "done". Answers: "request BEGIN END BEGIN_THREAD END_THREAD ID FATE" and "work
 * FROM TO THREAD REQUEST", "unbegun N", "done".
 * Of a run's folder: its intervals, and what its threads worked for when, one JSON object a line. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stacks/request_descriptor.h"
#include "stacks/request_fill.h"
#include "stacks/request_pair.h"
#include "stacks/request_span.h"
#include "timeline_check.h"
#include "trace/timeline_load.h"

/* ---- cases ---- */

struct one {
    char kind[16];
    struct request_hits hits;
    struct request_hit *items;
    size_t count, capacity;
    struct point_loss *losses;
    size_t loss_count, loss_capacity;
};

static void answer(struct one *one)
{
    struct found_requests list = {0};
    one->hits.items = one->items;
    one->hits.count = one->count;
    if (strcmp(one->kind, "pairs") == 0)
        request_pairs_find(&list, &one->hits);
    else if (strcmp(one->kind, "spans") == 0)
        request_spans_find(&list, &one->hits);
    else
        request_descriptors_find(&list, &one->hits);
    found_requests_doubt(&list, one->losses, one->loss_count);
    for (size_t i = 0; i < list.count; i++)
        printf("request %" PRId64 " %" PRId64 " %u %u %" PRIu64 " %u\n", list.items[i].begin,
               list.items[i].end, list.items[i].begin_thread, list.items[i].end_thread,
               list.items[i].id, list.items[i].fate);
    for (size_t i = 0; i < list.work_count; i++)
        printf("work %" PRId64 " %" PRId64 " %u %u\n", list.works[i].from, list.works[i].to,
               list.works[i].thread, list.works[i].request);
    printf("unbegun %" PRIu64 "\ndone\n", list.unbegun);
    found_requests_release(&list);
}

static void read_line(struct one *one, const char *line)
{
    struct request_hit hit;
    struct point_loss loss = {.hits = 1};
    int by_value;
    if (sscanf(line, "hit %" SCNd64 " %u %u %hhu %" SCNu64 " %" SCNu64, &hit.time, &hit.thread,
               &hit.process, &hit.role, &hit.value, &hit.second) == 6)
        VEC_PUSH(one->items, one->count, one->capacity) = hit;
    else if (sscanf(line, "loss %" SCNd64 " %" SCNd64, &loss.from, &loss.until) == 2)
        VEC_PUSH(one->losses, one->loss_count, one->loss_capacity) = loss;
    else if (strcmp(line, "done\n") == 0)
        answer(one);
    else if (sscanf(line, "%15s %d %" SCNd64, one->kind, &by_value, &one->hits.until) == 3) {
        one->hits.by_value = by_value;
        one->count = one->loss_count = 0;
    }
}

static void answer_all(void)
{
    struct one one = {.kind = ""};
    char line[256];
    while (fgets(line, sizeof line, stdin))
        read_line(&one, line);
    memory_free(one.items);
    memory_free(one.losses);
}

/* ---- a run ---- */

static void print_interval(const struct timelines *run, const struct interval *interval)
{
    const struct timeline_thread *begin = &run->threads[interval->begin_thread],
                                 *end = &run->threads[interval->end_thread];
    printf("{\"interval\": \"%s\", \"id\": %" PRIu64 ", \"begin\": %" PRId64 ", \"end\": %" PRId64
           ", \"complete\": %d, \"begin_tid\": %u, \"end_tid\": %u, \"pid\": %u}\n",
           interval->type, interval->id, interval->begin, interval->end, interval->complete,
           begin->tid, end->tid, run->processes[interval->process].pid);
}

static void print_thread(const struct timeline_thread *thread)
{
    for (uint32_t i = 0; i < thread->label_count; i++)
        printf("{\"label\": %" PRId64 ", \"tid\": %u, \"interval\": %" PRId64 "}\n",
               thread->labels[i].time, thread->tid,
               thread->labels[i].interval == INTERVAL_NONE ? -1
                                                           : (int64_t)thread->labels[i].interval);
    printf("{\"thread\": %u, \"name\": \"%s\", \"first\": %" PRId64 ", \"last\": %" PRId64
           ", \"blocks\": %u, \"offs\": %u}\n",
           thread->tid, thread->name, thread->first, thread->last, thread->block_count,
           thread->off_count);
}

static int print_run(const char *folder, const char *whole)
{
    struct timelines run;
    struct error error;
    struct request_totals totals = {0};
    if (!timelines_open(&run, folder, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    if (whole)
        requests_fill_whole(&run, strcmp(whole, "processes") == 0);
    else
        requests_fill(&run, &totals);
    const char *fault = timeline_check(&run);
    for (uint32_t i = 0; i < run.interval_count; i++)
        print_interval(&run, &run.intervals[i]);
    for (uint32_t i = 0; i < run.thread_count; i++)
        print_thread(&run.threads[i]);
    printf("{\"fates\": [");
    for (int i = 0; i < REQUEST_FATES; i++)
        printf("%s%" PRIu64, i ? ", " : "", totals.fates[i]);
    printf("], \"unbegun\": %" PRIu64 ", \"unknown\": %" PRIu64 ", \"lost\": %" PRIu64
           ", \"fault\": \"%s\"}\n",
           totals.unbegun, totals.unknown, totals.lost, fault ? fault : "");
    timelines_release(&run);
    return fault != NULL;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return print_run(argv[1], argc > 2 ? argv[2] : NULL);
    answer_all();
    return 0;
}
