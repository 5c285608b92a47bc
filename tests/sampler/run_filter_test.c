/* run_filter.h: what is written of a machine's events, read back: by hand-made ones, whose waits are known. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "sampler/run_filter.h"
#include "trace/off_cpu.h"
#include "trace/timeline_load.h"

#define LENGTH_MS(n) ((n)*INT64_C(1000000))
#define MS(n) (start_ns + (uint64_t)LENGTH_MS(n)) /* since the recording began */
/* No thread of this machine has such ids: nothing is asked of /proc. */
enum { RUN = 5000007, OTHER = 5000008, WORKER = 5000009, WAKER = 5000010, DEVICE = 8 << 20 };

static uint64_t start_ns;
static char folder[64];

struct recording {
    struct recorder_file file;
    struct run_filter filter;
    struct timelines run;
};

static void begin_without(struct recording *r)
{
    struct error error;
    char path[96];
    memset(r, 0, sizeof *r);
    start_ns = clock_ns();
    snprintf(path, sizeof path, "%s/kernel.vtr", folder);
    CHECK(recorder_file_open(&r->file, path, 2, 0, &error));
    r->file.header->watched = TRACE_WATCHED_ALL;
    run_filter_init(&r->filter, &r->file);
}

static void begin(struct recording *r)
{
    begin_without(r);
    run_filter_watch(&r->filter, RUN);
}

static void end(struct recording *r)
{
    struct error error;
    while (clock_ns() < MS(20)) /* what is recorded is never of later than the recording's end */
        usleep(1000);
    run_filter_finish(&r->filter);
    run_filter_release(&r->filter);
    CHECK(recorder_file_close(&r->file, &error));
    CHECK(timelines_open(&r->run, folder, &error));
}

static void goes(struct recording *r, uint64_t at_ns, uint32_t processor, uint32_t from,
                 uint32_t to)
{
    struct kernel_event event = {.kind = EVENT_SWITCH,
                                 .time_ns = at_ns,
                                 .processor = processor,
                                 .tid = from,
                                 .pid = from,
                                 .other = to,
                                 .state = from ? TRACE_OFF_SLEEPS : TRACE_OFF_RUNNABLE};
    run_filter_take(&r->filter, &event);
}

static void wakes(struct recording *r, uint64_t at_ns, uint32_t processor, uint32_t waker,
                  uint32_t woken)
{
    struct kernel_event event = {.kind = EVENT_WAKING,
                                 .time_ns = at_ns,
                                 .processor = processor,
                                 .tid = waker,
                                 .pid = waker,
                                 .other = woken};
    run_filter_take(&r->filter, &event);
}

static void request(struct recording *r, uint64_t at_ns, enum kernel_event_kind kind,
                    enum trace_request_what what, uint32_t tid, uint64_t sector)
{
    struct kernel_event event = {.kind = kind,
                                 .time_ns = at_ns,
                                 .tid = tid,
                                 .pid = tid,
                                 .device = DEVICE,
                                 .sector = sector,
                                 .bytes = 4096,
                                 .what = (uint8_t)what};
    run_filter_take(&r->filter, &event);
}

/* It moves nothing, and its request has no sector of its own. */
static void flush(struct recording *r, uint64_t at_ns, enum kernel_event_kind kind, uint32_t tid)
{
    struct kernel_event event = {
        .kind = kind, .time_ns = at_ns, .tid = tid, .pid = tid, .device = DEVICE, .flush = true};
    run_filter_take(&r->filter, &event);
}

static const struct kernel_task *task_of(const struct recording *r, uint32_t tid)
{
    const struct kernel_side *side = r->run.kernel_side;
    for (uint32_t i = 0; i < side->task_count; i++)
        if (side->tasks[i].tid == tid)
            return &side->tasks[i];
    return NULL;
}

/* The idle thread of processor 0 goes, and the kernel does not tell it, again and again: what follows there is of
 * no interest, and each gap is over all the same. */
static void waits_over_gaps(void)
{
    struct recording r;
    begin(&r);
    goes(&r, MS(1), 0, RUN, 0);
    for (uint64_t i = 2; i < 8; i++)
        goes(&r, MS(i), 0, OTHER, 0);
    goes(&r, MS(8), 1, 0, WAKER);
    wakes(&r, MS(9), 1, WAKER, RUN);
    goes(&r, MS(10), 1, WAKER, RUN);
    goes(&r, MS(11), 1, RUN, 0);
    CHECK(r.file.header->lost_records == 6);
    end(&r);
    const struct kernel_task *task = task_of(&r, RUN), *waker = task_of(&r, WAKER);
    CHECK(task && waker && task->off_count == 1);
    if (task && waker && task->off_count == 1) {
        time_ns from = task->offs[0].out;
        CHECK(task->offs[0].woken - from == LENGTH_MS(8));
        CHECK(task->offs[0].in - from == LENGTH_MS(9));
        CHECK(r.run.kernel_side->tasks[task->offs[0].waker].tid == WAKER);
    }
    timelines_release(&r.run);
}

/* A request is of who asked for it, whoever hands it to the device; and without that of who does. */
/* The kernel took its time for what found no room, too: a pace that did not know would never pause. */
static void lost_events_were_taken(void)
{
    struct recording r;
    begin(&r);
    goes(&r, MS(1), 0, RUN, 0);
    uint64_t before = r.filter.taken;
    struct kernel_event event = {.kind = EVENT_LOST, .time_ns = MS(2), .lost = 1000};
    run_filter_take(&r.filter, &event);
    CHECK(r.filter.taken - before >= 1000);
    end(&r);
    timelines_release(&r.run);
}

static void requests_are_of_who_asked(void)
{
    struct recording r;
    begin(&r);
    goes(&r, MS(1), 0, 0, RUN);
    request(&r, MS(2), EVENT_ASKED, TRACE_REQUEST_ISSUED, RUN, 800);
    goes(&r, MS(3), 0, RUN, WORKER);
    request(&r, MS(4), EVENT_REQUEST, TRACE_REQUEST_ISSUED, WORKER, 800);
    request(&r, MS(5), EVENT_REQUEST, TRACE_REQUEST_DONE, 0, 800);
    request(&r, MS(6), EVENT_REQUEST, TRACE_REQUEST_ISSUED, WORKER, 800); /* once is not twice */
    request(&r, MS(7), EVENT_REQUEST, TRACE_REQUEST_DONE, 0, 800);
    goes(&r, MS(8), 0, WORKER, RUN);
    request(&r, MS(9), EVENT_REQUEST, TRACE_REQUEST_ISSUED, RUN, 900);
    flush(&r, MS(10), EVENT_ASKED, RUN);
    flush(&r, MS(11), EVENT_REQUEST, WORKER);
    goes(&r, MS(12), 0, RUN, 0);
    end(&r);
    const struct kernel_side *side = r.run.kernel_side;
    static const uint32_t whose[] = {RUN, WORKER, RUN, RUN};
    CHECK(side->request_count == 4);
    for (size_t i = 0; i < side->request_count && i < 4; i++)
        CHECK(side->requests[i].task != TASK_NONE &&
              side->tasks[side->requests[i].task].tid == whose[i]);
    timelines_release(&r.run);
}

static void begins(struct recording *r, uint64_t at_ns, uint32_t pid)
{
    struct kernel_event event = {.kind = EVENT_NAME,
                                 .time_ns = at_ns,
                                 .pid = pid,
                                 .tid = pid,
                                 .name = "server",
                                 .exec = true};
    run_filter_take(&r->filter, &event);
}

static void is_made(struct recording *r, uint64_t at_ns)
{
    struct kernel_event birth = {.kind = EVENT_BIRTH,
                                 .time_ns = at_ns,
                                 .pid = (uint32_t)getpid(),
                                 .tid = (uint32_t)getpid(),
                                 .other = RUN,
                                 .other_pid = RUN};
    run_filter_take(&r->filter, &birth);
}

/* A process that this one has made waits, and is waited for, before it is the program: that is not the program's.
 * It need not be known to be the run's by then. */
static void program_begins_with_exec(bool watched_late)
{
    struct recording r;
    begin_without(&r);
    is_made(&r, MS(1));
    if (!watched_late)
        run_filter_watch(&r.filter, RUN);
    goes(&r, MS(2), 0, 0, RUN);
    goes(&r, MS(3), 0, RUN, 0);
    wakes(&r, MS(4), 0, WAKER, RUN);
    goes(&r, MS(5), 0, 0, RUN);
    begins(&r, MS(6), RUN);
    if (watched_late)
        run_filter_watch(&r.filter, RUN);
    goes(&r, MS(8), 0, RUN, 0);
    wakes(&r, MS(9), 0, WAKER, RUN);
    goes(&r, MS(10), 0, 0, RUN);
    begins(&r, MS(11), RUN); /* the program begins another one, and is the run all the same */
    goes(&r, MS(12), 0, RUN, 0);
    end(&r);
    const struct kernel_task *task = task_of(&r, RUN);
    const struct processor *processor = &r.run.kernel_side->processors[0];
    CHECK(task && strcmp(task->name, "server") == 0 && task->off_count == 1);
    CHECK(processor->count && processor->uses[0].task != TASK_NONE);
    if (task && task->off_count == 1 && processor->count)
        CHECK(task->offs[0].out - processor->uses[0].start == LENGTH_MS(2));
    timelines_release(&r.run);
}

/* What could not begin has done nothing. */
static void no_program_begins(void)
{
    struct recording r;
    begin_without(&r);
    is_made(&r, MS(1));
    run_filter_watch(&r.filter, RUN);
    goes(&r, MS(2), 0, 0, RUN);
    goes(&r, MS(3), 0, RUN, 0);
    wakes(&r, MS(4), 0, WAKER, RUN);
    goes(&r, MS(5), 0, 0, RUN);
    struct kernel_event ends = {
        .kind = EVENT_SWITCH, .time_ns = MS(6), .tid = RUN, .pid = RUN, .state = TRACE_OFF_ENDED};
    run_filter_take(&r.filter, &ends);
    end(&r);
    const struct kernel_task *task = task_of(&r, RUN);
    CHECK(!task || task->off_count == 0);
    timelines_release(&r.run);
}

/* A process that a record names has its title told, the latest, behind all else. */
static void titles_are_told(void)
{
    struct recording r;
    begin(&r);
    goes(&r, MS(1), 0, 0, RUN);
    goes(&r, MS(2), 0, RUN, 0);
    VEC_PUSH(r.filter.titles.items, r.filter.titles.count, r.filter.titles.capacity) =
        (struct process_title){.pid = RUN, .text = "toy: writer"};
    VEC_PUSH(r.filter.titles.items, r.filter.titles.count, r.filter.titles.capacity) =
        (struct process_title){.pid = OTHER, .text = "toy: of nobody"};
    end(&r);
    const struct kernel_task *task = task_of(&r, RUN);
    CHECK(task && strcmp(task->title, "toy: writer") == 0);
    CHECK(!task_of(&r, OTHER));
    timelines_release(&r.run);
}

int main(void)
{
    char path[96];
    snprintf(folder, sizeof folder, "/tmp/vprofiler-filter-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    waits_over_gaps();
    lost_events_were_taken();
    requests_are_of_who_asked();
    titles_are_told();
    program_begins_with_exec(false);
    program_begins_with_exec(true);
    no_program_begins();
    snprintf(path, sizeof path, "%s/kernel.vtr", folder);
    unlink(path);
    rmdir(folder);
    return CHECK_DONE();
}
