/* device_idle.h: whom a disk waits for, worked out by hand.
 *
 *   ms     0      5      10     15 ...  95     100
 *   B      | runs | waits| runs |       | waits|          ten rounds: 5 ms of work, 5 ms of the disk
 *   disk   | idle | busy | idle |       | busy |          idle 50 of 100, all for B
 */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "waits/device_idle.h"

enum { SDA = 8 << 20, A = 1, B = 2, TASKS = 3 };

static struct kernel_task tasks[TASKS];
static struct kernel_device device = {.number = SDA, .name = "sda"};
static struct block_request requests[16];
static struct kernel_pause pauses[2];
static struct kernel_side side;
static struct vertex_table vertices;
static struct cascade cascade;

static void begin(time_ns until)
{
    memset(tasks, 0, sizeof tasks);
    for (int t = 0; t < TASKS; t++)
        tasks[t].whose = TRACE_WHOSE_RUN;
    side = (struct kernel_side){.tasks = tasks,
                                .task_count = TASKS,
                                .devices = &device,
                                .device_count = 1,
                                .requests = requests,
                                .pauses = pauses};
    vertex_table_init(&vertices, &side);
    cascade = (struct cascade){.vertices = &vertices};
    for (uint32_t w = 0; w <= CASCADE_WINDOWS; w++)
        cascade.borders[w] = until * w / CASCADE_WINDOWS;
}

static void flies(time_ns issued, time_ns done, uint32_t task)
{
    requests[side.request_count++] = (struct block_request){issued, done, SDA, task};
}

/* By whom: a thread, or -1. */
static const struct cascade_edge *edge_to(const struct device_idle *idle, int whom)
{
    uint32_t vertex = whom < 0 ? vertex_of_kind(&vertices, VERTEX_UNKNOWN) : (uint32_t)whom;
    for (size_t e = 0; e < idle->edge_count; e++)
        if (idle->edges[e].whom == vertex)
            return &idle->edges[e];
    return NULL;
}

static bool edge_is(const struct device_idle *idle, int whom, time_ns raw, time_ns leaf,
                    uint64_t count)
{
    const struct cascade_edge *edge = edge_to(idle, whom);
    return edge && cascade_sum(edge->raw) == raw && cascade_sum(edge->cascaded) == raw &&
           cascade_sum(edge->leaf) == leaf && edge->count == count;
}

static bool use_is(const struct device_idle *idle, time_ns busy, time_ns idling, time_ns unended)
{
    const struct device_use *use = &idle->devices[0];
    return idle->device_count == 1 && use->busy == busy && use->idle == idling &&
           use->unended == unended && !device_idle_check(idle, &cascade);
}

static void figure_1(void)
{
    struct device_idle idle;
    begin(100);
    for (time_ns round = 0; round < 10; round++)
        flies(10 * round + 5, 10 * round + 10, B);
    device_idle_fill(&idle, &cascade);
    CHECK(use_is(&idle, 50, 50, 0));
    CHECK(idle.edge_count == 1 && edge_is(&idle, B, 50, 50, 10));
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
        CHECK(idle.edges[0].raw[w] == (w % 2 ? 0 : 5));
    CHECK(idle.edges[0].longest == 5);
    device_idle_release(&idle);
}

/* Requests one upon the other; the disk is idle in [0, 20], for A, in [70, 80], for B, and at the end. */
static void one_upon_the_other(void)
{
    struct device_idle idle;
    begin(100);
    flies(20, 60, A);
    flies(30, 50, B);
    flies(60, 70, B); /* given at the moment when the other is done: no idling between */
    flies(80, 90, B);
    device_idle_fill(&idle, &cascade);
    CHECK(use_is(&idle, 60, 30, 10));
    CHECK(edge_is(&idle, A, 20, 20, 1) && edge_is(&idle, B, 10, 10, 1));
    CHECK(idle.devices[0].requests == 4);
    device_idle_release(&idle);
}

/* Of the idling in [10, 40], B waits itself in [5, 15] and [30, 35]. */
static void who_ends_it_waits(void)
{
    struct off_cpu offs[] = {{.out = 5, .woken = 15, .in = 16}, {.out = 30, .woken = 35, .in = 35}};
    struct device_idle idle;
    begin(100);
    tasks[B].offs = offs;
    tasks[B].off_count = 2;
    flies(INT64_MIN, 10, TASK_NONE);
    flies(40, INT64_MAX, B);
    device_idle_fill(&idle, &cascade);
    CHECK(use_is(&idle, 70, 30, 0));
    CHECK(idle.edge_count == 1 && edge_is(&idle, B, 30, 20, 1));
    device_idle_release(&idle);
}

/* Nothing is claimed of a pause, nor who ended what a pause began in. */
static void pauses_count_for_nobody(void)
{
    struct device_idle idle;
    begin(100);
    pauses[0] = (struct kernel_pause){30, 50};
    pauses[1] = (struct kernel_pause){95, INT64_MAX};
    side.pause_count = 2;
    flies(10, 20, A);
    flies(60, 70, B);
    device_idle_fill(&idle, &cascade);
    CHECK(use_is(&idle, 20, 20, 35)); /* unended: [20, 30] and [70, 95] */
    CHECK(edge_is(&idle, A, 10, 10, 1) && edge_is(&idle, B, 10, 10, 1));
    device_idle_release(&idle);
}

static void nobody_is_known(void)
{
    struct device_idle idle;
    begin(100);
    flies(40, 100, TASK_NONE);
    device_idle_fill(&idle, &cascade);
    CHECK(use_is(&idle, 60, 40, 0) && edge_is(&idle, -1, 40, 40, 1));
    device_idle_release(&idle);
    begin(100);
    device_idle_fill(&idle, &cascade);
    CHECK(idle.device_count == 0 && idle.edge_count == 0);
    device_idle_release(&idle);
}

int main(void)
{
    figure_1();
    one_upon_the_other();
    who_ends_it_waits();
    pauses_count_for_nobody();
    nobody_is_known();
    return CHECK_DONE();
}
