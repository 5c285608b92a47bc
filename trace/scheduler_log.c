#include "trace/scheduler_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/run_merge.h"
#include "trace/thread_index.h"

/* A disk's interrupt wakes who waits for it this soon after the request was done. */
#define DONE_BEFORE_NS 1000000
/* Within a page fault a thread runs this long at the most between two blocks, and after the last. */
#define FAULT_RUN_NS 100000
enum { MOST_PROCESSORS = 4096 };
/* Linux has no greater thread ids (PID_MAX_LIMIT); a damaged file may. */
enum { MOST_TIDS = 1 << 22 };
/* Of any time, 18 years: what lies further away was not read from a clock. */
#define MOST_NS (INT64_C(1) << 59)

enum standing { NOT_KNOWN, RUNS, OFF };

/* A waking that is kept until its thread has gone. */
struct waking {
    bool seen;
    time_ns time;
    uint32_t task;
    uint8_t context, interrupt, way; /* enum trace_request_way */
    uint32_t device;                 /* 0: not known */
    uint32_t gaps;                   /* as in struct building */
};

/* What is known of a thread id until now. */
struct slot {
    uint32_t task;
    enum standing standing;
    bool ended;
    uint8_t state;         /* enum trace_off */
    uint32_t gaps, hidden; /* as in struct building, when it went */
    time_ns out;
    struct waking waking, early; /* since it went; since it came */
    bool issued;                 /* a block request since it came: of that device */
    uint8_t way;
    uint32_t device;
};

struct task_offs {
    struct off_cpu *items;
    uint8_t *states; /* enum trace_off of each */
    size_t count, capacity, state_capacity;
    uint64_t slept, unwoken; /* as of struct kernel_side */
};

struct use_list {
    struct processor_use *items;
    size_t count, capacity;
    struct scheduler_event done; /* the latest block request */
    bool any_done;
    uint64_t missed; /* records, since its latest switch that was told */
};

struct building {
    struct timelines *run;
    const char *const *names; /* the log's */
    uint32_t *slot_at;        /* by tid, below MOST_TIDS: 1 + slot */
    struct hash_map slot_of;  /* other tids -> the same */
    struct slot *slots;
    size_t slot_count, slot_capacity;
    struct kernel_task *tasks;
    size_t task_count, task_capacity;
    struct task_offs *offs; /* by task */
    size_t offs_capacity;
    time_ns *seen; /* by task: when it was first */
    size_t seen_capacity;
    struct use_list *processors;
    uint32_t processor_count;
    struct scheduler_event done; /* the latest block request of all processors */
    bool any_done;
    uint32_t gaps;   /* how often records were lost */
    uint32_t hidden; /* of them: a thread may have come and gone in it */
    struct kernel_device *devices;
    size_t device_count, device_capacity;
    struct kernel_pause *pauses;
    size_t pause_count, pause_capacity;
};

uint32_t scheduler_log_name(struct scheduler_log *log, const char *name)
{
    VEC_PUSH(log->names, log->name_count, log->name_capacity) = name;
    return (uint32_t)log->name_count - 1;
}

static bool is_on_processor(const struct scheduler_event *event)
{
    return event->kind != SCHEDULER_WHO && event->kind != SCHEDULER_TITLE;
}

void scheduler_log_add(struct scheduler_log *log, struct scheduler_event event)
{
    bool odd = is_on_processor(&event) && event.processor >= MOST_PROCESSORS;
    if (!odd && event.time > -MOST_NS && event.time < MOST_NS)
        VEC_PUSH(log->events, log->count, log->capacity) = event;
}

void scheduler_log_release(struct scheduler_log *log)
{
    memory_free(log->events);
    memory_free(log->names);
}

/* Processors' records of one moment stand in no order: who is woken in it comes after that, and a
 * request was done before. */
static uint64_t order_key(const void *events, size_t index)
{
    enum { RANKS = 4 };
    static const uint8_t ranks[SCHEDULER_KINDS] = {
        [SCHEDULER_WAKING] = 1, [SCHEDULER_SWITCH] = 2, [SCHEDULER_FAULT] = 3};
    const struct scheduler_event *event = (const struct scheduler_event *)events + index;
    return (uint64_t)(event->time + MOST_NS) * RANKS + ranks[event->kind];
}

/* ---- tasks ---- */

static uint32_t new_task(struct building *b, uint32_t pid, uint32_t tid, const char *name,
                         time_ns time)
{
    size_t count = b->task_count;
    VEC_PUSH(b->tasks, b->task_count, b->task_capacity) =
        (struct kernel_task){.pid = pid,
                             .tid = tid,
                             .name = name,
                             .title = "",
                             .thread = THREAD_NONE,
                             .maker = TASK_NONE,
                             .seen = time,
                             .ended = INT64_MAX};
    VEC_PUSH(b->offs, count, b->offs_capacity) = (struct task_offs){0};
    count = b->task_count - 1;
    VEC_PUSH(b->seen, count, b->seen_capacity) = time;
    return (uint32_t)b->task_count - 1;
}

static struct slot *slot_of(struct building *b, uint32_t tid, time_ns time)
{
    if (tid < MOST_TIDS && b->slot_at[tid])
        return &b->slots[b->slot_at[tid] - 1];
    uint64_t *known = tid < MOST_TIDS ? NULL : hash_map_put(&b->slot_of, tid);
    if (known && *known)
        return &b->slots[*known - 1];
    VEC_PUSH(b->slots, b->slot_count, b->slot_capacity) =
        (struct slot){.task = new_task(b, 0, tid, "", time)};
    if (known)
        *known = b->slot_count;
    else
        b->slot_at[tid] = (uint32_t)b->slot_count;
    return &b->slots[b->slot_count - 1];
}

static uint32_t task_of(struct building *b, uint32_t tid, time_ns time)
{
    if (tid == TRACE_TID_UNKNOWN)
        return TASK_NONE;
    return tid ? slot_of(b, tid, time)->task : TASK_IDLE;
}

static void name_device(struct building *b, const struct scheduler_event *event)
{
    for (size_t i = 0; i < b->device_count; i++)
        if (b->devices[i].number == event->tid)
            return;
    VEC_PUSH(b->devices, b->device_count, b->device_capacity) =
        (struct kernel_device){event->tid, b->names[event->processor]};
}

/* An id that the kernel uses again is another thread's. */
static void name_thread(struct building *b, const struct scheduler_event *event)
{
    struct slot *slot = slot_of(b, event->tid, event->time);
    struct kernel_task *task = &b->tasks[slot->task];
    bool again =
        task->pid && (task->pid != event->other || (event->detail == TRACE_WHO_CREATED &&
                                                    (slot->standing != NOT_KNOWN || slot->ended)));
    if (again) {
        *slot = (struct slot){.task = new_task(b, event->other, event->tid, "", event->time)};
        task = &b->tasks[slot->task];
    }
    task->pid = event->other;
    task->whose = event->cause;
    if (b->names[event->processor][0])
        task->name = b->names[event->processor];
}

/* ---- threads ---- */

static bool is_threads_own(const struct waking *waking)
{
    return waking->context == TRACE_CONTEXT_THREAD && waking->task != TASK_IDLE;
}

/* The request whose end led to an interrupt's waking just now, or NULL. */
static const struct scheduler_event *done_before(const struct building *b,
                                                 const struct scheduler_event *waking)
{
    const struct use_list *processor = &b->processors[waking->processor];
    if (processor->any_done && waking->time - processor->done.time <= DONE_BEFORE_NS)
        return &processor->done;
    return b->any_done && waking->time - b->done.time <= DONE_BEFORE_NS ? &b->done : NULL;
}

/* What is neither, as a flush, goes with what was written. */
static enum off_cause cause_of_request(uint8_t way)
{
    return way == TRACE_REQUEST_READ ? OFF_READ : OFF_WRITE;
}

static void explain(const struct waking *waking, uint8_t state, struct off_cpu *off)
{
    static const uint8_t cause_of[] = {[TRACE_INTERRUPT_UNKNOWN] = OFF_INTERRUPT,
                                       [TRACE_INTERRUPT_TIMER] = OFF_TIMER,
                                       [TRACE_INTERRUPT_NETWORK] = OFF_NETWORK,
                                       [TRACE_INTERRUPT_OTHER] = OFF_INTERRUPT};
    off->woken = waking->time;
    if (waking->interrupt == TRACE_INTERRUPT_DISK && waking->context != TRACE_CONTEXT_THREAD) {
        off->cause = cause_of_request(waking->way);
        off->device = waking->device;
    } else if (is_threads_own(waking)) {
        off->cause = state == TRACE_OFF_UNINTERRUPTIBLE ? OFF_LOCK : OFF_THREAD;
        off->waker = waking->task;
    } else if (waking->context != TRACE_CONTEXT_THREAD && waking->interrupt < sizeof cause_of) {
        off->cause = cause_of[waking->interrupt];
    } else {
        off->cause = OFF_UNKNOWN;
    }
}

/* Nobody was seen to wake a thread that no signal could wake, and that had just issued a request. */
static void explain_unwoken(const struct slot *slot, struct off_cpu *off)
{
    if (!slot->issued || slot->state != TRACE_OFF_UNINTERRUPTIBLE)
        return;
    off->cause = cause_of_request(slot->way);
    off->device = slot->device;
}

/* *unwoken: nobody was seen to end it. */
static struct off_cpu off_until(const struct slot *slot, time_ns in, uint32_t processor,
                                bool *unwoken)
{
    struct off_cpu off = {.out = slot->out,
                          .woken = in,
                          .in = in,
                          .waker = TASK_NONE,
                          .processor = processor,
                          .cause = OFF_UNKNOWN};
    *unwoken = false;
    if (slot->state == TRACE_OFF_RUNNABLE) {
        off.woken = off.out;
        off.cause = OFF_RUNNABLE;
    } else if (slot->waking.seen) {
        explain(&slot->waking, slot->state, &off);
    } else if (slot->early.seen && slot->early.gaps == slot->gaps) {
        /* Another processor saw it go before this one did. */
        explain(&slot->early, slot->state, &off);
        off.woken = off.out;
    } else {
        *unwoken = true;
        explain_unwoken(slot, &off);
    }
    return off;
}

static void add_off(struct building *b, const struct slot *slot, time_ns in, uint32_t processor)
{
    struct task_offs *offs = &b->offs[slot->task];
    bool unwoken;
    struct off_cpu off = off_until(slot, in, processor, &unwoken);
    offs->unwoken += unwoken;
    offs->slept += slot->state != TRACE_OFF_RUNNABLE;
    size_t count = offs->count;
    VEC_PUSH(offs->items, offs->count, offs->capacity) = off;
    VEC_PUSH(offs->states, count, offs->state_capacity) = slot->state;
}

static void use_processor(struct building *b, const struct scheduler_event *event, uint32_t from,
                          uint32_t to)
{
    struct use_list *uses = &b->processors[event->processor];
    if (uses->count && uses->items[uses->count - 1].task != from)
        uses->items[uses->count - 1].task = TASK_NONE;
    VEC_PUSH(uses->items, uses->count, uses->capacity) = (struct processor_use){event->time, to};
    uses->missed = 0;
}

/* The task that goes. Who goes twice was seen with gaps. */
static uint32_t take_going(struct building *b, const struct scheduler_event *event)
{
    if (!event->tid || event->tid == TRACE_TID_UNKNOWN)
        return event->tid ? TASK_NONE : TASK_IDLE;
    struct slot *from = slot_of(b, event->tid, event->time);
    if (from->standing == OFF && from->gaps == b->gaps)
        from->early.seen = false;
    from->ended = event->detail == TRACE_OFF_ENDED;
    if (from->ended)
        b->tasks[from->task].ended = event->time;
    from->standing = from->ended ? NOT_KNOWN : OFF;
    from->state = event->detail;
    from->out = event->time;
    from->gaps = b->gaps;
    from->hidden = b->hidden;
    from->waking.seen = false;
    return from->task;
}

/* The task that comes. Who comes without having gone was seen with gaps. Who went, and of whom no run
 * can be hidden in a gap since then, was off its processor all the time. */
static uint32_t take_coming(struct building *b, const struct scheduler_event *event)
{
    if (!event->other || event->other == TRACE_TID_UNKNOWN)
        return event->other ? TASK_NONE : TASK_IDLE;
    struct slot *to = slot_of(b, event->other, event->time);
    if (to->standing == OFF && to->hidden == b->hidden)
        add_off(b, to, event->time, event->processor);
    to->standing = RUNS;
    to->waking.seen = to->early.seen = to->issued = false;
    return to->task;
}

static void take_switch(struct building *b, const struct scheduler_event *event)
{
    uint32_t from = take_going(b, event), to = take_coming(b, event);
    use_processor(b, event, from, to);
}

/* Of several wakings the first one counts that came after the thread had gone; else the last one
 * before. Behind a gap it may be either: the thread's next switch tells. */
static void take_waking(struct building *b, const struct scheduler_event *event)
{
    uint32_t waker = task_of(b, event->other, event->time);
    struct slot *slot = slot_of(b, event->tid, event->time);
    const struct scheduler_event *request = done_before(b, event);
    if (event->born) {
        b->tasks[slot->task].maker = waker;
        b->tasks[slot->task].seen = event->time;
    }
    struct waking waking = {.seen = true,
                            .time = event->time,
                            .task = waker == TASK_NONE ? TASK_IDLE : waker,
                            .context = event->detail,
                            .interrupt = event->cause,
                            .way = request ? request->detail : TRACE_REQUEST_READ,
                            .device = request ? request->other : 0,
                            .gaps = b->gaps};
    if (slot->standing != OFF || slot->gaps != b->gaps)
        slot->early = waking;
    if (slot->standing == OFF && !slot->waking.seen)
        slot->waking = waking;
}

static void take_done(struct building *b, const struct scheduler_event *event)
{
    struct use_list *processor = &b->processors[event->processor];
    processor->done = b->done = *event;
    processor->any_done = b->any_done = true;
}

static void take_issued(struct building *b, const struct scheduler_event *event)
{
    if (!event->tid)
        return;
    struct slot *slot = slot_of(b, event->tid, event->time);
    slot->issued = true;
    slot->way = event->detail;
    slot->device = event->other;
}

/* Whose the processor was while records of it were lost is not known. */
static struct use_list *lose_sight(struct building *b, const struct scheduler_event *event)
{
    struct use_list *uses = &b->processors[event->processor];
    if (uses->count)
        uses->items[uses->count - 1].task = TASK_NONE;
    b->gaps++;
    return uses;
}

/* Who had gone may have come and gone again unseen: by two switches of one processor, with none of it
 * that was told between. One record that is missing there cannot be both. */
static void take_missed(struct building *b, const struct scheduler_event *event)
{
    struct use_list *uses = lose_sight(b, event);
    uses->missed += event->other;
    b->hidden += uses->missed > 1;
}

/* Each processor tells of it, at the same moment. */
static void take_paused(struct building *b, const struct scheduler_event *event)
{
    lose_sight(b, event);
    b->hidden++;
    if (!b->pause_count || b->pauses[b->pause_count - 1].until < event->time)
        VEC_PUSH(b->pauses, b->pause_count, b->pause_capacity) =
            (struct kernel_pause){event->time, INT64_MAX};
}

static void take_resumed(struct building *b, const struct scheduler_event *event)
{
    lose_sight(b, event);
    b->hidden++;
    if (!b->pause_count)
        VEC_PUSH(b->pauses, b->pause_count, b->pause_capacity) =
            (struct kernel_pause){INT64_MIN, INT64_MAX};
    struct kernel_pause *last = &b->pauses[b->pause_count - 1];
    if (last->until == INT64_MAX)
        last->until = event->time;
}

/* The blocks of the fault are those just before it, in which no signal could wake the thread. */
static void take_fault(struct building *b, const struct scheduler_event *event)
{
    struct slot *slot = slot_of(b, event->tid, event->time);
    struct task_offs *offs = &b->offs[slot->task];
    time_ns after = event->time;
    for (size_t i = offs->count; i-- > 0 && after - offs->items[i].in <= FAULT_RUN_NS;) {
        if (offs->states[i] != TRACE_OFF_UNINTERRUPTIBLE && offs->states[i] != TRACE_OFF_RUNNABLE)
            break;
        offs->items[i].fault = offs->states[i] == TRACE_OFF_UNINTERRUPTIBLE;
        after = offs->items[i].out;
    }
}

static void take_title(struct building *b, const struct scheduler_event *event)
{
    b->tasks[slot_of(b, event->tid, event->time)->task].title = b->names[event->processor];
}

static void take_who(struct building *b, const struct scheduler_event *event)
{
    if (event->detail == TRACE_WHO_DEVICE)
        name_device(b, event);
    else
        name_thread(b, event);
}

static void take(struct building *b, const struct scheduler_event *event)
{
    switch ((enum scheduler_event_kind)event->kind) {
    case SCHEDULER_SWITCH:
        take_switch(b, event);
        break;
    case SCHEDULER_WAKING:
        take_waking(b, event);
        break;
    case SCHEDULER_ISSUED:
        take_issued(b, event);
        break;
    case SCHEDULER_DONE:
        take_done(b, event);
        break;
    case SCHEDULER_MISSED:
        take_missed(b, event);
        break;
    case SCHEDULER_PAUSED:
        take_paused(b, event);
        break;
    case SCHEDULER_RESUMED:
        take_resumed(b, event);
        break;
    case SCHEDULER_FAULT:
        take_fault(b, event);
        break;
    case SCHEDULER_WHO:
        take_who(b, event);
        break;
    case SCHEDULER_TITLE:
        take_title(b, event);
        break;
    case SCHEDULER_KINDS:
        break;
    }
}

/* ---- what becomes of it ---- */

/* What grew is the run's from here on, without the room for more. */
static void *adopt(struct building *b, void *items, size_t bytes)
{
    void *kept = memory_resize(items, bytes + 1);
    arena_adopt(&b->run->scheduler, kept);
    return kept;
}

/* Of two tasks that had a thread's ids one after the other, the later one is the thread if the thread did
 * anything after it was seen; else it is another thread, which left no trace. */
static bool is_threads(const struct building *b, uint32_t *task_of, uint32_t task, uint32_t thread)
{
    uint32_t before = task_of[thread];
    if (before && b->seen[task] > b->run->threads[thread].last)
        return false;
    if (before)
        b->run->kernel_side->tasks[before - 1].thread = THREAD_NONE;
    task_of[thread] = 1 + task;
    return true;
}

/* The recorder keeps all wakings of the run's threads alone. */
static void count_waits(struct kernel_side *side, const struct kernel_task *task,
                        const struct task_offs *offs)
{
    if (task->thread == THREAD_NONE && task->whose != TRACE_WHOSE_RUN)
        return;
    side->slept += offs->slept;
    side->unwoken += offs->unwoken;
}

static void keep_tasks(struct building *b)
{
    struct timelines *run = b->run;
    struct kernel_side *side = run->kernel_side;
    struct thread_index index;
    uint32_t *task_of = memory_zeroed((run->thread_count + 1) * sizeof *task_of);
    thread_index_init(&index, run);
    side->task_count = (uint32_t)b->task_count;
    side->tasks = ARENA_ARRAY(&run->scheduler, struct kernel_task, b->task_count);
    for (uint32_t i = 0; i < b->task_count; i++) {
        struct kernel_task *task = &side->tasks[i];
        struct task_offs *offs = &b->offs[i];
        *task = b->tasks[i];
        task->off_count = (uint32_t)offs->count;
        task->offs = adopt(b, offs->items, offs->count * sizeof *offs->items);
        memory_free(offs->states);
        if (task->pid)
            task->thread = thread_index_find(&index, task->pid, task->tid, b->seen[i]);
        count_waits(side, task, offs);
        if (task->thread == THREAD_NONE)
            continue;
        if (!is_threads(b, task_of, i, task->thread)) {
            task->thread = THREAD_NONE;
            continue;
        }
        run->threads[task->thread].offs = task->offs;
        run->threads[task->thread].off_count = task->off_count;
    }
    memory_free(task_of);
    thread_index_release(&index);
}

static void keep_processors(struct building *b, time_ns until)
{
    struct timelines *run = b->run;
    struct kernel_side *side = run->kernel_side;
    side->processor_count = b->processor_count;
    side->processors = ARENA_ARRAY(&run->scheduler, struct processor, b->processor_count);
    for (uint32_t p = 0; p < b->processor_count; p++) {
        const struct use_list *uses = &b->processors[p];
        struct processor *kept = &side->processors[p];
        kept->count = (uint32_t)uses->count;
        kept->number = p;
        kept->until = until;
        kept->uses = adopt(b, uses->items, uses->count * sizeof *uses->items);
    }
    side->device_count = (uint32_t)b->device_count;
    side->devices = ARENA_ARRAY(&run->scheduler, struct kernel_device, b->device_count);
    for (size_t i = 0; i < b->device_count; i++)
        side->devices[i] = b->devices[i];
}

/* What the end of the recording cut. Behind a gap it may have come back: no switch tells. */
static void keep_open(struct building *b, time_ns until)
{
    for (size_t i = 0; i < b->slot_count; i++) {
        const struct slot *slot = &b->slots[i];
        bool unwoken;
        if (slot->standing == OFF && slot->gaps == b->gaps && slot->out < until)
            b->run->kernel_side->tasks[slot->task].open = off_until(slot, until, 0, &unwoken);
    }
}

static void keep_pauses(struct building *b)
{
    struct kernel_side *side = b->run->kernel_side;
    side->pause_count = (uint32_t)b->pause_count;
    side->pauses = ARENA_ARRAY(&b->run->scheduler, struct kernel_pause, b->pause_count);
    for (size_t i = 0; i < b->pause_count; i++)
        side->pauses[i] = b->pauses[i];
}

static void building_release(struct building *b)
{
    memory_free(b->slot_at);
    hash_map_release(&b->slot_of);
    memory_free(b->slots);
    memory_free(b->tasks);
    memory_free(b->offs);
    memory_free(b->seen);
    memory_free(b->processors);
    memory_free(b->devices);
    memory_free(b->pauses);
}

static uint32_t count_processors(const struct scheduler_log *log)
{
    uint32_t count = 0;
    for (size_t i = 0; i < log->count; i++)
        if (is_on_processor(&log->events[i]) && log->events[i].processor >= count)
            count = log->events[i].processor + 1;
    return count;
}

/* Between the first event and the last. */
struct recorded_time {
    time_ns from, until;
};

static struct recorded_time take_all(struct building *b, const struct scheduler_log *log)
{
    struct run_merge merge;
    struct recorded_time recorded = {0, 0};
    run_merge_init(&merge, order_key, log->events, log->count);
    for (size_t i = 0; i < log->count; i++) {
        const struct scheduler_event *event = &log->events[run_merge_next(&merge)];
        recorded.until = event->time;
        if (i == 0) {
            recorded.from = event->time;
            new_task(b, 0, 0, "idle", event->time);
        }
        take(b, event);
    }
    run_merge_release(&merge);
    return recorded;
}

void scheduler_log_build(struct scheduler_log *log, struct timelines *run)
{
    struct building b = {.run = run, .names = log->names};
    if (!log->count)
        return;
    b.processor_count = count_processors(log);
    b.processors = memory_zeroed(sizeof *b.processors * (b.processor_count + 1));
    b.slot_at = memory_zeroed(sizeof *b.slot_at * MOST_TIDS);
    struct recorded_time recorded = take_all(&b, log);
    memory_free(log->events);
    log->events = NULL;
    run->kernel_side = ARENA_NEW(&run->scheduler, struct kernel_side);
    *run->kernel_side = (struct kernel_side){0};
    keep_tasks(&b);
    keep_processors(&b, recorded.until);
    keep_pauses(&b);
    keep_open(&b, recorded.until);
    run->kernel_side->events = log->count;
    run->kernel_side->processors_ns =
        (uint64_t)(recorded.until - recorded.from) * b.processor_count;
    building_release(&b);
}
