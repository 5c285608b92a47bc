#include "sampler/point_recorder.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "sampler/point_budget.h"
#include "sampler/point_events.h"
#include "sampler/priority.h"
#include "sampler/recorder_file.h"
#include "sampler/socket_table.h"

enum { RING_BYTES = 4 << 20, WAIT_MS = 20 };
/* A processor may take so long to write down what it has a time for already. */
#define SETTLED_NS UINT64_C(2000000)
/* So long after its first hit a process of the run is in the list at the latest. */
#define KEPT_NS UINT64_C(500000000)
/* What a hit takes of its thread's time (measured: docs/measurements/kernel.md): most of a probed instruction's is
 * the trap, and the single step where it has to be executed by itself. */
#define PLACE_NS UINT64_C(5000)
#define CALL_NS UINT64_C(1000)
/* So long a process that is not of the run is taken to be none; then its number may be another's. */
#define FOREIGN_NS UINT64_C(10000000000)

struct kept_seen {
    struct point_seen seen;
    bool closes; /* it is no hit: its point is closed from that moment on */
};

struct point_recorder {
    struct point_events events;
    struct point_budget budget;
    struct recorder_file file;
    struct socket_table sockets;
    struct watch_list *list;
    struct hash_map foreign; /* pid -> when it turned out not to be of the run */
    /* pid of who calls on what is no socket, and may be of the run -> since when */
    struct hash_map strangers;
    struct kept_seen *kept; /* by time, from `first` on: not written yet */
    size_t first, count, capacity;
    struct point_report report;
    uint32_t last_processor; /* of what was written last */
    bool paused;
    uint64_t from_ns;    /* all points have been watched since then */
    uint64_t hits_ns;    /* that hits took */
    atomic_ullong taken; /* with the thread's own time */
    pthread_t thread;
    atomic_bool stopping, pausing;
    int waker;
};

/* ---- writing ---- */

static void write_hit(struct point_recorder *recorder, const struct point_seen *seen)
{
    struct trace_point_hit record = {.pid = seen->pid,
                                     .tid = seen->tid,
                                     .point = seen->point + 1,
                                     .unknown = seen->unknown,
                                     .value = seen->value,
                                     .second = seen->second};
    recorder->report.hits++;
    recorder->last_processor = seen->processor;
    recorder_file_add(&recorder->file, seen->processor, seen->time_ns, TRACE_POINT_HIT, &record);
}

static void write_lost(struct point_recorder *recorder, uint32_t processor, uint64_t time_ns,
                       uint64_t hits)
{
    struct trace_points_lost record = {.hits = hits};
    recorder->report.lost += hits;
    recorder->last_processor = processor;
    recorder_file_add(&recorder->file, processor, time_ns, TRACE_POINTS_LOST, &record);
}

static void write_closed(struct point_recorder *recorder, const struct point_seen *seen)
{
    struct trace_point_closed record = {.point = seen->point + 1};
    recorder_file_add(&recorder->file, seen->processor, seen->time_ns, TRACE_POINT_CLOSED, &record);
}

/* False: it may still turn out to be of the run. */
static bool settle(struct point_recorder *recorder, const struct kept_seen *kept, uint64_t now_ns)
{
    const struct point_seen *seen = &kept->seen;
    if (kept->closes) {
        write_closed(recorder, seen);
        return true;
    }
    if (seen->lost || seen->pauses) {
        write_lost(recorder, seen->pauses ? recorder->last_processor : seen->processor,
                   seen->time_ns, seen->lost);
        return true;
    }
    if (watch_list_has_process(recorder->list, seen->pid)) {
        write_hit(recorder, seen);
        return true;
    }
    bool over = now_ns - seen->time_ns > KEPT_NS;
    recorder->report.others += over;
    if (over)
        *hash_map_put(&recorder->foreign, seen->pid) = now_ns;
    return over;
}

static void write_kept(struct point_recorder *recorder, uint64_t now_ns)
{
    while (recorder->first < recorder->count &&
           settle(recorder, &recorder->kept[recorder->first], now_ns))
        recorder->first++;
    if (!recorder->first || recorder->first < recorder->count / 2)
        return;
    recorder->count -= recorder->first;
    memmove(recorder->kept, recorder->kept + recorder->first,
            recorder->count * sizeof *recorder->kept);
    recorder->first = 0;
}

/* ---- taking ---- */

/* What happens to files is not of interest, nor what the process asks others. */
static bool is_on_socket(struct point_recorder *recorder, const struct point_seen *seen)
{
    uint32_t descriptor = (uint32_t)seen->value;
    uint8_t role = recorder->events.plan->points[seen->point].role;
    if (role == TRACE_POINT_POLL)
        return true;
    if (role == TRACE_POINT_ACCEPT || role == TRACE_POINT_CONNECT)
        socket_table_set(&recorder->sockets, seen->pid, descriptor, role == TRACE_POINT_ACCEPT);
    if (role != TRACE_POINT_CLOSE)
        return socket_table_is(&recorder->sockets, seen->pid, descriptor, seen->is_socket);
    return socket_table_forget(&recorder->sockets, seen->pid, descriptor);
}

static bool is_foreign(const struct point_recorder *recorder, const struct point_seen *seen)
{
    const uint64_t *since = hash_map_get(&recorder->foreign, seen->pid);
    return !seen->lost && since && seen->time_ns < *since + FOREIGN_NS &&
           !watch_list_has_process(recorder->list, seen->pid);
}

/* Nothing of them is kept that would turn out to be of others: it is known by time. */
static void note_stranger(struct point_recorder *recorder, const struct point_seen *seen)
{
    if (watch_list_has_process(recorder->list, seen->pid))
        return;
    uint64_t *since = hash_map_put(&recorder->strangers, seen->pid);
    if (!*since || seen->time_ns - *since > FOREIGN_NS)
        *since = seen->time_ns;
    else if (seen->time_ns - *since > KEPT_NS)
        *hash_map_put(&recorder->foreign, seen->pid) = seen->time_ns;
}

/* What a descriptor is is asked at once: it may be another one soon. */
static void take(struct point_recorder *recorder, const struct point_seen *seen)
{
    recorder->hits_ns += seen->is_call ? CALL_NS : PLACE_NS;
    if (!seen->lost && seen->time_ns < recorder->from_ns)
        return;
    if (seen->lost)
        point_budget_take_lost(&recorder->budget, seen->lost);
    else if (recorder->budget.points[seen->point].closed)
        return;
    else
        point_budget_take(&recorder->budget, seen->point);
    if (is_foreign(recorder, seen)) {
        recorder->report.others++;
        if (seen->is_call)
            foreign_threads_count(&recorder->events.foreign, seen->pid, seen->tid);
        return;
    }
    if (seen->is_call && !is_on_socket(recorder, seen)) {
        note_stranger(recorder, seen);
        return;
    }
    VEC_PUSH(recorder->kept, recorder->count, recorder->capacity) =
        (struct kept_seen){*seen, false};
}

static void take_all(struct point_recorder *recorder, uint64_t until_ns)
{
    struct point_seen seen;
    point_events_look(&recorder->events, until_ns);
    while (point_events_next(&recorder->events, &seen))
        take(recorder, &seen);
}

/* ---- pauses ---- */

/* It stands where it was told: behind all that was seen before. On which processor's log is known when it is
 * written. */
static void mark_pause(struct point_recorder *recorder)
{
    recorder->from_ns = clock_ns();
    VEC_PUSH(recorder->kept, recorder->count, recorder->capacity) =
        (struct kept_seen){{.time_ns = recorder->from_ns, .pauses = true}, false};
}

static void begin_pause(struct point_recorder *recorder)
{
    point_events_pause(&recorder->events);
    take_all(recorder, UINT64_MAX);
    mark_pause(recorder);
    recorder->report.pauses++;
    recorder->paused = true;
}

static void end_pause(struct point_recorder *recorder)
{
    if (!point_events_resume(&recorder->events)) /* perhaps the next time */
        return;
    mark_pause(recorder);
    recorder->paused = false;
}

static void follow(struct point_recorder *recorder)
{
    bool pausing = atomic_load(&recorder->pausing);
    struct timespec own;
    if (pausing && !recorder->paused)
        begin_pause(recorder);
    else if (!pausing && recorder->paused)
        end_pause(recorder);
    else if (!pausing &&
             foreign_threads_follow(&recorder->events.foreign, recorder->list, clock_ns()))
        point_events_filter(&recorder->events);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own);
    recorder->report.own_ns = (uint64_t)own.tv_sec * 1000000000 + (uint64_t)own.tv_nsec;
    atomic_store(&recorder->taken, recorder->report.own_ns + recorder->hits_ns);
}

/* All that is older than `until_ns` has been taken. */
static void keep_budget(struct point_recorder *recorder, uint64_t until_ns)
{
    struct point_seen seen = {.time_ns = until_ns,
                              .processor = recorder->events.rings.processors[0]};
    while (point_budget_over(&recorder->budget, until_ns, &seen.point)) {
        point_events_close_point(&recorder->events, seen.point);
        VEC_PUSH(recorder->kept, recorder->count, recorder->capacity) =
            (struct kept_seen){seen, true};
    }
}

static void *run(void *context)
{
    struct point_recorder *recorder = context;
    eventfd_t calls;
    pthread_setname_np(pthread_self(), "vprof-points");
    priority_raise();
    while (!atomic_load(&recorder->stopping)) {
        perf_rings_wait(&recorder->events.rings, WAIT_MS);
        eventfd_read(recorder->waker, &calls);
        uint64_t until_ns = clock_ns() - SETTLED_NS;
        take_all(recorder, until_ns);
        keep_budget(recorder, until_ns);
        write_kept(recorder, clock_ns());
        follow(recorder);
    }
    return NULL;
}

/* ---- beginning and end ---- */

static void release(struct point_recorder *recorder)
{
    point_events_close(&recorder->events);
    point_budget_release(&recorder->budget);
    socket_table_release(&recorder->sockets);
    hash_map_release(&recorder->foreign);
    hash_map_release(&recorder->strangers);
    memory_free(recorder->kept);
    if (recorder->waker >= 0)
        close(recorder->waker);
    memory_free(recorder);
}

/* A name has no line's end in it, as little as a symbol has. */
static void write_points(struct point_recorder *recorder, const struct point_plan *plan)
{
    struct str text = {0};
    for (size_t i = 0; i < plan->point_count; i++) {
        const struct planned_point *point = &plan->points[i];
        str_printf(&text, "%zu %u %u %u %s\n", i + 1, point->wish, point->role, point->joined,
                   point->name);
    }
    recorder_file_add_chunk(&recorder->file, TRACE_CHUNK_POINTS, 0, str_text(&text),
                            text.length + 1);
    str_release(&text);
}

static bool open_file(struct point_recorder *recorder, const char *directory, uint64_t most_bytes,
                      struct error *error)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", directory, POINT_RECORDER_FILE);
    bool made = recorder_file_open(&recorder->file, path.data,
                                   (uint32_t)sysconf(_SC_NPROCESSORS_CONF), most_bytes, error);
    str_release(&path);
    return made;
}

static bool begin(struct point_recorder *recorder, const char *directory, uint64_t most_bytes,
                  struct error *error)
{
    recorder->waker = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    recorder->events.rings.waker = recorder->waker;
    perf_rings_enable(&recorder->events.rings);
    if (!open_file(recorder, directory, most_bytes,
                   error)) /* its times begin when all events are on */
        return false;
    write_points(recorder, recorder->events.plan);
    int failed = pthread_create(&recorder->thread, NULL, run, recorder);
    if (!failed)
        return true;
    struct error ignored;
    recorder_file_close(&recorder->file, &ignored);
    errno = failed;
    return error_system(error, "cannot make a thread that records points");
}

struct point_recorder *point_recorder_start(const char *directory, const struct point_plan *plan,
                                            struct watch_list *list, uint64_t most_bytes,
                                            struct error *error)
{
    struct point_recorder *recorder = memory_zeroed(sizeof *recorder);
    recorder->list = list;
    recorder->waker = -1;
    point_budget_init(&recorder->budget, plan, clock_ns());
    if (point_events_open(&recorder->events, plan, RING_BYTES, error) &&
        begin(recorder, directory, most_bytes, error))
        return recorder;
    release(recorder);
    return NULL;
}

void point_recorder_pause(struct point_recorder *recorder, bool paused)
{
    atomic_store(&recorder->pausing, paused);
    eventfd_write(recorder->waker, 1);
}

uint64_t point_recorder_taken(const struct point_recorder *recorder)
{
    return atomic_load(&recorder->taken);
}

/* A ring that was full at the end has had no room to say so. */
static void write_untold(struct point_recorder *recorder)
{
    for (uint32_t i = 0; i < recorder->events.rings.count; i++) {
        uint64_t untold = point_events_untold(&recorder->events, i);
        if (untold)
            write_lost(recorder, recorder->events.rings.processors[i], clock_ns(), untold);
    }
}

bool point_recorder_stop(struct point_recorder *recorder, struct point_report *report,
                         struct error *error)
{
    atomic_store(&recorder->stopping, true);
    eventfd_write(recorder->waker, 1);
    pthread_join(recorder->thread, NULL);
    perf_rings_disable(&recorder->events.rings);
    take_all(recorder, UINT64_MAX);
    if (recorder->paused)
        mark_pause(recorder);
    write_kept(recorder, UINT64_MAX);
    write_untold(recorder);
    recorder->report.gone = recorder->sockets.gone;
    *report = recorder->report;
    bool whole = recorder_file_close(&recorder->file, error);
    release(recorder);
    return whole;
}
