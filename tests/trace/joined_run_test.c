/* joined_run.h: a recorder's samples and stacks go behind those of the run before, as all else does. */
#include "check.h"

#include "base/memory.h"
#include "trace/joined_run.h"
#include "trace/sample.h"

static const uint64_t addresses[] = {0x401000, 0x402000};
/* The first stack is none. */
static struct sampled_stack stacks[2][3] = {
    {{0}, {100, 1, 0, false, addresses}, {101, 2, 1, true, addresses}},
    {{0}, {200, 1, 0, false, addresses}, {0}}};
static struct stack_sample samples[2][2] = {
    {{.time = 10, .pid = 100, .tid = 11, .stack = 2, .amount_ns = 5},
     {.time = 20, .pid = 100, .tid = 11, .stack = 0, .amount_ns = 5}},
    {{.time = 7, .pid = 200, .tid = 21, .stack = 1, .amount_ns = 6}}};
static struct wait_stack waits[2] = {{.time = 12, .tid = 11, .stack = 2, .one_in = 8},
                                     {.time = 6, .tid = 21, .stack = 1, .one_in = 1}};
static struct sampled_process mapped[2] = {{100, "maps of 100"}, {200, "maps of 200"}};
static const char *kernels[1] = {"ffffffff81000010 do_futex\n"};
static struct wait_stacks wait_stacks[2] = {{&waits[0], 1, &mapped[0], 1, kernels, 1},
                                            {&waits[1], 1, &mapped[1], 1, kernels, 1}};
static struct timeline_process processes[2] = {{.pid = 100}, {.pid = 200}};
static struct timeline_thread threads[2] = {{.tid = 11, .first = 0, .last = 30},
                                            {.tid = 21, .first = 5, .last = 9}};

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
                              .samples = samples[i],
                              .sample_count = i ? 1 : 2,
                              .wait_stacks = &wait_stacks[i],
                              .sampled_stacks = stacks[i],
                              .sampled_stack_count = i ? 2 : 3};
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
    CHECK(joined_waits->items[0].time == 12 && joined_waits->items[0].stack == 2);
    CHECK(joined_waits->items[1].time == 31 + 6 && joined_waits->items[1].stack == 4);
    CHECK(run->watched == TRACE_WATCHED_OWN && run->kernel_lost == 6);
    CHECK(run->total_ran_ns == 20 && run->total_runnable_ns == 2);
    joined_run_release(&joined);
    return CHECK_DONE();
}
