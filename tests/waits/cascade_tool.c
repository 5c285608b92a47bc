/* cascade_tool - sweeps over waits from stdin, case by case:
 *
 *     case TASKS FROM UNTIL            then "WHO WHOM BEGIN END", by beginning, and "end"
 *
 * and prints "edge WHO WHOM RAW CASCADED LEAF", "blame VERTEX NS", "end". Exits 1 where a law does not
 * hold. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "waits/cascade.h"

static void print(const struct cascade *cascade)
{
    for (size_t i = 0; i < cascade->edge_count; i++) {
        const struct cascade_edge *edge = &cascade->edges[i];
        printf("edge %" PRIu32 " %" PRIu32 " %" PRId64 " %" PRId64 " %" PRId64 "\n", edge->who,
               edge->whom, cascade_sum(edge->raw), cascade_sum(edge->cascaded),
               cascade_sum(edge->leaf));
    }
    for (uint32_t v = 0; v < cascade->vertices->count; v++)
        if (cascade->blame[v])
            printf("blame %" PRIu32 " %" PRId64 "\n", v, cascade->blame[v]);
    puts("end");
}

static bool sweep(struct wait_list *waits, uint32_t tasks)
{
    struct kernel_side side = {.task_count = tasks,
                               .tasks = memory_zeroed(tasks * sizeof(struct kernel_task))};
    struct vertex_table vertices;
    struct cascade cascade;
    for (uint32_t t = 0; t < tasks; t++)
        side.tasks[t] = (struct kernel_task){.thread = THREAD_NONE, .whose = TRACE_WHOSE_RUN};
    vertex_table_init(&vertices, &side);
    waits->recorded = waits->until - waits->from;
    cascade_sweep(&cascade, waits, &vertices);
    const char *broken = cascade_check(&cascade, waits);
    print(&cascade);
    if (broken)
        fprintf(stderr, "%s\n", broken);
    if (cascade.circles)
        fprintf(stderr, "%" PRIu64 " circles\n", cascade.circles);
    bool ok = !broken && !cascade.circles;
    cascade_release(&cascade);
    memory_free(side.tasks);
    return ok;
}

int main(void)
{
    char line[256];
    struct wait_list waits = {0};
    size_t capacity = 0;
    uint32_t tasks = 0;
    bool ok = true;
    while (fgets(line, sizeof line, stdin)) {
        struct wait wait;
        if (sscanf(line, "case %" SCNu32 " %" SCNd64 " %" SCNd64, &tasks, &waits.from,
                   &waits.until) == 3)
            waits.count = 0;
        else if (strcmp(line, "end\n") == 0)
            ok = sweep(&waits, tasks) && ok;
        else if (sscanf(line, "%" SCNu32 " %" SCNu32 " %" SCNd64 " %" SCNd64, &wait.who, &wait.whom,
                        &wait.begin, &wait.end) == 4)
            VEC_PUSH(waits.items, waits.count, capacity) = wait;
    }
    wait_list_release(&waits);
    return !ok;
}
