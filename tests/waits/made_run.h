/* made_run.h - a run's kernel side, made up for tests: threads with names, and when each was off its processor.
 *
 *     struct made_run run;
 *     made_run_begin(&run, 3);                          tasks 1, 2, 3; the first is the process's own
 *     run.side.tasks[1].name = "main";
 *     made_run_off(&run, 2, 10, 30, 32, OFF_THREAD, 1); blocked for 1 in [10, 30), runnable until 32
 *     made_run_end(&run, 100);                          each has a processor of its own
 *     ... run.timelines ...
 *     made_run_release(&run);
 */
#ifndef TESTS_WAITS_MADE_RUN_H
#define TESTS_WAITS_MADE_RUN_H

#include <stdlib.h>

#include "base/memory.h"
#include "trace/off_cpu.h"

struct made_run {
    struct kernel_side side;
    struct timelines timelines;
    size_t *capacity; /* by task */
    uint64_t seed;    /* of made_run_dice() */
};

static inline void made_run_begin(struct made_run *run, uint32_t tasks)
{
    *run = (struct made_run){.capacity = memory_zeroed((tasks + 1) * sizeof(size_t))};
    run->side.tasks = memory_zeroed((tasks + 1) * sizeof(struct kernel_task));
    run->side.task_count = tasks + 1;
    for (uint32_t t = 0; t <= tasks; t++)
        run->side.tasks[t] = (struct kernel_task){.pid = t ? 1000 : 0,
                                                  .tid = t ? 999 + t : 0,
                                                  .name = "",
                                                  .thread = THREAD_NONE,
                                                  .whose = TRACE_WHOSE_RUN};
}

/* Of OFF_WRITE `whom` is the device. */
static inline void made_run_off(struct made_run *run, uint32_t task, time_ns out, time_ns woken,
                                time_ns in, enum off_cause cause, uint32_t whom)
{
    struct kernel_task *of = &run->side.tasks[task];
    size_t count = of->off_count;
    bool disk = cause == OFF_WRITE;
    VEC_PUSH(of->offs, count, run->capacity[task]) =
        (struct off_cpu){.out = out,
                         .woken = woken,
                         .in = in,
                         .waker = disk ? TASK_NONE : whom,
                         .device = disk ? whom : 0,
                         .processor = task - 1,
                         .cause = (uint8_t)cause};
    of->off_count = (uint32_t)count;
}

static inline void made_run_end(struct made_run *run, time_ns until)
{
    run->timelines.kernel_side = &run->side;
    run->side.processors = memory_zeroed(run->side.task_count * sizeof(struct processor));
    run->side.processor_count = run->side.task_count - 1;
    for (uint32_t t = 1; t < run->side.task_count; t++) {
        struct kernel_task *task = &run->side.tasks[t];
        struct processor *of = &run->side.processors[t - 1];
        size_t count = 0, capacity = 0;
        VEC_PUSH(of->uses, count, capacity) = (struct processor_use){0, t};
        for (uint32_t i = 0; i < task->off_count; i++) {
            VEC_PUSH(of->uses, count, capacity) =
                (struct processor_use){task->offs[i].out, TASK_IDLE};
            VEC_PUSH(of->uses, count, capacity) = (struct processor_use){task->offs[i].in, t};
        }
        of->count = (uint32_t)count;
        of->number = t - 1;
        of->until = until;
    }
}

static inline uint32_t made_run_dice(struct made_run *run, uint32_t sides)
{
    run->seed = run->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((run->seed >> 33) % sides);
}

static inline void made_run_release(struct made_run *run)
{
    for (uint32_t t = 0; t < run->side.task_count; t++)
        memory_free(run->side.tasks[t].offs);
    for (uint32_t p = 0; p < run->side.processor_count; p++)
        memory_free(run->side.processors[p].uses);
    memory_free(run->side.tasks);
    memory_free(run->side.processors);
    memory_free(run->capacity);
}

#endif
