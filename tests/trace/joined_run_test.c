/* joined_run.h: a recorder's samples and stacks go behind those of the run before, as all else does. */
#include "check.h"

#include <string.h>

#include "base/memory.h"
#include "trace/joined_run.h"
#include "trace/off_cpu.h"
#include "trace/point.h"
#include "trace/sample.h"

static const uint64_t addresses[] = {0x401000, 0x402000};
/* The first stack is none. */
static struct sampled_stack stacks[2][3] = {
    {{0}, {100, 1, 0, TRACE_CUT_NOT, addresses}, {101, 2, 1, TRACE_CUT_DEEP, addresses}},
    {{0}, {200, 1, 0, TRACE_CUT_NOT, addresses}, {0}}};
static struct stack_sample samples[2][2] = {
    {{.time = 10, .pid = 100, .tid = 11, .stack = 2, .amount_ns = 5},
     {.time = 20, .pid = 100, .tid = 11, .stack = 0, .amount_ns = 5}},
    {{.time = 7, .pid = 200, .tid = 21, .stack = 1, .amount_ns = 6}}};
static struct wait_stack waits[2] = {{.time = 12, .tid = 11, .stack = 2, .one_in = 8},
                                     {.time = 6, .tid = 21, .stack = 1, .one_in = 1}};
static struct sampled_process mapped[2] = {{100, "maps of 100"}, {200, "maps of 200"}};
static struct sampled_files files[2] = {{"files of 100", "/a"}, {"files of 200", "/b"}};
static struct sampled_process generated = {200, "7f0000000010 hot\n"};
static const char *kernels[1] = {"ffffffff81000010 do_futex\n"};
static struct unwound_object unwound[2] = {{.path = "/bin/one", .by_rows = 5},
                                           {.path = "/bin/two", .by_rows = 6}};
static struct wait_stacks wait_stacks[2] = {{.items = &waits[0],
                                             .count = 1,
                                             .processes = &mapped[0],
                                             .process_count = 1,
                                             .kernels = kernels,
                                             .kernel_count = 1,
                                             .files = &files[0],
                                             .file_count = 1,
                                             .unwinding = {.stacks = 2, .lost = 1},
                                             .unwound = &unwound[0],
                                             .unwound_count = 1},
                                            {.items = &waits[1],
                                             .count = 1,
                                             .processes = &mapped[1],
                                             .process_count = 1,
                                             .kernels = kernels,
                                             .kernel_count = 1,
                                             .files = &files[1],
                                             .file_count = 1,
                                             .generated = &generated,
                                             .generated_count = 1,
                                             .unwinding = {.stacks = 3, .own_ns = 9},
                                             .unwound = &unwound[1],
                                             .unwound_count = 1}};
static struct timeline_process processes[2] = {{.pid = 100}, {.pid = 200}};
static struct timeline_thread threads[2] = {{.tid = 11, .first = 0, .last = 30},
                                            {.tid = 21, .first = 5, .last = 9}};

static struct kernel_task tasks[2][2] = {
    {{.maker = TASK_NONE, .ended = INT64_MAX}, {.tid = 11, .maker = TASK_NONE, .ended = 20}},
    {{.maker = TASK_NONE, .ended = INT64_MAX}, {.tid = 21, .maker = 1, .seen = 6, .ended = 8}}};
static struct block_request requests[2][2] = {{{2, INT64_MAX, 5, 1}},
                                              {{INT64_MIN, 3, 5, TASK_NONE}, {4, 6, 5, 1}}};
static struct kernel_side sides[2] = {
    {.tasks = tasks[0], .task_count = 2, .requests = requests[0], .request_count = 1},
    {.tasks = tasks[1], .task_count = 2, .requests = requests[1], .request_count = 2}};

static struct point points[2][2] = {{{.wish = 1, .role = 1}, {.wish = 2, .role = 2}},
                                    {{.wish = 1, .role = 3}}};
static struct point_hit hits[2] = {{.time = 4, .tid = 11, .point = 1},
                                   {.time = 6, .tid = 21, .point = 0}};
static struct point_loss losses[1] = {{5, 6, 7}};
static struct point_time times[2] = {{1, 8}, {2, 9}};
static struct point_hits point_hits[2] = {{points[0], 2, 2, &hits[0], 1, NULL, 0, &times[0], 1},
                                          {points[1], 1, 1, &hits[1], 1, losses, 1, &times[1], 1}};

static void hits_are_moved(const struct point_hits *all)
{
    CHECK(all->point_count == 3 && all->wish_count == 3 && all->points[2].wish == 3);
    CHECK(all->count == 2 && all->items[0].point == 1 && all->items[1].point == 2);
    CHECK(all->items[0].time == 4 && all->items[1].time == 31 + 6);
    CHECK(all->loss_count == 1 && all->losses[0].from == 31 + 5 && all->losses[0].hits == 7);
    CHECK(all->time_count == 2 && all->times[1].from == 31 + 2 && all->times[1].until == 31 + 9);
}

static bool is_request(const struct block_request *request, time_ns issued, time_ns done,
                       uint32_t task)
{
    return request->issued == issued && request->done == done && request->task == task;
}

/* What has no beginning or no end still has none. */
static void kernel_sides_are_moved(const struct kernel_side *side)
{
    CHECK(side->task_count == 4 && side->request_count == 3);
    CHECK(side->tasks[1].ended == 20 && side->tasks[1].maker == TASK_NONE);
    CHECK(side->tasks[3].maker == 3 && side->tasks[3].seen == 31 + 6);
    CHECK(side->tasks[3].ended == 31 + 8 && side->tasks[2].ended == INT64_MAX);
    CHECK(is_request(&side->requests[0], 2, INT64_MAX, 1));
    CHECK(is_request(&side->requests[1], INT64_MIN, 31 + 3, TASK_NONE));
    CHECK(is_request(&side->requests[2], 31 + 4, 31 + 6, 3));
}

static struct timelines part(int i)
{
    return (struct timelines){.processes = &processes[i],
                              .process_count = 1,
                              .threads = &threads[i],
                              .thread_count = 1,
                              .clock = "tsc",
                              .watched = i ? TRACE_WATCHED_OWN : TRACE_WATCHED_ALL,
                              .kernel_lost = 3,
                              .total_ran_ns = 10,
                              .total_runnable_ns = 1,
                              .kernel_side = &sides[i],
                              .samples = samples[i],
                              .sample_count = i ? 1 : 2,
                              .wait_stacks = &wait_stacks[i],
                              .sampled_stacks = stacks[i],
                              .sampled_stack_count = i ? 2 : 3,
                              .point_hits = &point_hits[i]};
}

int main(void)
{
    struct joined_run joined;
    struct error error;
    struct timelines *parts = memory_zeroed(sizeof *parts * 2);
    parts[0] = part(0);
    parts[1] = part(1);
    CHECK(joined_run_make(&joined, parts, 2, &error));
    const struct timelines *run = &joined.run;
    CHECK(run->process_count == 2 && run->thread_count == 2 && run->threads[1].process == 1);
    CHECK(run->sample_count == 3 && run->sampled_stack_count == 5);
    CHECK(run->samples[0].time == 10 && run->samples[0].stack == 2 && run->samples[1].stack == 0);
    /* The second run begins 1 ns after the first one's last moment, 30; its own zero counts, too. */
    CHECK(run->threads[1].first == 31 + 5 && run->samples[2].time == 31 + 7);
    CHECK(run->samples[2].stack == 4 && run->sampled_stacks[4].pid == 200);
    const struct wait_stacks *joined_waits = run->wait_stacks;
    CHECK(joined_waits->count == 2 && joined_waits->process_count == 2 &&
          joined_waits->kernel_count == 2);
    CHECK(joined_waits->unwinding.stacks == 5 && joined_waits->unwinding.lost == 1 &&
          joined_waits->unwinding.own_ns == 9 && joined_waits->unwound_count == 2);
    CHECK(joined_waits->file_count == 2 && strcmp(joined_waits->files[1].folder, "/b") == 0);
    CHECK(joined_waits->generated_count == 1 && joined_waits->generated[0].pid == 200);
    CHECK(joined_waits->unwound[0].by_rows == 5 && joined_waits->unwound[1].by_rows == 6);
    CHECK(joined_waits->items[0].time == 12 && joined_waits->items[0].stack == 2);
    CHECK(joined_waits->items[1].time == 31 + 6 && joined_waits->items[1].stack == 4);
    CHECK(run->watched == TRACE_WATCHED_OWN && run->kernel_lost == 6);
    CHECK(run->total_ran_ns == 20 && run->total_runnable_ns == 2);
    kernel_sides_are_moved(run->kernel_side);
    hits_are_moved(run->point_hits);
    joined_run_release(&joined);
    return CHECK_DONE();
}
