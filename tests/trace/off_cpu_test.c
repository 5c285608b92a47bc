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
static struct timeline_thread threads[2];

static void add(struct scheduler_log *log, time_ns time, struct scheduler_event event)
{
    event.time = time;
    scheduler_log_add(log, event);
}

static void named(struct scheduler_log *log, uint32_t pid, uint32_t tid, const char *name)
{
    add(log, 0,
        (struct scheduler_event){.kind = SCHEDULER_WHO,
                                 .tid = tid,
                                 .other = pid,
                                 .processor = scheduler_log_name(log, name)});
}

static void goes(struct scheduler_log *log, time_ns time, uint32_t from, uint32_t to,
                 enum trace_off state)
{
    add(log, time,
        (struct scheduler_event){
            .kind = SCHEDULER_SWITCH, .tid = from, .other = to, .detail = state});
}

static void wakes(struct scheduler_log *log, time_ns time, uint32_t tid, uint32_t waker,
                  enum trace_context context, enum trace_interrupt interrupt)
{
    add(log, time,
        (struct scheduler_event){.kind = SCHEDULER_WAKING,
                                 .tid = tid,
                                 .other = waker,
                                 .detail = context,
                                 .cause = interrupt});
}

static struct timelines made(void)
{
    threads[0] = (struct timeline_thread){.tid = 7, .first = 0, .last = MS(9), .name = ""};
    threads[1] = (struct timeline_thread){.tid = 8, .first = 0, .last = MS(9), .name = ""};
    return (struct timelines){
        .processes = &process, .process_count = 1, .threads = threads, .thread_count = 2};
}

static void done(struct scheduler_log *log, struct timelines *run)
{
    scheduler_log_release(log);
    arena_release(&run->scheduler);
}

static void disk_then_preempted(void)
{
    struct timelines run = made();
    struct scheduler_log log = {0};
    named(&log, 7, 7, "server");
    named(&log, 9, 9, "backup");
    add(&log, 0,
        (struct scheduler_event){.kind = SCHEDULER_WHO,
                                 .tid = 254u << 20,
                                 .detail = TRACE_WHO_DEVICE,
                                 .processor = scheduler_log_name(&log, "vda")});
    goes(&log, MS(1), 7, 0, TRACE_OFF_UNINTERRUPTIBLE);
    add(&log, MS(3) - 1000,
        (struct scheduler_event){
            .kind = SCHEDULER_DONE, .other = 254u << 20, .detail = TRACE_REQUEST_READ});
    wakes(&log, MS(3), 7, 0, TRACE_CONTEXT_HARD, TRACE_INTERRUPT_DISK);
    wakes(&log, MS(3) + 1, 7, 9, TRACE_CONTEXT_THREAD, TRACE_INTERRUPT_UNKNOWN); /* too late */
    add(&log, MS(3) + 5,
        (struct scheduler_event){
            .kind = SCHEDULER_DONE, .other = 7, .detail = TRACE_REQUEST_WRITE});
    goes(&log, MS(3) + 10, 0, 7, TRACE_OFF_RUNNABLE);
    goes(&log, MS(4), 7, 9, TRACE_OFF_RUNNABLE);
    goes(&log, MS(5), 9, 7, TRACE_OFF_RUNNABLE);
    scheduler_log_build(&log, &run);
    const struct off_cpu *offs = threads[0].offs;
    CHECK(threads[0].off_count == 2 && threads[1].off_count == 0);
    CHECK(offs[0].out == MS(1) && offs[0].woken == MS(3) && offs[0].in == MS(3) + 10);
    CHECK(offs[0].cause == OFF_READ && offs[0].device == 254u << 20 && offs[0].waker == TASK_NONE);
    CHECK(strcmp(kernel_device_name(run.kernel_side, offs[0].device), "vda") == 0);
    CHECK(offs[1].cause == OFF_RUNNABLE && offs[1].out == MS(4) && offs[1].woken == MS(4) &&
          offs[1].in == MS(5));
    CHECK(run.kernel_side->events == 11 && run.kernel_side->processors_ns == (uint64_t)MS(5));
    const struct processor *processor = &run.kernel_side->processors[0];
    int64_t use = processor_use_at(processor, MS(4) + 1);
    CHECK(strcmp(run.kernel_side->tasks[processor->uses[use].task].name, "backup") == 0);
    done(&log, &run);
}

/* Some kernels tell no waking of an idle processor: the request that it had issued explains it. */
static void waits_for_its_request(void)
{
    struct timelines run = made();
    struct scheduler_log log = {0};
    named(&log, 7, 7, "");
    add(&log, MS(1) - 10,
        (struct scheduler_event){
            .kind = SCHEDULER_ISSUED, .tid = 7, .other = 5, .detail = TRACE_REQUEST_OTHER});
    goes(&log, MS(1), 7, 0, TRACE_OFF_UNINTERRUPTIBLE);
    goes(&log, MS(2), 0, 7, TRACE_OFF_RUNNABLE);
    goes(&log, MS(3), 7, 0, TRACE_OFF_UNINTERRUPTIBLE);
    goes(&log, MS(4), 0, 7, TRACE_OFF_RUNNABLE);
    scheduler_log_build(&log, &run);
    const struct off_cpu *offs = threads[0].offs;
    CHECK(offs[0].cause == OFF_WRITE && offs[0].device == 5 && offs[0].woken == MS(2));
    CHECK(offs[1].cause == OFF_UNKNOWN);
    CHECK(run.kernel_side->slept == 2 && run.kernel_side->unwoken == 2);
    done(&log, &run);
}

/* Another processor saw it go, and woke it, before its own one had switched: it waited for nothing. */
static void woken_before_it_went(void)
{
    struct timelines run = made();
    struct scheduler_log log = {0};
    named(&log, 7, 7, "");
    named(&log, 7, 8, "");
    goes(&log, MS(1), 0, 7, TRACE_OFF_RUNNABLE);
    wakes(&log, MS(2) - 1, 7, 8, TRACE_CONTEXT_THREAD, 0);
    goes(&log, MS(2), 7, 0, TRACE_OFF_SLEEPS);
    goes(&log, MS(3), 0, 7, TRACE_OFF_RUNNABLE);
    goes(&log, MS(4), 7, 0, TRACE_OFF_SLEEPS);
    goes(&log, MS(5), 0, 7, TRACE_OFF_RUNNABLE);
    scheduler_log_build(&log, &run);
    const struct off_cpu *offs = threads[0].offs;
    CHECK(threads[0].off_count == 2);
    CHECK(offs[0].woken == MS(2) && offs[0].in == MS(3) && offs[0].cause == OFF_THREAD);
    CHECK(run.kernel_side->tasks[offs[0].waker].thread == 1);
    CHECK(offs[1].woken == MS(5) && offs[1].cause == OFF_UNKNOWN); /* that waking is used up */
    done(&log, &run);
}

static void misses(struct scheduler_log *log, time_ns time, uint32_t processor, uint32_t records)
{
    add(log, time,
        (struct scheduler_event){
            .kind = SCHEDULER_MISSED, .processor = processor, .other = records});
}

/* Of what was missed nothing is claimed. */
static void records_lost(void)
{
    struct timelines run = made();
    struct scheduler_log log = {0};
    named(&log, 7, 7, "");
    goes(&log, MS(1), 7, 9, TRACE_OFF_SLEEPS);
    misses(&log, MS(2), 0, 2);
    goes(&log, MS(3), 0, 7, TRACE_OFF_RUNNABLE);
    goes(&log, MS(4), 7, 9, TRACE_OFF_RUNNABLE);
    goes(&log, MS(5), 9, 7, TRACE_OFF_RUNNABLE);
    scheduler_log_build(&log, &run);
    CHECK(threads[0].off_count == 1 && threads[0].offs[0].out == MS(4));
    CHECK(run.kernel_side->processors[0].uses[0].task == TASK_NONE);
    done(&log, &run);
}

/* One record that is missing on a processor between two of its switches is not 7's coming and its going: */
static void one_record_lost(void)
{
    struct timelines run = made();
    struct scheduler_log log = {0};
    named(&log, 7, 7, "");
    named(&log, 7, 8, "");
    goes(&log, MS(1), 7, 9, TRACE_OFF_SLEEPS);
    misses(&log, MS(2), 0, 1);
    goes(&log, MS(2), 0, 8, TRACE_OFF_RUNNABLE);
    misses(&log, MS(2), 1, 1); /* that are two, but of two processors */
    wakes(&log, MS(3), 7, 8, TRACE_CONTEXT_THREAD, 0);
    misses(&log, MS(4), 0, 1);
    goes(&log, MS(4), 0, 7, TRACE_OFF_RUNNABLE);
    goes(&log, MS(5), 7, 9, TRACE_OFF_SLEEPS);
    misses(&log, MS(6), 0, 1);
    misses(&log, MS(7), 0, 1); /* with no switch between */
    wakes(&log, MS(8), 7, 8, TRACE_CONTEXT_THREAD, 0);
    goes(&log, MS(8), 0, 7, TRACE_OFF_RUNNABLE);
    scheduler_log_build(&log, &run);
    const struct off_cpu *offs = threads[0].offs;
    CHECK(threads[0].off_count == 1);
    CHECK(offs[0].out == MS(1) && offs[0].woken == MS(3) && offs[0].in == MS(4));
    CHECK(offs[0].cause == OFF_THREAD && run.kernel_side->tasks[offs[0].waker].thread == 1);
    done(&log, &run);
}

/* It was 7's coming: what it went for at first is not known, and the waking is one before its next switch. */
static void coming_lost(void)
{
    struct timelines run = made();
    struct scheduler_log log = {0};
    named(&log, 7, 7, "");
    named(&log, 7, 8, "");
    goes(&log, MS(1), 7, 9, TRACE_OFF_SLEEPS);
    misses(&log, MS(2), 0, 1);
    wakes(&log, MS(3), 7, 8, TRACE_CONTEXT_THREAD, 0);
    goes(&log, MS(4), 7, 9, TRACE_OFF_SLEEPS);
    goes(&log, MS(5), 9, 7, TRACE_OFF_RUNNABLE);
    goes(&log, MS(6), 7, 9, TRACE_OFF_SLEEPS);
    misses(&log, MS(7), 0, 1);
    goes(&log, MS(8), 8, 9, TRACE_OFF_RUNNABLE);
    scheduler_log_build(&log, &run);
    const struct off_cpu *offs = threads[0].offs;
    CHECK(threads[0].off_count == 1);
    CHECK(offs[0].out == MS(4) && offs[0].woken == MS(4) && offs[0].in == MS(5));
    CHECK(offs[0].cause == OFF_THREAD);
    const struct off_cpu *open = &run.kernel_side->tasks[1].open;
    CHECK(run.kernel_side->tasks[1].tid == 7 && open->out == open->in); /* it may run again */
    done(&log, &run);
}

/* Who sleeps when a pause begins may come and go within it, and be seen to sleep again. */
static void recorder_paused(void)
{
    struct timelines run = made();
    struct scheduler_log log = {0};
    named(&log, 7, 7, "");
    goes(&log, MS(1), 7, 9, TRACE_OFF_SLEEPS);
    for (uint32_t processor = 0; processor < 2; processor++) {
        add(&log, MS(2),
            (struct scheduler_event){.kind = SCHEDULER_PAUSED, .processor = processor});
        add(&log, MS(4),
            (struct scheduler_event){.kind = SCHEDULER_RESUMED, .processor = processor});
    }
    goes(&log, MS(5), 9, 7, TRACE_OFF_RUNNABLE);
    add(&log, MS(6), (struct scheduler_event){.kind = SCHEDULER_PAUSED});
    scheduler_log_build(&log, &run);
    const struct kernel_pause *pauses = run.kernel_side->pauses;
    CHECK(threads[0].off_count == 0);
    CHECK(run.kernel_side->processors[0].uses[0].task == TASK_NONE);
    CHECK(run.kernel_side->pause_count == 2);
    CHECK(pauses[0].from == MS(2) && pauses[0].until == MS(4));
    CHECK(pauses[1].from == MS(6) && pauses[1].until == INT64_MAX);
    done(&log, &run);
}

/* A wrapper's block wins; what lies outside of it stays, but for what the clocks disagree by. */
static void joined_with_wrappers(void)
{
    struct timelines run = made();
    struct scheduler_log log = {0};
    struct block blocks[] = {{.start = MS(1) + 3000, .end = MS(2), .waker = THREAD_NONE},
                             {.start = MS(5), .end = MS(6), .waker = 1, .waker_time = MS(6) - 10}};
    threads[0].blocks = blocks;
    threads[0].block_count = 2;
    named(&log, 7, 7, "");
    named(&log, 7, 8, "");
    goes(&log, MS(1), 7, 0, TRACE_OFF_SLEEPS);
    wakes(&log, MS(2) - 500, 7, 8, TRACE_CONTEXT_THREAD, 0);
    goes(&log, MS(2) - 100, 0, 7, TRACE_OFF_RUNNABLE);
    goes(&log, MS(4), 7, 0, TRACE_OFF_SLEEPS);
    wakes(&log, MS(6) - 400, 7, 8, TRACE_CONTEXT_THREAD, 0);
    goes(&log, MS(6) - 200, 0, 7, TRACE_OFF_RUNNABLE);
    scheduler_log_build(&log, &run);
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
    done(&log, &run);
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
