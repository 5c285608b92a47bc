/* scheduler_log.h, off_blocks.h: what each thread did without a processor, worked out by hand.
 *
 *   ms        0    1    2    3    4    5    6    7    8    9
 *   thread 7  runs |-- disk ------|run |wait|    runs           the disk's interrupt at 3 ms
 *   process 9                     |    |runs|                   it has processor 0 in [4, 5]
 */
#include "check.h"

#include <string.h>

#include "base/memory.h"
#include "trace/off_blocks.h"
#include "trace/scheduler_log.h"

#define MS(n) ((n)*INT64_C(1000000))

static struct timeline_process process = {.pid = 7, .program = "server"};
static struct timeline_thread threads[2]; /* 7 and 8 */
static struct timelines run;
static struct scheduler_log scheduler;

static void add(time_ns time, struct scheduler_event event)
{
    event.time = time;
    scheduler_log_add(&scheduler, event);
}

static void named(uint32_t pid, uint32_t tid, const char *name)
{
    add(0, (struct scheduler_event){.kind = SCHEDULER_WHO,
                                    .tid = tid,
                                    .other = pid,
                                    .processor = scheduler_log_name(&scheduler, name)});
}

static void goes(time_ns time, uint32_t from, uint32_t to, enum trace_off state)
{
    add(time, (struct scheduler_event){
                  .kind = SCHEDULER_SWITCH, .tid = from, .other = to, .detail = state});
}

static void wakes(time_ns time, uint32_t tid, uint32_t waker, enum trace_context context,
                  enum trace_interrupt interrupt)
{
    add(time, (struct scheduler_event){.kind = SCHEDULER_WAKING,
                                       .tid = tid,
                                       .other = waker,
                                       .detail = context,
                                       .cause = interrupt});
}

/* Process 7, with its threads 7 and 8. */
static void begin(void)
{
    threads[0] = (struct timeline_thread){.tid = 7, .first = 0, .last = MS(9), .name = ""};
    threads[1] = (struct timeline_thread){.tid = 8, .first = 0, .last = MS(9), .name = ""};
    scheduler = (struct scheduler_log){0};
    run = (struct timelines){
        .processes = &process, .process_count = 1, .threads = threads, .thread_count = 2};
    named(7, 7, "");
    named(7, 8, "");
}

/* Gives what 7 was off for. */
static const struct off_cpu *built(void)
{
    scheduler_log_build(&scheduler, &run);
    return threads[0].offs;
}

static void done(void)
{
    scheduler_log_release(&scheduler);
    arena_release(&run.scheduler);
}

static void disk_then_preempted(void)
{
    begin();
    named(9, 9, "backup");
    add(0, (struct scheduler_event){.kind = SCHEDULER_WHO,
                                    .tid = 254u << 20,
                                    .detail = TRACE_WHO_DEVICE,
                                    .processor = scheduler_log_name(&scheduler, "vda")});
    goes(MS(1), 7, 0, TRACE_OFF_UNINTERRUPTIBLE);
    add(MS(3) - 1000, (struct scheduler_event){.kind = SCHEDULER_DONE,
                                               .other = 254u << 20,
                                               .detail = TRACE_REQUEST_READ});
    wakes(MS(3), 7, 0, TRACE_CONTEXT_HARD, TRACE_INTERRUPT_DISK);
    wakes(MS(3) + 1, 7, 9, TRACE_CONTEXT_THREAD, TRACE_INTERRUPT_UNKNOWN); /* too late */
    add(MS(3) + 5, (struct scheduler_event){
                       .kind = SCHEDULER_DONE, .other = 7, .detail = TRACE_REQUEST_WRITE});
    goes(MS(3) + 10, 0, 7, TRACE_OFF_RUNNABLE);
    goes(MS(4), 7, 9, TRACE_OFF_RUNNABLE);
    goes(MS(5), 9, 7, TRACE_OFF_RUNNABLE);
    const struct off_cpu *offs = built();
    CHECK(threads[0].off_count == 2 && threads[1].off_count == 0);
    CHECK(offs[0].out == MS(1) && offs[0].woken == MS(3) && offs[0].in == MS(3) + 10);
    CHECK(offs[0].cause == OFF_READ && offs[0].device == 254u << 20 && offs[0].waker == TASK_NONE);
    CHECK(strcmp(kernel_device_name(run.kernel_side, offs[0].device), "vda") == 0);
    CHECK(offs[1].cause == OFF_RUNNABLE && offs[1].out == MS(4) && offs[1].woken == MS(4) &&
          offs[1].in == MS(5));
    CHECK(run.kernel_side->events == 12 && run.kernel_side->processors_ns == (uint64_t)MS(5));
    const struct processor *processor = &run.kernel_side->processors[0];
    int64_t use = processor_use_at(processor, MS(4) + 1);
    CHECK(strcmp(run.kernel_side->tasks[processor->uses[use].task].name, "backup") == 0);
    done();
}

/* Some kernels tell no waking of an idle processor: the request that it had issued explains it. */
static void waits_for_its_request(void)
{
    begin();
    add(MS(1) - 10,
        (struct scheduler_event){
            .kind = SCHEDULER_ISSUED, .tid = 7, .other = 5, .detail = TRACE_REQUEST_OTHER});
    goes(MS(1), 7, 0, TRACE_OFF_UNINTERRUPTIBLE);
    goes(MS(2), 0, 7, TRACE_OFF_RUNNABLE);
    goes(MS(3), 7, 0, TRACE_OFF_UNINTERRUPTIBLE);
    goes(MS(4), 0, 7, TRACE_OFF_RUNNABLE);
    const struct off_cpu *offs = built();
    CHECK(offs[0].cause == OFF_WRITE && offs[0].device == 5 && offs[0].woken == MS(2));
    CHECK(offs[1].cause == OFF_UNKNOWN);
    CHECK(run.kernel_side->slept == 2 && run.kernel_side->unwoken == 2);
    done();
}

/* Another processor saw it go, and woke it, before its own one had switched: it waited for nothing. */
static void woken_before_it_went(void)
{
    begin();
    goes(MS(1), 0, 7, TRACE_OFF_RUNNABLE);
    wakes(MS(2) - 1, 7, 8, TRACE_CONTEXT_THREAD, 0);
    goes(MS(2), 7, 0, TRACE_OFF_SLEEPS);
    goes(MS(3), 0, 7, TRACE_OFF_RUNNABLE);
    goes(MS(4), 7, 0, TRACE_OFF_SLEEPS);
    goes(MS(5), 0, 7, TRACE_OFF_RUNNABLE);
    const struct off_cpu *offs = built();
    CHECK(threads[0].off_count == 2);
    CHECK(offs[0].woken == MS(2) && offs[0].in == MS(3) && offs[0].cause == OFF_THREAD);
    CHECK(run.kernel_side->tasks[offs[0].waker].thread == 1);
    CHECK(offs[1].woken == MS(5) && offs[1].cause == OFF_UNKNOWN); /* that waking is used up */
    done();
}

static void misses(time_ns time, uint32_t processor, uint32_t records)
{
    add(time, (struct scheduler_event){
                  .kind = SCHEDULER_MISSED, .processor = processor, .other = records});
}

/* Of what was missed nothing is claimed. */
static void records_lost(void)
{
    begin();
    goes(MS(1), 7, 9, TRACE_OFF_SLEEPS);
    misses(MS(2), 0, 2);
    goes(MS(3), 0, 7, TRACE_OFF_RUNNABLE);
    goes(MS(4), 7, 9, TRACE_OFF_RUNNABLE);
    goes(MS(5), 9, 7, TRACE_OFF_RUNNABLE);
    built();
    CHECK(threads[0].off_count == 1 && threads[0].offs[0].out == MS(4));
    CHECK(run.kernel_side->processors[0].uses[0].task == TASK_NONE);
    done();
}

/* One record that is missing on a processor between two of its switches is not 7's coming and its going: */
static void one_record_lost(void)
{
    begin();
    goes(MS(1), 7, 9, TRACE_OFF_SLEEPS);
    misses(MS(2), 0, 1);
    goes(MS(2), 0, 8, TRACE_OFF_RUNNABLE);
    misses(MS(2), 1, 1); /* that are two, but of two processors */
    wakes(MS(3), 7, 8, TRACE_CONTEXT_THREAD, 0);
    misses(MS(4), 0, 1);
    goes(MS(4), 0, 7, TRACE_OFF_RUNNABLE);
    goes(MS(5), 7, 9, TRACE_OFF_SLEEPS);
    misses(MS(6), 0, 1);
    misses(MS(7), 0, 1); /* with no switch between */
    wakes(MS(8), 7, 8, TRACE_CONTEXT_THREAD, 0);
    goes(MS(8), 0, 7, TRACE_OFF_RUNNABLE);
    const struct off_cpu *offs = built();
    CHECK(threads[0].off_count == 1);
    CHECK(offs[0].out == MS(1) && offs[0].woken == MS(3) && offs[0].in == MS(4));
    CHECK(offs[0].cause == OFF_THREAD && run.kernel_side->tasks[offs[0].waker].thread == 1);
    done();
}

/* It was 7's coming: what it went for at first is not known, and the waking is one before its next switch. */
static void coming_lost(void)
{
    begin();
    goes(MS(1), 7, 9, TRACE_OFF_SLEEPS);
    misses(MS(2), 0, 1);
    wakes(MS(3), 7, 8, TRACE_CONTEXT_THREAD, 0);
    goes(MS(4), 7, 9, TRACE_OFF_SLEEPS);
    goes(MS(5), 9, 7, TRACE_OFF_RUNNABLE);
    goes(MS(6), 7, 9, TRACE_OFF_SLEEPS);
    misses(MS(7), 0, 1);
    goes(MS(8), 8, 9, TRACE_OFF_RUNNABLE);
    const struct off_cpu *offs = built();
    CHECK(threads[0].off_count == 1);
    CHECK(offs[0].out == MS(4) && offs[0].woken == MS(4) && offs[0].in == MS(5));
    CHECK(offs[0].cause == OFF_THREAD);
    const struct off_cpu *open = &run.kernel_side->tasks[1].open;
    CHECK(run.kernel_side->tasks[1].tid == 7 && open->out == open->in); /* it may run again */
    done();
}

/* Who sleeps when a pause begins may come and go within it, and be seen to sleep again. */
static void recorder_paused(void)
{
    begin();
    goes(MS(1), 7, 9, TRACE_OFF_SLEEPS);
    for (uint32_t processor = 0; processor < 2; processor++) {
        add(MS(2), (struct scheduler_event){.kind = SCHEDULER_PAUSED, .processor = processor});
        add(MS(4), (struct scheduler_event){.kind = SCHEDULER_RESUMED, .processor = processor});
    }
    goes(MS(5), 9, 7, TRACE_OFF_RUNNABLE);
    add(MS(6), (struct scheduler_event){.kind = SCHEDULER_PAUSED});
    built();
    const struct kernel_pause *pauses = run.kernel_side->pauses;
    CHECK(threads[0].off_count == 0);
    CHECK(run.kernel_side->processors[0].uses[0].task == TASK_NONE);
    CHECK(run.kernel_side->pause_count == 2);
    CHECK(pauses[0].from == MS(2) && pauses[0].until == MS(4));
    CHECK(pauses[1].from == MS(6) && pauses[1].until == INT64_MAX);
    done();
}

/* A wrapper's block wins; what lies outside of it stays, but for what the clocks disagree by. */
static void joined_with_wrappers(void)
{
    begin();
    struct block blocks[] = {{.start = MS(1) + 3000, .end = MS(2), .waker = THREAD_NONE},
                             {.start = MS(5), .end = MS(6), .waker = 1, .waker_time = MS(6) - 10}};
    threads[0].blocks = blocks;
    threads[0].block_count = 2;
    goes(MS(1), 7, 0, TRACE_OFF_SLEEPS);
    wakes(MS(2) - 500, 7, 8, TRACE_CONTEXT_THREAD, 0);
    goes(MS(2) - 100, 0, 7, TRACE_OFF_RUNNABLE);
    goes(MS(4), 7, 0, TRACE_OFF_SLEEPS);
    wakes(MS(6) - 400, 7, 8, TRACE_CONTEXT_THREAD, 0);
    goes(MS(6) - 200, 0, 7, TRACE_OFF_RUNNABLE);
    built();
    off_blocks_join(&run);
    CHECK(threads[0].block_count == 3);
    const struct block *b = threads[0].blocks;
    CHECK(b[0].start == MS(1) + 3000 && b[0].waker == 1 && b[0].waker_time == MS(2) - 500);
    CHECK(b[1].operation == BLOCK_OFF_CPU && b[1].start == MS(4) && b[1].end == MS(5));
    CHECK(b[2].waker == 1 && b[2].waker_time == MS(6) - 10);
    CHECK(off_of_block(&threads[0], 0) == &threads[0].offs[0] &&
          off_of_block(&threads[0], 1) == &threads[0].offs[1] &&
          off_of_block(&threads[0], 2) == &threads[0].offs[1]);
    CHECK(run.kernel_side->waits_joined == 2 && run.kernel_side->waits_contradicted == 0);
    done();
}

int main(void)
{
    disk_then_preempted();
    waits_for_its_request();
    woken_before_it_went();
    records_lost();
    one_record_lost();
    coming_lost();
    recorder_paused();
    joined_with_wrappers();
    return CHECK_DONE();
}
