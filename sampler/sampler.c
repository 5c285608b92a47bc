#include "sampler/sampler.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "sampler/chain_rate.h"
#include "sampler/event_merge.h"
#include "sampler/own_events.h"
#include "sampler/pace.h"
#include "sampler/point_recorder.h"
#include "sampler/priority.h"
#include "sampler/recorder_file.h"
#include "sampler/right.h"
#include "sampler/run_filter.h"
#include "sampler/scheduler_events.h"
#include "sampler/scheduler_totals.h"
#include "sampler/stack_recorder.h"
#include "sampler/tracepoint.h"

enum { RING_BYTES = 4 << 20, WAIT_MS = 100 };
/* A user without rights may lock 516 KB for each processor (kernel.perf_event_mlock_kb), and stacks need most of it. */
enum { OWN_RING_BYTES = 1 << 17 };
/* A processor may take so long to write down what it has a time for already. */
#define SETTLED_NS 2000000
/* How many wakings there are in interrupts is looked at so often. */
#define RATED_NS 20000000

struct sampler {
    enum trace_watched watched;
    struct right right;
    struct event_layout layout;
    struct perf_rings rings;
    struct event_merge merge;
    struct recorder_file file;
    struct run_filter filter;
    struct scheduler_totals totals;
    struct watch_list list;
    struct stack_recorder *stacks; /* NULL: none are recorded */
    struct point_recorder *points; /* NULL: the same */
    struct pace pace;
    bool paused;
    uint64_t own_ns, taken; /* the thread's time, and events, that the pace knows of */
    uint64_t points_ns;     /* what points took that it knows of ... */
    uint64_t window_points_ns,
        window_ns;                  /* ... and when the present window began, and when that was */
    struct chain_rate *chain_rates; /* by place */
    uint64_t rated_ns;              /* they were looked at */
    bool *confirms; /* by place: the switches are told twice, which they are at first */
    struct str missing, cure;
    struct str missing_late; /* "", or instead of `missing` */
    double start_s;
    pthread_t thread;
    atomic_bool stopping;
    int waker;
    pthread_mutex_t lock; /* of what follows, and of the list of the rings' events */
    pid_t *pids;          /* to be watched, as soon as the thread comes to it */
    size_t pid_count, pid_capacity;
};

/* ---- what is allowed ---- */

/* They stay what they are as long as the machine runs, and take longer to read than all else here:
 * once is enough for all recordings of this process. */
static const struct kernel_symbols *kernel_symbols(void)
{
    static struct kernel_symbols symbols;
    if (!symbols.count)
        kernel_symbols_read(&symbols);
    return &symbols;
}

static void lack(struct sampler *sampler, enum right_lack what, int refused)
{
    if (sampler->right.lack == RIGHT_NONE)
        sampler->right.lack = what, sampler->right.refused = refused;
}

/* Tracepoints have the ids of the first namespace; its inode is fixed (linux/proc_ns.h). */
static bool ids_are_the_kernels(void)
{
    const ino_t first = 0xEFFFFFFCu;
    struct stat namespace;
    return stat("/proc/self/ns/pid", &namespace) != 0 || namespace.st_ino == first;
}

static bool open_all(struct sampler *sampler, size_t ring_bytes)
{
    if (!ids_are_the_kernels()) {
        lack(sampler, RIGHT_IDS, 0);
        return false;
    }
    int tracefs = tracepoint_folder();
    bool there = tracefs >= 0 && event_layout_read(&sampler->layout, tracefs);
    int refused = tracefs < 0 ? errno : ENOENT;
    if (tracefs >= 0)
        close(tracefs);
    sampler->right.unmounted = tracefs < 0 && refused == EPERM;
    if (!scheduler_events_allowed()) {
        lack(sampler, RIGHT_EVENTS, errno);
        return false;
    }
    if (!there) {
        lack(sampler, RIGHT_TRACEPOINTS, refused);
        return false;
    }
    perf_rings_init(&sampler->rings, ring_bytes);
    if (!scheduler_events_open(&sampler->rings, &sampler->layout)) {
        lack(sampler, RIGHT_EVENTS, errno);
        return false;
    }
    sampler->layout.symbols = kernel_symbols();
    if (!kernel_symbols_readable())
        lack(sampler, RIGHT_SYMBOLS, errno);
    return true;
}

static bool open_own(struct sampler *sampler, size_t ring_bytes)
{
    perf_rings_init(&sampler->rings, ring_bytes);
    if (!own_events_open(&sampler->rings)) {
        lack(sampler, RIGHT_EVENTS, errno);
        return false;
    }
    sampler->layout.own_only = true;
    return true;
}

/* The descriptors are many on a large machine. A program that is started later shall not be allowed
 * more of them than it was: the result is to be set again. */
static struct rlimit allow_files(void)
{
    struct rlimit was = {RLIM_INFINITY, RLIM_INFINITY};
    if (getrlimit(RLIMIT_NOFILE, &was) == 0) {
        struct rlimit more = {was.rlim_max, was.rlim_max};
        setrlimit(RLIMIT_NOFILE, &more);
    }
    return was;
}

/* Those are of what runs, which has a clock only where a profile is wished for. */
static bool has_own_stacks(enum trace_watched watched, const struct sampler_options *options)
{
    return watched == TRACE_WATCHED_OWN && options->stacks.on && options->stacks.clock_ns;
}

static void open_most(struct sampler *sampler, const struct sampler_options *options)
{
    size_t ring_bytes = options->ring_bytes ? options->ring_bytes : RING_BYTES;
    bool shares = has_own_stacks(TRACE_WATCHED_OWN, options) && ring_bytes > OWN_RING_BYTES;
    struct rlimit was = allow_files();
    if (options->at_most > TRACE_WATCHED_ALL)
        lack(sampler, RIGHT_NOT_ASKED, 0);
    if (options->at_most <= TRACE_WATCHED_ALL && open_all(sampler, ring_bytes))
        sampler->watched = TRACE_WATCHED_ALL;
    else if (options->at_most <= TRACE_WATCHED_OWN &&
             open_own(sampler, shares ? OWN_RING_BYTES : ring_bytes))
        sampler->watched = TRACE_WATCHED_OWN;
    else
        sampler->watched = TRACE_WATCHED_TOTALS;
    setrlimit(RLIMIT_NOFILE, &was);
}

/* ---- the thread ---- */

static void watch(struct sampler *sampler, pid_t pid)
{
    if (sampler->watched == TRACE_WATCHED_TOTALS)
        scheduler_totals_watch(&sampler->totals, pid);
    else
        run_filter_watch(&sampler->filter, pid);
}

static void take_pids(struct sampler *sampler)
{
    pthread_mutex_lock(&sampler->lock);
    for (size_t i = 0; i < sampler->pid_count; i++)
        watch(sampler, sampler->pids[i]);
    sampler->pid_count = 0;
    pthread_mutex_unlock(&sampler->lock);
}

static void take_events(struct sampler *sampler, uint64_t until_ns)
{
    struct kernel_event event;
    event_merge_look(&sampler->merge, until_ns);
    while (event_merge_next(&sampler->merge, &event))
        run_filter_take(&sampler->filter, &event);
}

static void confirm_doubtful(struct sampler *sampler)
{
    for (uint32_t i = 0; i < sampler->rings.count; i++) {
        bool doubts = run_filter_doubts(&sampler->filter, sampler->rings.processors[i]);
        if (doubts != sampler->confirms[i])
            scheduler_events_confirm(&sampler->rings, i, doubts);
        sampler->confirms[i] = doubts;
    }
}

static void follow_chain_rates(struct sampler *sampler, uint64_t now_ns)
{
    uint64_t elapsed_ns = now_ns - sampler->rated_ns;
    if (elapsed_ns < RATED_NS)
        return;
    sampler->rated_ns = now_ns;
    for (uint32_t i = 0; i < sampler->rings.count; i++)
        chain_rate_follow(&sampler->chain_rates[i], sampler->rings.chains[i],
                          &sampler->filter.processors[sampler->rings.processors[i]], elapsed_ns);
}

/* Points that take no more than this part of the share go on in pauses, so that the latencies of all requests
 * are known (chosen). */
#define POINTS_PART 0.25

static void tell_pace_of_points(struct sampler *sampler)
{
    uint64_t taken_ns = sampler->points ? point_recorder_taken(sampler->points) : 0;
    pace_take(&sampler->pace, 0, taken_ns - sampler->points_ns);
    sampler->points_ns = taken_ns;
}

static bool points_cost_much(const struct sampler *sampler, uint64_t now_ns)
{
    double taken_ns = (double)(sampler->points_ns - sampler->window_points_ns);
    double window_ns = (double)(now_ns - sampler->window_ns);
    return taken_ns > POINTS_PART * sampler->pace.share * window_ns;
}

/* What the recording took since the last look. */
static void tell_pace(struct sampler *sampler)
{
    struct timespec own;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own);
    uint64_t own_ns = (uint64_t)own.tv_sec * 1000000000 + (uint64_t)own.tv_nsec;
    pace_take(&sampler->pace, sampler->filter.taken - sampler->taken, own_ns - sampler->own_ns);
    sampler->own_ns = own_ns;
    sampler->taken = sampler->filter.taken;
    tell_pace_of_points(sampler);
}

static void begin_pause(struct sampler *sampler, uint64_t now_ns)
{
    pthread_mutex_lock(&sampler->lock);
    perf_rings_pause(&sampler->rings);
    pthread_mutex_unlock(&sampler->lock);
    if (sampler->stacks)
        stack_recorder_pause(sampler->stacks, true);
    if (sampler->points && points_cost_much(sampler, now_ns))
        point_recorder_pause(sampler->points, true);
    for (uint32_t i = 0; i < sampler->rings.count; i++)
        scheduler_events_confirm(&sampler->rings, i, sampler->confirms[i] = false);
    take_events(sampler, now_ns);
    run_filter_pause(&sampler->filter, now_ns);
}

/* To open the first event that tells switches twice takes until all processors have heard of it, a second on a busy
 * machine: it is done before the rings are filled, which would run over meanwhile. */
static void end_pause(struct sampler *sampler)
{
    if (sampler->watched == TRACE_WATCHED_ALL)
        confirm_doubtful(sampler);
    pthread_mutex_lock(&sampler->lock);
    perf_rings_enable(&sampler->rings);
    pthread_mutex_unlock(&sampler->lock);
    if (sampler->stacks)
        stack_recorder_pause(sampler->stacks, false);
    if (sampler->points)
        point_recorder_pause(sampler->points, false);
    uint64_t now_ns = clock_ns();
    sampler->rated_ns = sampler->window_ns = now_ns;
    sampler->window_points_ns = sampler->points_ns;
    take_events(sampler, now_ns);
    run_filter_resume(&sampler->filter, now_ns);
}

static void keep_pace(struct sampler *sampler)
{
    uint64_t now_ns = clock_ns();
    tell_pace(sampler);
    bool records = pace_records(&sampler->pace, now_ns);
    if (records && sampler->paused)
        end_pause(sampler);
    else if (!records && !sampler->paused)
        begin_pause(sampler, now_ns);
    sampler->paused = !records;
}

static void work(struct sampler *sampler)
{
    uint64_t until_ns = clock_ns() - SETTLED_NS;
    take_pids(sampler);
    if (sampler->watched == TRACE_WATCHED_TOTALS) {
        scheduler_totals_read(&sampler->totals);
        return;
    }
    take_events(sampler, until_ns);
    run_filter_write(&sampler->filter, until_ns);
    run_filter_look(&sampler->filter, until_ns, false);
    keep_pace(sampler);
    if (sampler->watched != TRACE_WATCHED_ALL || sampler->paused)
        return;
    confirm_doubtful(sampler);
    follow_chain_rates(sampler, clock_ns());
}

static void *run(void *context)
{
    struct sampler *sampler = context;
    eventfd_t calls;
    pthread_setname_np(pthread_self(), "vprof-sampler");
    priority_raise();
    while (!atomic_load(&sampler->stopping)) {
        perf_rings_wait(&sampler->rings, WAIT_MS);
        eventfd_read(sampler->waker, &calls);
        work(sampler);
    }
    return NULL;
}

/* ---- from outside ---- */

static bool open_file(struct sampler *sampler, const struct sampler_options *options,
                      struct error *error)
{
    struct str path = {0};
    long processors = sysconf(_SC_NPROCESSORS_CONF);
    str_printf(&path, "%s/%s", options->directory, SAMPLER_FILE);
    bool made = recorder_file_open(&sampler->file, path.data, (uint32_t)processors,
                                   options->most_bytes, error);
    str_release(&path);
    if (made)
        sampler->file.header->watched = sampler->watched;
    return made;
}

static void release(struct sampler *sampler)
{
    event_merge_release(&sampler->merge);
    watch_list_release(&sampler->list);
    perf_rings_close(&sampler->rings);
    run_filter_release(&sampler->filter);
    scheduler_totals_release(&sampler->totals);
    str_release(&sampler->missing);
    str_release(&sampler->missing_late);
    str_release(&sampler->cure);
    memory_free(sampler->pids);
    memory_free(sampler->confirms);
    memory_free(sampler->chain_rates);
    if (sampler->waker >= 0)
        close(sampler->waker);
    pthread_mutex_destroy(&sampler->lock);
    memory_free(sampler);
}

/* What was before the last event was switched on is not whole, and left out. */
static void begin(struct sampler *sampler, const struct sampler_options *options)
{
    double processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
    pace_init(&sampler->pace, options->share * processors, (double)options->free_ns, clock_ns());
    run_filter_init(&sampler->filter, &sampler->file);
    sampler->filter.list = &sampler->list;
    scheduler_totals_init(&sampler->totals, &sampler->file);
    event_merge_init(&sampler->merge, sampler->rings.rings, sampler->rings.count, &sampler->layout);
    sampler->confirms = memory_alloc(sampler->rings.count + 1);
    memset(sampler->confirms, false, sampler->rings.count);
    sampler->chain_rates = memory_zeroed((sampler->rings.count + 1) * sizeof *sampler->chain_rates);
    sampler->rated_ns = sampler->window_ns = clock_ns();
    sampler->waker = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    sampler->rings.waker = sampler->waker;
    if (sampler->watched == TRACE_WATCHED_ALL)
        confirm_doubtful(sampler);
    if (sampler->watched != TRACE_WATCHED_TOTALS)
        perf_rings_enable(&sampler->rings);
    sampler->merge.from_ns = clock_ns();
    sampler->start_s = clock_s();
    right_missing(&sampler->missing, sampler->right, sampler->watched);
    right_cure(&sampler->cure, sampler->right);
}

static void add_missing(struct sampler *sampler, const struct error *error)
{
    str_printf(&sampler->missing, "%s%s", sampler->missing.length ? " " : "", error->message);
}

/* Without them all else is recorded as ever. */
static void start_points(struct sampler *sampler, const struct sampler_options *options)
{
    struct error error;
    if (!options->points)
        return;
    struct rlimit was = allow_files();
    sampler->points = point_recorder_start(options->directory, options->points, &sampler->list,
                                           options->most_bytes, &error);
    setrlimit(RLIMIT_NOFILE, &was);
    if (!sampler->points)
        add_missing(sampler, &error);
}

static void start_stacks(struct sampler *sampler, const struct sampler_options *options)
{
    struct error error;
    bool all = sampler->watched == TRACE_WATCHED_ALL;
    if (!options->stacks.on || (!all && !has_own_stacks(sampler->watched, options)))
        return;
    struct rlimit was = allow_files();
    sampler->stacks =
        stack_recorder_start(options->directory, &options->stacks, all ? &sampler->layout : NULL,
                             options->points, &sampler->list, &error);
    setrlimit(RLIMIT_NOFILE, &was);
    if (!sampler->stacks)
        add_missing(sampler, &error);
    else if (!all)
        str_append(&sampler->missing,
                   " Stacks are of what runs outside of the kernel; in which calls "
                   "threads wait is not seen.");
}

struct sampler *sampler_start(const struct sampler_options *options, struct error *error)
{
    struct sampler *sampler = memory_zeroed(sizeof *sampler);
    watch_list_init(&sampler->list);
    pthread_mutex_init(&sampler->lock, NULL);
    sampler->waker = -1;
    open_most(sampler, options);
    if (!open_file(sampler, options, error)) {
        release(sampler);
        return NULL;
    }
    begin(sampler, options);
    start_stacks(sampler, options);
    start_points(sampler, options);
    int failed = pthread_create(&sampler->thread, NULL, run, sampler);
    if (failed) {
        struct error ignored;
        recorder_file_close(&sampler->file, &ignored);
        release(sampler);
        errno = failed;
        error_system(error, "cannot make a thread that records");
        return NULL;
    }
    return sampler;
}

/* 0, or errno. A text that was given out before stays where it is. */
static int attach(struct sampler *sampler, pid_t pid)
{
    struct rlimit was = allow_files();
    size_t refused = own_events_watch(&sampler->rings, pid);
    int reason = errno;
    setrlimit(RLIMIT_NOFILE, &was);
    if (!refused || sampler->missing_late.length)
        return refused ? reason : 0;
    str_printf(&sampler->missing_late,
               "%s%s%zu thread%s of process %d could not be attached to (%s).",
               str_text(&sampler->missing), sampler->missing.length ? " " : "", refused,
               refused == 1 ? "" : "s", (int)pid, strerror(reason));
    return reason;
}

/* What is missing of its switches, too, is told already. */
static void watch_stacks(struct sampler *sampler, pid_t pid)
{
    struct rlimit was = allow_files();
    stack_recorder_watch(sampler->stacks, pid);
    setrlimit(RLIMIT_NOFILE, &was);
}

bool sampler_watch(struct sampler *sampler, pid_t pid)
{
    int refused = 0;
    watch_list_add_process(&sampler->list, (uint32_t)pid);
    pthread_mutex_lock(&sampler->lock);
    if (sampler->watched == TRACE_WATCHED_OWN)
        refused = attach(sampler, pid);
    if (sampler->stacks)
        watch_stacks(sampler, pid);
    VEC_PUSH(sampler->pids, sampler->pid_count, sampler->pid_capacity) = pid;
    pthread_mutex_unlock(&sampler->lock);
    eventfd_write(sampler->waker, 1);
    errno = refused;
    return !refused;
}

enum trace_watched sampler_watched(const struct sampler *sampler)
{
    return sampler->watched;
}

bool sampler_has_points(const struct sampler *sampler)
{
    return sampler->points != NULL;
}

const char *sampler_missing(const struct sampler *sampler)
{
    return str_text(sampler->missing_late.length ? &sampler->missing_late : &sampler->missing);
}

const char *sampler_cure(const struct sampler *sampler)
{
    return str_text(&sampler->cure);
}

/* A ring that was full at the end has had no room to say so. */
static void take_untold_losses(struct sampler *sampler)
{
    for (uint32_t i = 0; i < sampler->rings.count; i++) {
        uint64_t lost = perf_rings_lost(&sampler->rings, i);
        struct kernel_event event = {
            .kind = EVENT_LOST, .time_ns = clock_ns(), .processor = sampler->rings.processors[i]};
        uint64_t told = sampler->filter.processors[event.processor].lost;
        event.lost = lost > told ? lost - told : 0;
        if (event.lost)
            run_filter_take(&sampler->filter, &event);
    }
}

static void finish(struct sampler *sampler)
{
    take_pids(sampler);
    if (sampler->watched == TRACE_WATCHED_TOTALS) {
        scheduler_totals_finish(&sampler->totals);
        return;
    }
    perf_rings_disable(&sampler->rings);
    take_events(sampler, UINT64_MAX);
    take_untold_losses(sampler);
    run_filter_look(&sampler->filter, clock_ns(), true);
    run_filter_finish(&sampler->filter);
}

bool sampler_stop(struct sampler *sampler, struct sampler_report *report, struct error *error)
{
    atomic_store(&sampler->stopping, true);
    eventfd_write(sampler->waker, 1);
    pthread_join(sampler->thread, NULL);
    finish(sampler);
    struct stack_report stacks = {0};
    struct point_report points = {0};
    bool whole = !sampler->stacks || stack_recorder_stop(sampler->stacks, &stacks, error);
    whole = (!sampler->points || point_recorder_stop(sampler->points, &points, error)) && whole;
    uint64_t lost = sampler->file.header->lost_records;
    whole = recorder_file_close(&sampler->file, error) && whole;
    if (report)
        *report = (struct sampler_report){.watched = sampler->watched,
                                          .records = sampler->file.records,
                                          .bytes = sampler->file.end_bytes,
                                          .lost = lost,
                                          .untold = sampler->filter.untold,
                                          .stacks = stacks.stacks,
                                          .stacks_cut = stacks.cut,
                                          .stacks_lost = stacks.lost,
                                          .hits = points.hits,
                                          .hits_lost = points.lost,
                                          .hits_of_others = points.others,
                                          .hits_pauses = points.pauses,
                                          .seconds = clock_s() - sampler->start_s};
    release(sampler);
    return whole;
}
