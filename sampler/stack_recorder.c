#include "sampler/stack_recorder.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "sampler/generated_code.h"
#include "sampler/own_stacks.h"
#include "sampler/return_events.h"
#include "sampler/stack_events.h"
#include "sampler/stack_file.h"

/* Of each processor: a stack takes 17 KB of it. */
enum { RING_BYTES = 1 << 20, LARGE_RING_BYTES = 4 << 20, OWN_RING_BYTES = 1 << 18 };
/* What of a stack is kept, so that it and the kernel's part are no more than symbol/ takes. */
enum { MOST_KERNEL = 64, MOST_FRAMES = 191 };
enum { WAIT_MS = 20, NICE = -10 };
/* What is too deep is looked at where there are so many (chosen). */
enum { FEW_STACKS = 20 };
#define FOLLOW_NS UINT64_C(50000000)
struct stack_recorder {
    struct stack_events events;
    struct stack_pace pace;
    bool own; /* only of the user's own threads, as they run */
    struct stack_file file;
    struct watch_list *list;
    struct return_events returns;
    struct object_set objects;
    struct hash_map processes; /* pid -> 1 + unwinder */
    struct unwinder **unwinders;
    size_t unwinder_count, unwinder_capacity;
    struct stack_report report;
    uint64_t walked,
        too_deep; /* stacks since the last look; those of which not enough was copied */
    uint64_t followed_ns, followed_own_ns, followed_taken;
    pthread_mutex_t lock; /* of the events' list: pauses come from another thread */
    pthread_t thread;
    atomic_bool stopping;
    int waker;
};

static struct unwinder *unwinder_of(struct stack_recorder *recorder, uint32_t pid)
{
    uint64_t *known = hash_map_put(&recorder->processes, pid);
    if (!*known) {
        VEC_PUSH(recorder->unwinders, recorder->unwinder_count, recorder->unwinder_capacity) =
            unwinder_open(&recorder->objects, (pid_t)pid);
        *known = recorder->unwinder_count;
    }
    return recorder->unwinders[*known - 1];
}

/* The other thread hears of a new process later than that may last. */
static void take_birth(struct stack_recorder *recorder, const struct kernel_remap *birth)
{
    if (!watch_list_has_process(recorder->list, birth->maker))
        return;
    watch_list_add_process(recorder->list, birth->pid);
    struct process_maps *maker = unwinder_maps(unwinder_of(recorder, birth->maker));
    if (!maker->count)
        process_maps_read(maker);
    process_maps_copy(unwinder_maps(unwinder_of(recorder, birth->pid)), maker);
}

/* Memory of no file has many names. */
static const char *path_of(const struct kernel_remap *remap)
{
    return remap->inode || strcmp(remap->path, "[vdso]") == 0 ? remap->path : "";
}

static void remap(struct stack_recorder *recorder, const struct kernel_remap *remap)
{
    if (remap->maker)
        take_birth(recorder, remap);
    if (remap->maker || !watch_list_has_process(recorder->list, remap->pid))
        return;
    struct process_maps *maps = unwinder_maps(unwinder_of(recorder, remap->pid));
    if (remap->path)
        process_maps_add(maps, (struct process_map){.begin = remap->begin,
                                                    .end = remap->end,
                                                    .offset = remap->offset,
                                                    .inode = remap->inode,
                                                    .since_ns = remap->time_ns,
                                                    .path = path_of(remap)});
    else
        process_maps_forget(maps, remap->begin, remap->end, remap->time_ns);
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
    uint64_t addresses[MOST_KERNEL + MOST_FRAMES];
    size_t kernel = seen->kernel_count < MOST_KERNEL ? seen->kernel_count : MOST_KERNEL, user = 0;
    enum trace_cut cut = TRACE_CUT_NOT;
    memcpy(addresses, seen->kernel, kernel * sizeof *addresses);
    struct unwinder_thread thread = seen->thread;
    thread.returns = recorder->returns.rings.count ? &recorder->returns.memory : NULL;
    thread.tid = seen->event.tid;
    thread.time_ns = seen->event.time_ns;
    if (thread.registers)
        user = unwinder_walk(unwinder_of(recorder, seen->event.pid), &thread, addresses + kernel,
                             MOST_FRAMES, &cut);
    recorder->report.cut += cut != TRACE_CUT_NOT;
    recorder->walked += seen->thread.registers != NULL;
    recorder->too_deep +=
        cut == TRACE_CUT_DEEP && seen->thread.stack_bytes >= recorder->events.stack_bytes;
    return stack_file_number(&recorder->file,
                             &(struct stack_content){.pid = seen->event.pid,
                                                     .size = (uint16_t)(kernel + user),
                                                     .kernel = (uint16_t)kernel,
                                                     .cut = cut,
                                                     .addresses = addresses});
}

static void take_clock(struct stack_recorder *recorder, const struct stack_seen *seen)
{
    const struct kernel_event *event = &seen->event;
    if (!watch_list_has_process(recorder->list, event->pid))
        return;
    struct trace_sample record = {.pid = event->pid,
                                  .tid = event->tid,
                                  .amount = seen->amount_ns,
                                  .stack = number_of(recorder, seen)};
    recorder->report.stacks++;
    stack_file_add_sample(&recorder->file, event->processor, event->time_ns, &record);
}

static bool is_of_run(struct stack_recorder *recorder, const struct stack_seen *seen)
{
    if (watch_list_has_process(recorder->list, seen->event.pid))
        return true;
    stack_events_in_vain(&recorder->events, seen);
    return false;
}

/* What woke it in an interrupt that came in the way of a thread has nothing to do with that
 * thread's stack. */
static bool tells(struct stack_recorder *recorder, const struct stack_seen *seen)
{
    const struct kernel_event *event = &seen->event;
    bool waits = event->kind == EVENT_SWITCH;
    return event->tid && (waits || event->context == TRACE_CONTEXT_THREAD) &&
           is_of_run(recorder, seen);
}

static void take_wait(struct stack_recorder *recorder, const struct stack_seen *seen)
{
    const struct kernel_event *event = &seen->event;
    struct trace_wait_stack record = {.pid = event->pid, .tid = event->tid, .one_in = seen->one_in};
    record.stack = number_of(recorder, seen);
    if (event->kind != EVENT_SWITCH)
        record.woken = event->other;
    else if (seen->thread.registers) {
        record.argument = unwind_argument_of(seen->thread.registers);
        record.holder = holder_at(event->pid, record.argument);
    }
    recorder->report.stacks++;
    stack_file_add(&recorder->file, event->processor, event->time_ns, &record);
}

static void take(struct stack_recorder *recorder, const struct stack_seen *seen)
{
    if (seen->remaps)
        remap(recorder, &seen->remap);
    else if (seen->event.kind == EVENT_FAULT)
        take_clock(recorder, seen);
    else if (tells(recorder, seen))
        take_wait(recorder, seen);
}

/* Where calls return to is known of all that is looked at: it was told before. */
static void take_all(struct stack_recorder *recorder)
{
    struct stack_seen seen;
    for (uint32_t i = 0; i < recorder->events.rings.count; i++)
        ring_look(&recorder->events.rings.rings[i]);
    return_events_take(&recorder->returns);
    for (uint32_t i = 0; i < recorder->events.rings.count; i++) {
        while (stack_events_next(&recorder->events, i, &seen))
            take(recorder, &seen);
    }
}

/* That this thread had a processor. */
static uint64_t own_ns(void)
{
    struct timespec own;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own);
    return (uint64_t)own.tv_sec * 1000000000 + (uint64_t)own.tv_nsec;
}

static void follow(struct stack_recorder *recorder)
{
    uint64_t now_ns = clock_ns(), elapsed_ns = now_ns - recorder->followed_ns;
    if (elapsed_ns < FOLLOW_NS)
        return;
    uint64_t own = own_ns(), taken = recorder->events.taken;
    stack_pace_follow(&recorder->pace, elapsed_ns, taken - recorder->followed_taken,
                      own - recorder->followed_own_ns);
    bool deeper = !recorder->own && recorder->walked > FEW_STACKS &&
                  recorder->too_deep * 100 > recorder->walked;
    pthread_mutex_lock(&recorder->lock);
    if (deeper)
        stack_events_deepen(&recorder->events, &recorder->pace);
    if (!recorder->own)
        stack_events_follow(&recorder->events, recorder->list, &recorder->pace);
    pthread_mutex_unlock(&recorder->lock);
    recorder->walked = recorder->too_deep = 0;
    recorder->followed_ns = now_ns;
    recorder->followed_own_ns = own;
    recorder->followed_taken = taken;
}

static void *run(void *context)
{
    struct stack_recorder *recorder = context;
    pthread_setname_np(pthread_self(), "vprof-stacks");
    setpriority(PRIO_PROCESS, (id_t)gettid(), NICE); /* where it may: rings fill up meanwhile */
    while (!atomic_load(&recorder->stopping)) {
        perf_rings_wait(&recorder->events.rings, WAIT_MS);
        take_all(recorder);
        follow(recorder);
    }
    recorder->report.own_ns = own_ns();
    return NULL;
}

static void release(struct stack_recorder *recorder)
{
    for (size_t i = 0; i < recorder->unwinder_count; i++)
        unwinder_close(recorder->unwinders[i]);
    memory_free(recorder->unwinders);
    object_set_release(&recorder->objects);
    hash_map_release(&recorder->processes);
    return_events_close(&recorder->returns);
    if (recorder->events.places)
        stack_events_close(&recorder->events);
    if (recorder->waker >= 0)
        close(recorder->waker);
    pthread_mutex_destroy(&recorder->lock);
    memory_free(recorder);
}

static bool open_file(struct stack_recorder *recorder, const char *directory, uint64_t most_bytes,
                      struct error *error)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", directory, STACK_RECORDER_FILE);
    bool made = stack_file_open(&recorder->file, path.data, (uint32_t)sysconf(_SC_NPROCESSORS_CONF),
                                most_bytes, error);
    str_release(&path);
    return made;
}

static bool begin(struct stack_recorder *recorder, const char *directory, uint64_t most_bytes,
                  struct error *error)
{
    if (!open_file(recorder, directory, most_bytes, error))
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

static size_t ring_bytes(const struct stack_wish *wish, const struct stack_pace *pace)
{
    return wish->ring_bytes ? wish->ring_bytes : pace->many ? LARGE_RING_BYTES : RING_BYTES;
}

static bool open_events(struct stack_recorder *recorder, const struct stack_wish *wish,
                        const struct event_layout *layout)
{
    const struct stack_pace *pace = &recorder->pace;
    recorder->own = !layout;
    return layout ? stack_events_open(&recorder->events, layout, pace, wish, ring_bytes(wish, pace))
                  : own_stacks_open(&recorder->events, pace, OWN_RING_BYTES);
}

struct stack_recorder *stack_recorder_start(const char *directory, const struct stack_wish *wish,
                                            const struct event_layout *layout,
                                            const struct point_plan *points,
                                            struct watch_list *list, struct error *error)
{
    struct stack_recorder *recorder = memory_zeroed(sizeof *recorder);
    recorder->list = list;
    recorder->waker = -1;
    pthread_mutex_init(&recorder->lock, NULL);
    return_events_open(&recorder->returns, points);
    stack_pace_init(&recorder->pace, wish, (uint32_t)sysconf(_SC_NPROCESSORS_ONLN));
    bool ok =
        open_events(recorder, wish, layout) || error_system(error, "Stacks cannot be recorded");
    if (ok && begin(recorder, directory, wish->most_bytes, error))
        return recorder;
    release(recorder);
    return NULL;
}

size_t stack_recorder_watch(struct stack_recorder *recorder, pid_t pid)
{
    size_t refused = 0;
    pthread_mutex_lock(&recorder->lock);
    if (recorder->own)
        refused = own_stacks_watch(&recorder->events, pid);
    pthread_mutex_unlock(&recorder->lock);
    return refused;
}

void stack_recorder_pause(struct stack_recorder *recorder, bool paused)
{
    pthread_mutex_lock(&recorder->lock);
    stack_events_pause(&recorder->events, paused);
    pthread_mutex_unlock(&recorder->lock);
}

/* Those that were read last; and what stacks lie in, where that is not all. */
static void write_maps(struct stack_file *file, struct process_maps *maps)
{
    struct str told = {0};
    if (!maps->used_count)
        return;
    process_maps_read(maps);
    stack_file_add_text(file, TRACE_CHUNK_MAPS, (uint32_t)maps->pid, str_text(&maps->text));
    if (process_maps_tell(maps, &told))
        stack_file_add_text(file, TRACE_CHUNK_MAPS, (uint32_t)maps->pid, str_text(&told));
    str_release(&told);
}

static void write_process(struct stack_file *file, struct unwinder *unwinder)
{
    struct process_maps *maps = unwinder_maps(unwinder);
    struct str names = {0};
    write_maps(file, maps);
    generated_code_tell(maps->pid, unwinder_generated(unwinder), &names);
    stack_file_add_text(file, TRACE_CHUNK_GENERATED, (uint32_t)maps->pid, str_text(&names));
    str_release(&names);
}

static void write_unwound(struct stack_recorder *recorder)
{
    const struct stack_report *report = &recorder->report;
    struct trace_unwinding unwinding = {.stacks = report->stacks,
                                        .lost = report->lost,
                                        .own_ns = report->own_ns,
                                        .without = recorder->file.without};
    stack_file_add_unwound(&recorder->file, &unwinding, &recorder->objects);
}

bool stack_recorder_stop(struct stack_recorder *recorder, struct stack_report *report,
                         struct error *error)
{
    atomic_store(&recorder->stopping, true);
    eventfd_write(recorder->waker, 1);
    pthread_join(recorder->thread, NULL);
    perf_rings_disable(&recorder->events.rings);
    take_all(recorder);
    for (size_t i = 0; i < recorder->unwinder_count; i++)
        write_process(&recorder->file, recorder->unwinders[i]);
    stack_file_add_files(&recorder->file, &recorder->objects);
    recorder->report.lost = recorder->events.lost;
    recorder->report.copied = recorder->events.taken;
    write_unwound(recorder);
    *report = recorder->report;
    bool whole = stack_file_close(&recorder->file, error);
    release(recorder);
    return whole;
}
