#include "sampler/stack_recorder.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "sampler/stack_events.h"
#include "sampler/stack_file.h"

enum { RING_BYTES = 1 << 20, WAIT_MS = 20, MOST_FRAMES = 127 };
#define FOLLOW_NS UINT64_C(50000000)

struct stack_recorder {
    struct stack_events events;
    struct stack_file file;
    struct watch_list *list;
    struct hash_map processes; /* pid -> 1 + unwinder */
    struct unwinder **unwinders;
    uint32_t *pids; /* of the unwinders */
    size_t unwinder_count, unwinder_capacity, pid_capacity;
    struct stack_report report;
    uint64_t followed_ns;
    pthread_mutex_t lock; /* of the events' list: pauses come from another thread */
    pthread_t thread;
    atomic_bool stopping;
    int waker;
};

static struct unwinder *unwinder_of(struct stack_recorder *recorder, uint32_t pid)
{
    uint64_t *known = hash_map_put(&recorder->processes, pid);
    if (!*known) {
        size_t count = recorder->unwinder_count;
        VEC_PUSH(recorder->unwinders, recorder->unwinder_count, recorder->unwinder_capacity) =
            unwinder_open((pid_t)pid);
        VEC_PUSH(recorder->pids, count, recorder->pid_capacity) = pid;
        *known = recorder->unwinder_count;
    }
    return recorder->unwinders[*known - 1];
}

/* A mutex of glibc holds the thread that has it two words behind its lock. Of anything else that lies
 * there the reader finds that it is no thread of the process. */
static uint32_t holder_at(uint32_t pid, uint64_t argument)
{
    uint32_t holder = 0;
    struct iovec to = {&holder, sizeof holder},
                 from = {(void *)(uintptr_t)(argument + 8), sizeof holder};
    if (argument % 4 || argument < 4096 ||
        process_vm_readv((pid_t)pid, &to, 1, &from, 1, 0) != sizeof holder)
        return 0;
    return holder;
}

static uint32_t number_of(struct stack_recorder *recorder, const struct stack_seen *seen)
{
    uint64_t addresses[2 * MOST_FRAMES];
    size_t kernel = seen->kernel_count < MOST_FRAMES ? seen->kernel_count : MOST_FRAMES, user = 0;
    bool whole = false;
    memcpy(addresses, seen->kernel, kernel * sizeof *addresses);
    if (seen->thread.registers)
        user = unwinder_walk(unwinder_of(recorder, seen->event.pid), &seen->thread,
                             addresses + kernel, MOST_FRAMES, &whole);
    recorder->report.cut += !whole;
    return stack_file_number(&recorder->file,
                             &(struct stack_content){.pid = seen->event.pid,
                                                     .size = (uint16_t)(kernel + user),
                                                     .kernel = (uint16_t)kernel,
                                                     .cut = !whole,
                                                     .addresses = addresses});
}

static void take_clock(struct stack_recorder *recorder, const struct stack_seen *seen)
{
    const struct kernel_event *event = &seen->event;
    if (!watch_list_has_process(recorder->list, event->pid))
        return;
    struct trace_sample record = {.pid = event->pid,
                                  .tid = event->tid,
                                  .amount = STACK_CLOCK_NS,
                                  .stack = number_of(recorder, seen)};
    recorder->report.stacks++;
    stack_file_add_sample(&recorder->file, event->processor, event->time_ns, &record);
}

/* What woke it in an interrupt that came in the way of a thread has nothing to do with that
 * thread's stack. */
static bool tells(struct stack_recorder *recorder, const struct stack_seen *seen)
{
    const struct kernel_event *event = &seen->event;
    bool waits = event->kind == EVENT_SWITCH;
    return event->tid && (waits || event->context == TRACE_CONTEXT_THREAD) &&
           watch_list_has_process(recorder->list, event->pid);
}

static void take_wait(struct stack_recorder *recorder, const struct stack_seen *seen)
{
    const struct kernel_event *event = &seen->event;
    struct trace_wait_stack record = {.pid = event->pid, .tid = event->tid, .one_in = seen->one_in};
    record.stack = number_of(recorder, seen);
    if (event->kind != EVENT_SWITCH)
        record.woken = event->other;
    else if (seen->thread.registers) {
        record.argument = unwinder_argument(&seen->thread);
        record.holder = holder_at(event->pid, record.argument);
    }
    recorder->report.stacks++;
    stack_file_add(&recorder->file, event->processor, event->time_ns, &record);
}

static void take(struct stack_recorder *recorder, const struct stack_seen *seen)
{
    if (seen->event.kind == EVENT_FAULT)
        take_clock(recorder, seen);
    else if (tells(recorder, seen))
        take_wait(recorder, seen);
}

static void take_all(struct stack_recorder *recorder)
{
    struct stack_seen seen;
    for (uint32_t i = 0; i < recorder->events.rings.count; i++) {
        ring_look(&recorder->events.rings.rings[i]);
        while (stack_events_next(&recorder->events, i, &seen))
            take(recorder, &seen);
    }
}

static void follow(struct stack_recorder *recorder)
{
    uint64_t now_ns = clock_ns();
    if (now_ns - recorder->followed_ns < FOLLOW_NS)
        return;
    pthread_mutex_lock(&recorder->lock);
    stack_events_follow(&recorder->events, recorder->list, now_ns - recorder->followed_ns);
    pthread_mutex_unlock(&recorder->lock);
    recorder->followed_ns = now_ns;
}

static void *run(void *context)
{
    struct stack_recorder *recorder = context;
    pthread_setname_np(pthread_self(), "vprof-stacks");
    while (!atomic_load(&recorder->stopping)) {
        perf_rings_wait(&recorder->events.rings, WAIT_MS);
        take_all(recorder);
        follow(recorder);
    }
    struct timespec own;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own);
    recorder->report.own_ns = (uint64_t)own.tv_sec * 1000000000 + (uint64_t)own.tv_nsec;
    return NULL;
}

static void release(struct stack_recorder *recorder)
{
    for (size_t i = 0; i < recorder->unwinder_count; i++)
        unwinder_close(recorder->unwinders[i]);
    memory_free(recorder->unwinders);
    memory_free(recorder->pids);
    hash_map_release(&recorder->processes);
    if (recorder->events.places)
        stack_events_close(&recorder->events);
    if (recorder->waker >= 0)
        close(recorder->waker);
    pthread_mutex_destroy(&recorder->lock);
    memory_free(recorder);
}

static bool open_file(struct stack_recorder *recorder, const char *directory, struct error *error)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", directory, STACK_RECORDER_FILE);
    bool made =
        stack_file_open(&recorder->file, path.data, (uint32_t)sysconf(_SC_NPROCESSORS_CONF), error);
    str_release(&path);
    return made;
}

static bool begin(struct stack_recorder *recorder, const char *directory, struct error *error)
{
    if (!open_file(recorder, directory, error))
        return false;
    recorder->waker = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    recorder->events.rings.waker = recorder->waker;
    recorder->followed_ns = clock_ns();
    stack_events_pause(&recorder->events, false);
    int failed = pthread_create(&recorder->thread, NULL, run, recorder);
    if (!failed)
        return true;
    struct error ignored;
    stack_file_close(&recorder->file, &ignored);
    errno = failed;
    return error_system(error, "cannot make a thread that records stacks");
}

struct stack_recorder *stack_recorder_start(const char *directory,
                                            const struct event_layout *layout,
                                            struct watch_list *list, struct error *error)
{
    struct stack_recorder *recorder = memory_zeroed(sizeof *recorder);
    recorder->list = list;
    recorder->waker = -1;
    pthread_mutex_init(&recorder->lock, NULL);
    bool ok = stack_events_open(&recorder->events, layout, RING_BYTES) ||
              error_system(error, "stacks of waits cannot be recorded");
    if (ok && begin(recorder, directory, error))
        return recorder;
    release(recorder);
    return NULL;
}

void stack_recorder_pause(struct stack_recorder *recorder, bool paused)
{
    pthread_mutex_lock(&recorder->lock);
    stack_events_pause(&recorder->events, paused);
    pthread_mutex_unlock(&recorder->lock);
}

bool stack_recorder_stop(struct stack_recorder *recorder, struct stack_report *report,
                         struct error *error)
{
    atomic_store(&recorder->stopping, true);
    eventfd_write(recorder->waker, 1);
    pthread_join(recorder->thread, NULL);
    perf_rings_disable(&recorder->events.rings);
    take_all(recorder);
    for (size_t i = 0; i < recorder->unwinder_count; i++) {
        unwinder_read_maps(recorder->unwinders[i]);
        stack_file_add_maps(&recorder->file, recorder->pids[i],
                            unwinder_maps(recorder->unwinders[i]));
    }
    recorder->report.lost = recorder->events.lost;
    *report = recorder->report;
    bool whole = stack_file_close(&recorder->file, error);
    release(recorder);
    return whole;
}
