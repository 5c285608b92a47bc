/* running.h: how long threads ran, and their parts of the time in which one ran: worked out by hand, and ns
 * by ns for what processors do at random. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "waits/running.h"

enum { TASKS = 6, PROCESSORS = 3, USES = 40, UNTIL = 2000 };

static struct kernel_task tasks[TASKS];
static struct processor processors[PROCESSORS];
static struct processor_use uses[PROCESSORS][USES];
static struct kernel_side side;
static struct vertex_table vertices;
static struct cascade cascade;
static struct wait_group groups[TASKS + VERTEX_KINDS];
static uint32_t group_of[TASKS + VERTEX_KINDS];
static struct wait_graph graph;

/* Each thread is a group; the last one is not of the run. */
static void begin(time_ns from, time_ns until, uint32_t count)
{
    memset(tasks, 0, sizeof tasks);
    memset(processors, 0, sizeof processors);
    for (uint32_t t = 0; t < TASKS; t++)
        tasks[t] = (struct kernel_task){
            .thread = THREAD_NONE, .whose = t + 1 < TASKS ? TRACE_WHOSE_RUN : TRACE_WHOSE_OTHER};
    side = (struct kernel_side){
        .tasks = tasks, .task_count = TASKS, .processors = processors, .processor_count = count};
    vertex_table_init(&vertices, &side);
    cascade = (struct cascade){.vertices = &vertices};
    for (uint32_t w = 0; w <= CASCADE_WINDOWS; w++)
        cascade.borders[w] = from + (until - from) * w / CASCADE_WINDOWS;
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
        cascade.recorded[w] = cascade.borders[w + 1] - cascade.borders[w];
    graph =
        (struct wait_graph){.groups = groups, .group_of = group_of, .group_count = vertices.count};
    for (uint32_t v = 0; v < vertices.count; v++) {
        group_of[v] = v;
        groups[v] = (struct wait_group){.members = 1};
    }
    for (uint32_t p = 0; p < PROCESSORS; p++)
        processors[p] = (struct processor){.uses = uses[p], .until = until};
}

static void use(uint32_t processor, time_ns start, uint32_t task)
{
    uses[processor][processors[processor].count++] = (struct processor_use){start, task};
}

static bool is(const struct running *running, uint32_t group, time_ns ran, double gapp_ns)
{
    const struct group_running *g = &running->groups[group];
    return g->ran == ran && fabs(g->gapp_ns - gapp_ns) < 1e-6;
}

static void picture(void)
{
    struct running running;
    begin(0, 100, 2);
    use(0, 0, 1);
    use(0, 40, TASK_IDLE);
    use(0, 60, 1);
    use(0, 80, 5); /* another program's */
    use(1, 20, 2);
    use(1, 50, TASK_NONE);
    running_fill(&running, &graph, &cascade);
    CHECK(is(&running, 1, 60, 50) && is(&running, 2, 30, 20) && is(&running, 5, 0, 0));
    CHECK(running.active == 70 && running.ran == 90 && !running_check(&running));
    CHECK(fabs(running.groups[1].share.value - 0.6) < 1e-9);
    CHECK(fabs(running.groups[1].gapp.value - 0.5) < 1e-9);
    running_release(&running);
}

/* Who runs on all processors at once; a processor's last user has it until the end. */
static void together(void)
{
    struct running running;
    begin(0, 90, 3);
    for (uint32_t p = 0; p < 3; p++)
        use(p, 0, 1 + p);
    running_fill(&running, &graph, &cascade);
    for (uint32_t g = 1; g <= 3; g++)
        CHECK(is(&running, g, 90, 30));
    CHECK(running.active == 90 && !running_check(&running));
    running_release(&running);
}

static uint32_t running_at(uint32_t processor, time_ns time)
{
    int64_t at = processor_use_at(&processors[processor], time);
    uint32_t task = at < 0 ? TASK_NONE : uses[processor][at].task;
    return task != TASK_NONE && vertex_is_of_run(&vertices, task) ? task : TASK_NONE;
}

static void at_random(void)
{
    for (uint64_t random = 1, round = 0; round < 200; round++) {
        time_ns ran[TASKS] = {0};
        double gapp[TASKS] = {0};
        struct running running;
        begin(100, 100 + UNTIL, 1 + hash_mix(random++) % PROCESSORS);
        for (uint32_t p = 0; p < side.processor_count; p++)
            for (time_ns time = (time_ns)(hash_mix(random++) % 300); processors[p].count < USES;
                 time += (time_ns)(hash_mix(random++) % 120)) {
                uint32_t task = (uint32_t)(hash_mix(random++) % (TASKS + 1));
                use(p, time, task == TASKS ? TASK_NONE : task);
            }
        for (time_ns time = 100; time < 100 + UNTIL; time++) {
            uint32_t active = 0;
            for (uint32_t p = 0; p < side.processor_count; p++)
                active += running_at(p, time) != TASK_NONE;
            for (uint32_t p = 0; p < side.processor_count; p++) {
                uint32_t task = running_at(p, time);
                if (task != TASK_NONE) {
                    ran[task]++;
                    gapp[task] += 1.0 / active;
                }
            }
        }
        running_fill(&running, &graph, &cascade);
        for (uint32_t t = 0; t < TASKS; t++)
            CHECK(is(&running, t, ran[t], gapp[t]));
        CHECK(!running_check(&running));
        running_release(&running);
    }
}

int main(void)
{
    picture();
    together();
    at_random();
    return CHECK_DONE();
}
