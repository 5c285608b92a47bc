#include "sim_requests.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "variance/critical_path.h"
#include "waits/waits.h"

/* Of a thread itself, which ran, or was about to; of others, who had its processor. Of a page fault the
 * table does not say whether a disk was waited for: it counts as what is not followed. */
enum class {
    ITSELF,
    PROCESSOR,
    TIMER,
    NETWORK,
    DEVICE,
    INTERRUPT,
    UNKNOWN,
    QUEUE,
    UNEXPLAINED,
    FURTHER,
    CLASSES
};

static const char *const names[CLASSES] = {"threads",     "processors",  "timers",  "network",
                                           "disks",       "interrupts",  "unknown", "queues",
                                           "unexplained", "not followed"};

struct sums {
    const struct interval_table *table;
    const struct callee_table *callees;
    time_ns of[CLASSES];
};

static enum class class_of_wait(enum wait_kind wait) {
    static const uint8_t classes[WAIT_KINDS] = {[WAIT_UNKNOWN_WAKER] = UNKNOWN,
                                                [WAIT_GAVE_UP] = UNKNOWN,
                                                [WAIT_ASLEEP] = UNKNOWN,
                                                [WAIT_PREEMPTED] = PROCESSOR,
                                                [WAIT_PROCESSOR] = PROCESSOR,
                                                [WAIT_TIMER] = TIMER,
                                                [WAIT_NETWORK] = NETWORK,
                                                [WAIT_DISK] = DEVICE,
                                                [WAIT_FAULT] = FURTHER,
                                                [WAIT_INTERRUPT] = INTERRUPT,
                                                [WAIT_OTHERS] = FURTHER,
                                                [WAIT_OUTSIDE] = FURTHER,
                                                [WAIT_FOR_THREAD] = QUEUE,
                                                [WAIT_HAND_OVER] = QUEUE};
    return (enum class)classes[wait];
}

static enum class class_of_node(const struct sums *sums, const struct table_node *node) {
    if (node->parent == NODE_NONE) return ITSELF;
    if (node->kind == NODE_UNEXPLAINED) return UNEXPLAINED;
    if (node->kind == NODE_QUEUE) return QUEUE;
    const struct table_node *parent = &sums->table->nodes[node->parent];
    if (node->kind == NODE_WOKEN_BY && parent->parent != NODE_NONE && parent->kind == NODE_WAIT &&
        class_of_wait(sums->callees->items[parent->callee].wait) ==
            PROCESSOR) return PROCESSOR; /* who had it */
    if (node->kind == NODE_WAIT ||
        node->kind == NODE_IO) return class_of_wait(sums->callees->items[node->callee].wait);
    return ITSELF;
}

static void add_row(void *context, uint64_t row)
{
    struct sums *sums = context;
    (void)row;
    for (size_t i = 0; i < sums->table->cell_count; i++) {
        const struct table_cell *cell = &sums->table->cells[i];
        sums->of[class_of_node(sums, &sums->table->nodes[cell->node])] += cell->own_ns;
    }
}

static void sum_table(struct sums *sums, const struct timelines *run,
                      const struct function_table *functions)
{
    struct interval_table table;
    struct callee_table callees;
    struct row_list rows;
    row_list_init(&rows, run);
    callee_table_init(&callees, run, functions);
    interval_table_init(&table, NULL);
    *sums = (struct sums){.table = &table, .callees = &callees};
    critical_path_visit(&table, run, &rows, &callees, add_row, sums);
    interval_table_release(&table);
    callee_table_release(&callees);
    row_list_release(&rows);
}

static enum class class_of_leaf(const struct waits *waits, const struct request_part *leaf) {
    static const uint8_t classes[] = {[VERTEX_TIMER] = TIMER,
                                      [VERTEX_NETWORK] = NETWORK,
                                      [VERTEX_DEVICE] = DEVICE,
                                      [VERTEX_INTERRUPT] = INTERRUPT,
                                      [VERTEX_UNKNOWN] = UNKNOWN,
                                      [VERTEX_THREAD] = FURTHER};
    switch (leaf->kind){
        case TIME_PROCESSOR : /* an idle one was about to run it */
                    return leaf->to == waits->graph.group_of[TASK_IDLE]
            ? ITSELF
            : PROCESSOR;
        case TIME_WAITS : return (enum class)classes[waits->graph.groups[leaf->to].kind];
        case TIME_QUEUE : return QUEUE;
        case TIME_UNEXPLAINED : return UNEXPLAINED;
        default : return ITSELF;
    }
}

static void sum_requests(struct sums *sums, const struct waits *waits)
{
    const struct by_request *requests = &waits->requests;
    *sums = (struct sums){0};
    for (uint32_t i = 0; i < requests->leaves.count; i++)
        for (uint32_t b = 0; b < requests->blocks; b++)
            sums->of[class_of_leaf(waits, &requests->leaves.items[i])] +=
                (time_ns)requests->leaves.items[i].sums[b].time;
}

static bool agree(const struct sums *table, const struct sums *requests)
{
    bool right = true;
    time_ns further = table->of[FURTHER] - requests->of[FURTHER], more = 0;
    for (int c = 0; c < FURTHER; c++) {
        time_ns differs = requests->of[c] - table->of[c];
        more += differs;
        if (differs >= 0 && (differs == 0 || further > 0))
            continue;
        printf("%s: %" PRId64 " ns of requests, and %" PRId64 " of the table\n", names[c],
               requests->of[c], table->of[c]);
        right = false;
    }
    return right && more == further;
}

bool sim_requests_agree(const struct timelines *run, const struct function_table *functions)
{
    struct error error;
    struct sums table, requests;
    if (!run->kernel_side)
        return true;
    struct waits *waits = waits_find(run, &error);
    if (!waits) /* nobody was seen to get a processor */
        return error.code == ERROR_NOTHING;
    bool right = waits_by_request(waits, run, NULL, &error) && !waits_check(waits);
    if (!right)
        printf("%s\n", waits_check(waits));
    if (right) {
        sum_table(&table, run, functions);
        sum_requests(&requests, waits);
        right = agree(&table, &requests);
    }
    waits_release(waits);
    return right;
}
