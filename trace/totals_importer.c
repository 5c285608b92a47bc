#include "base/memory.h"
#include "trace/importer.h"

/* What the kernel has counted of one thread, as it was recorded last. */
struct thread_total {
    uint32_t pid;
    uint64_t ran_ns, runnable_ns;
};

struct total_list {
    struct thread_total *totals;
    size_t count, capacity;
    struct hash_map of_thread; /* of the file: pid and tid -> index + 1 */
};

static void begin_file(void *state, struct loading *loading, const struct trace_reader *reader)
{
    struct total_list *list = state;
    (void)loading, (void)reader;
    hash_map_release(&list->of_thread);
}

static struct thread_total *new_total(struct total_list *list, uint32_t pid)
{
    VEC_PUSH(list->totals, list->count, list->capacity) = (struct thread_total){.pid = pid};
    return &list->totals[list->count - 1];
}

/* A thread that has the id of one that ended begins at 0 again. */
static uint64_t take(void *state, struct loading *loading, const struct trace_record *record)
{
    struct total_list *list = state;
    const struct trace_totals *totals = record->data;
    uint64_t *at = hash_map_put(&list->of_thread, (uint64_t)totals->pid << 32 | totals->tid);
    struct thread_total *total = *at ? &list->totals[*at - 1] : NULL;
    (void)loading;
    if (!total || totals->ran_ns < total->ran_ns) {
        total = new_total(list, totals->pid);
        *at = list->count;
    }
    total->ran_ns = totals->ran_ns;
    total->runnable_ns = totals->runnable_ns;
    return record->ticks;
}

/* A build that runs the program, and what brings it its load, do not count; where no process left a file,
 * all do that were watched. */
static void build(void *state, struct loading *loading)
{
    const struct total_list *list = state;
    struct timelines *run = loading->run;
    struct hash_map pids = {0};
    for (uint32_t i = 0; i < run->process_count; i++)
        *hash_map_put(&pids, run->processes[i].pid) = 1;
    for (size_t i = 0; i < list->count; i++) {
        if (run->process_count && !hash_map_get(&pids, list->totals[i].pid))
            continue;
        run->total_ran_ns += list->totals[i].ran_ns;
        run->total_runnable_ns += list->totals[i].runnable_ns;
    }
    hash_map_release(&pids);
}

static void release(void *state)
{
    struct total_list *list = state;
    memory_free(list->totals);
    hash_map_release(&list->of_thread);
}

static const unsigned char kinds[] = {TRACE_TOTALS, 0};

const struct importer totals_importer = {.of_recorder = true,
                                         .kinds = kinds,
                                         .state_bytes = sizeof(struct total_list),
                                         .begin_file = begin_file,
                                         .take = take,
                                         .build = build,
                                         .release = release};
