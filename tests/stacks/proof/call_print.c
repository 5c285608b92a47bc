/* call_print < CASES - which calls follow from hits.
 *
 * Cases are lines: "calls AGAIN FROM UNTIL", then "hit TIME THREAD called|returned STACK" and "loss FROM UNTIL",
 * then "done". Answers: "call BEGIN END THREAD DEPTH FATE" for each, "deepest N", "done". */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "stacks/measured_call.h"

struct one {
    struct request_hits hits;
    struct request_hit *items;
    size_t count, capacity;
    struct point_loss *losses;
    size_t loss_count, loss_capacity;
};

static void answer(struct one *one)
{
    struct measured_calls calls = {0};
    one->hits.items = one->items;
    one->hits.count = one->count;
    measured_calls_find(&calls, &one->hits);
    measured_calls_doubt(&calls, one->losses, one->loss_count);
    for (size_t i = 0; i < calls.count; i++)
        printf("call %" PRId64 " %" PRId64 " %u %u %u\n", calls.items[i].begin, calls.items[i].end,
               calls.items[i].thread, calls.items[i].depth, calls.items[i].fate);
    printf("deepest %u\ndone\n", calls.deepest);
    measured_calls_release(&calls);
}

static void read_line(struct one *one, const char *line)
{
    struct request_hit hit = {0};
    struct point_loss loss = {.hits = 1};
    char role[16];
    int again;
    if (sscanf(line, "hit %" SCNd64 " %u %15s %" SCNu64, &hit.time, &hit.thread, role,
               &hit.second) == 4) {
        hit.role = strcmp(role, "called") == 0 ? TRACE_POINT_CALLED : TRACE_POINT_RETURNED;
        VEC_PUSH(one->items, one->count, one->capacity) = hit;
    } else if (sscanf(line, "loss %" SCNd64 " %" SCNd64, &loss.from, &loss.until) == 2) {
        VEC_PUSH(one->losses, one->loss_count, one->loss_capacity) = loss;
    } else if (strcmp(line, "done\n") == 0) {
        answer(one);
    } else if (sscanf(line, "calls %d %" SCNd64 " %" SCNd64, &again, &one->hits.from,
                      &one->hits.until) == 3) {
        one->hits.by_value = again != 0;
        one->count = one->loss_count = 0;
    }
}

int main(void)
{
    struct one one = {0};
    char line[256];
    while (fgets(line, sizeof line, stdin))
        read_line(&one, line);
    memory_free(one.items);
    memory_free(one.losses);
    return 0;
}
