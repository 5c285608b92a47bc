#include "sim_scheduler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { RECORD_SWITCH = 0xa1, RECORD_WAKING = 0xa5, RECORD_REQUEST = 0xa9, RECORD_MISSED = 0xac };
enum { RECORD_WHO = 0xb2, RECORD_PAUSE = 0xb8, RECORD_FUNCTION = 0x04 };
enum { WHO_SEEN, WHO_CREATED, WHO_ENDED, WHO_DEVICE };
enum { FIRST_TID = 1000, OTHERS = 3 };

static uint32_t below(struct sim_scheduler *s, uint32_t limit)
{
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((s->random >> 33) * limit >> 31);
}

static bool in_percent(struct sim_scheduler *s, uint32_t percent)
{
    return below(s, 100) < percent;
}

/* ---- what is written ---- */

static uint32_t device_number(uint32_t device)
{
    return 8u << 20 | device << 4;
}

void sim_device_name(uint32_t device, char name[16])
{
    snprintf(name, 16, "sd%u", device);
}

static void write_who(struct sim_scheduler *s, uint32_t processor, uint32_t pid, uint32_t tid,
                      const char *name, uint32_t what, uint32_t whose)
{
    uint64_t words[5] = {(uint64_t)tid << 32 | pid, (uint64_t)what << 32, 0, 0, whose};
    memcpy(&words[2], name, strlen(name));
    sim_log_add(&s->logs[processor], RECORD_WHO, (uint64_t)s->time, words, 5);
}

static void write_event(struct sim_scheduler *s, const struct sim_event *event)
{
    const struct sim_task *task = &s->tasks[event->task];
    struct sim_log *log = &s->logs[event->processor];
    uint64_t first = (uint64_t)s->tasks[event->other].tid << 32 | task->tid,
             time = (uint64_t)event->time;
    switch ((enum sim_kind)event->kind) {
    case SIM_SWITCH:
        sim_log_add(log, RECORD_SWITCH, time, (uint64_t[]){first, event->state, 0}, 3);
        break;
    case SIM_WAKING:
        sim_log_add(log, RECORD_WAKING, time,
                    (uint64_t[]){first, event->context | (uint64_t)event->interrupt << 8, 0}, 3);
        break;
    case SIM_REQUEST:
        sim_log_add(log, RECORD_REQUEST, time,
                    (uint64_t[]){UINT64_C(4096) << 32 | device_number(event->other), 0,
                                 event->done | (uint64_t)task->tid << 32},
                    3);
        break;
    case SIM_MISSED:
        sim_log_add(log, RECORD_MISSED, time, (uint64_t[]){event->other}, 1);
        break;
    case SIM_PAUSE:
        sim_log_add(log, RECORD_PAUSE, time, (uint64_t[]){!event->begins}, 1);
        break;
    case SIM_WHO:
        write_who(s, event->processor, task->pid, task->tid, task->name, event->state,
                  2u - task->of_run);
        break;
    }
}

static void put(struct sim_scheduler *s, struct sim_event event)
{
    event.time = s->time;
    write_event(s, &event);
    s->written++;
    if (s->options.keep)
        VEC_PUSH(s->seen, s->seen_count, s->seen_capacity) = event;
}

static void stop_losing(struct sim_scheduler *s, uint32_t processor)
{
    uint32_t lost = s->lost[processor];
    s->losing[processor] = s->lost[processor] = 0;
    if (!lost)
        return;
    s->time++; /* what is told of a moment stands in no order */
    put(s, (struct sim_event){.kind = SIM_MISSED, .processor = processor, .other = lost});
}

/* A record that may be lost. */
static void tell(struct sim_scheduler *s, struct sim_event event)
{
    if (s->paused)
        return;
    if (s->losing[event.processor]) {
        s->lost[event.processor]++;
        if (--s->losing[event.processor] == 0)
            stop_losing(s, event.processor);
        return;
    }
    put(s, event);
}

static void tell_who(struct sim_scheduler *s, uint32_t task, uint32_t what, uint32_t processor)
{
    stop_losing(s, processor);
    s->time++;
    put(s, (struct sim_event){
               .kind = SIM_WHO, .task = task, .state = (uint8_t)what, .processor = processor});
}

/* ---- threads ---- */

static void list_add(struct sim_scheduler *s, struct sim_list *list, uint32_t task)
{
    s->tasks[task].place = (uint32_t)list->count;
    VEC_PUSH(list->items, list->count, list->capacity) = task;
}

static void list_drop(struct sim_scheduler *s, struct sim_list *list, uint32_t task)
{
    uint32_t last = list->items[--list->count], place = s->tasks[task].place;
    list->items[place] = last;
    s->tasks[last].place = place;
}

static uint32_t new_task(struct sim_scheduler *s, uint32_t tid, uint32_t pid, bool of_run)
{
    uint32_t index = (uint32_t)s->task_count;
    VEC_PUSH(s->tasks, s->task_count, s->task_capacity) = (struct sim_task){.tid = tid,
                                                                            .pid = pid,
                                                                            .of_run = of_run,
                                                                            .exists = true,
                                                                            .born = s->time,
                                                                            .gone = INT64_MAX};
    struct sim_task *task = &s->tasks[index];
    if (s->options.alike)
        snprintf(task->name, sizeof task->name, "%s%u", tid == pid ? "main" : "pool", pid % 100000);
    else
        snprintf(task->name, sizeof task->name, "t%u", index);
    return index;
}

static void add_first(struct sim_scheduler *s)
{
    uint32_t size = s->options.group_size ? s->options.group_size : s->options.threads;
    for (uint32_t i = 0; i < s->options.threads; i++)
        new_task(s, FIRST_TID + i, FIRST_TID + i / size * size, true);
    for (uint32_t i = 0; s->options.rough && i < OTHERS; i++)
        new_task(s, FIRST_TID + s->options.threads + i, FIRST_TID + s->options.threads + i, false);
    for (uint32_t i = 1; i < s->task_count; i++) {
        tell_who(s, i, WHO_SEEN, 0);
        s->tasks[i].asleep = !s->options.rough || in_percent(s, 50);
        list_add(s, s->tasks[i].asleep ? &s->asleep : &s->ready, i);
    }
    for (uint32_t i = 0; i < s->options.devices; i++) {
        char name[16];
        sim_device_name(i, name);
        write_who(s, 0, 0, device_number(i), name, WHO_DEVICE, 0);
    }
}

static void become_ready(struct sim_scheduler *s, uint32_t task)
{
    if (!s->tasks[task].asleep)
        return;
    list_drop(s, &s->asleep, task);
    s->tasks[task].asleep = false;
    list_add(s, &s->ready, task);
}

/* ---- what happens ---- */

static void give_processor(struct sim_scheduler *s, uint32_t processor, enum sim_state state)
{
    uint32_t from = s->current[processor], to = SIM_IDLE;
    if (s->ready.count && !in_percent(s, 10)) {
        to = s->ready.items[below(s, (uint32_t)s->ready.count)];
        list_drop(s, &s->ready, to);
    }
    if (from == to)
        return;
    tell(s, (struct sim_event){.kind = SIM_SWITCH,
                               .task = from,
                               .other = to,
                               .state = (uint8_t)(from ? state : SIM_RUNNABLE),
                               .processor = processor});
    s->current[processor] = to;
    s->tasks[to].processor = processor;
    s->tasks[to].woken_early = false;
}

static void leave(struct sim_scheduler *s, uint32_t processor, enum sim_state state)
{
    uint32_t task = s->current[processor];
    struct sim_task *t = &s->tasks[task];
    bool woken = t->woken_early && !in_percent(s, 30);
    t->exists = state != SIM_ENDED;
    if (!t->exists)
        t->gone = s->time;
    give_processor(s, processor, state);
    t->asleep = state != SIM_RUNNABLE && state != SIM_ENDED && !woken;
    if (state == SIM_ENDED)
        VEC_PUSH(s->ended.items, s->ended.count, s->ended.capacity) = task;
    else
        list_add(s, t->asleep ? &s->asleep : &s->ready, task);
}

static void issue_and_sleep(struct sim_scheduler *s, uint32_t processor)
{
    s->time++; /* it has come before that */
    tell(s, (struct sim_event){.kind = SIM_REQUEST,
                               .task = s->current[processor],
                               .other = below(s, s->options.devices),
                               .processor = processor});
    s->time += below(s, 3);
    leave(s, processor, SIM_UNINTERRUPTIBLE);
}

static void sleep_of(struct sim_scheduler *s, uint32_t processor)
{
    static const enum sim_state states[] = {SIM_SLEEPS, SIM_SLEEPS, SIM_UNINTERRUPTIBLE,
                                            SIM_STOPPED};
    if (s->options.devices && in_percent(s, 20))
        issue_and_sleep(s, processor);
    else
        leave(s, processor, states[below(s, s->options.rough ? 4 : 2)]);
}

/* Whom `waker` wakes: SIM_IDLE where nobody sleeps. */
static uint32_t whom_to_wake(struct sim_scheduler *s, uint32_t waker)
{
    enum { TRIES = 4 };
    uint32_t near = s->options.near;
    for (int i = 0; near && waker && i < TRIES; i++) {
        uint32_t task = waker + 1 + below(s, near);
        task = task < s->task_count ? task : task - (uint32_t)s->task_count + 1;
        if (s->tasks[task].asleep)
            return task;
    }
    if (near && waker)
        return SIM_IDLE;
    return s->asleep.count ? s->asleep.items[below(s, (uint32_t)s->asleep.count)] : SIM_IDLE;
}

static void wake(struct sim_scheduler *s, uint32_t processor, uint32_t task, uint8_t context,
                 uint8_t interrupt)
{
    if (!task || task == s->current[processor])
        return;
    tell(s, (struct sim_event){.kind = SIM_WAKING,
                               .task = task,
                               .other = s->current[processor],
                               .context = context,
                               .interrupt = interrupt,
                               .processor = processor});
    become_ready(s, task);
}

static void interrupt(struct sim_scheduler *s, uint32_t processor)
{
    static const uint8_t kinds[] = {SIM_TIMER, SIM_NETWORK, SIM_DISK, SIM_OTHER, SIM_UNKNOWN};
    uint8_t kind = kinds[below(s, s->options.rough ? 5 : 3)];
    if (kind == SIM_DISK && s->options.devices && !in_percent(s, s->options.rough ? 20 : 0)) {
        tell(s, (struct sim_event){.kind = SIM_REQUEST,
                                   .done = true,
                                   .other = below(s, s->options.devices),
                                   .processor = processor});
        s->time += below(s, 3);
    }
    wake(s, processor, whom_to_wake(s, SIM_IDLE), in_percent(s, 50) ? SIM_SOFT : SIM_HARD, kind);
}

/* ---- what happens now and then ---- */

static uint32_t any_existing(struct sim_scheduler *s)
{
    uint32_t task = 1 + below(s, (uint32_t)s->task_count - 1);
    return s->tasks[task].exists ? task : SIM_IDLE;
}

/* Ids of threads that have ended come again, in another process or the same; of the run, if they were. */
static void fork_thread(struct sim_scheduler *s, uint32_t processor)
{
    const struct sim_task parent = s->tasks[s->current[processor]];
    uint32_t tid = FIRST_TID + (uint32_t)s->task_count + OTHERS, pid = parent.pid;
    uint32_t old = s->ended.count ? s->ended.items[s->ended.count - 1] : SIM_IDLE;
    if (old && s->tasks[old].of_run == parent.of_run && in_percent(s, 70)) {
        s->ended.count--;
        tid = s->tasks[old].tid;
        pid = in_percent(s, 50) ? s->tasks[old].pid : pid;
    }
    uint32_t task = new_task(s, tid, in_percent(s, 30) ? tid : pid, parent.of_run);
    tell_who(s, task, WHO_CREATED, processor);
    s->time += below(s, 3);
    wake(s, processor, task, SIM_THREAD, SIM_UNKNOWN);
    list_add(s, &s->ready, task);
}

static void exec(struct sim_scheduler *s, uint32_t processor)
{
    uint32_t task = s->current[processor];
    snprintf(s->tasks[task].name, sizeof s->tasks[task].name, "x%u", task);
    tell_who(s, task, WHO_SEEN, processor);
}

/* Of who has been woken, or runs: it comes too late, or it is about to sleep. */
static void wake_again(struct sim_scheduler *s, uint32_t processor)
{
    uint32_t task = any_existing(s);
    if (!task || task == s->current[processor] || s->tasks[task].asleep)
        return;
    s->tasks[task].woken_early = true;
    wake(s, processor, task, SIM_THREAD, SIM_UNKNOWN);
}

static void wake_unseen(struct sim_scheduler *s)
{
    uint32_t task = whom_to_wake(s, SIM_IDLE);
    if (task)
        become_ready(s, task);
}

static void change_pause(struct sim_scheduler *s)
{
    for (uint32_t p = 0; p < s->options.processors; p++)
        stop_losing(s, p);
    s->time++;
    for (uint32_t p = 0; p < s->options.processors; p++)
        put(s, (struct sim_event){.kind = SIM_PAUSE, .begins = !s->paused, .processor = p});
    s->paused = !s->paused;
}

static void unusual(struct sim_scheduler *s, uint32_t processor)
{
    bool runs = s->current[processor] && !s->paused;
    switch (below(s, 12)) {
    case 0:
        if (runs)
            fork_thread(s, processor);
        break;
    case 1:
        if (runs && s->asleep.count + s->ready.count > 2)
            leave(s, processor, SIM_ENDED);
        break;
    case 2:
        if (runs)
            exec(s, processor);
        break;
    case 3:
        wake_unseen(s);
        break;
    case 4:
        if (!s->losing[processor] && in_percent(s, 30))
            s->losing[processor] = 1 + below(s, 6);
        break;
    case 5:
        if (s->paused || in_percent(s, 15))
            change_pause(s);
        break;
    default:
        wake_again(s, processor);
        break;
    }
}

static void usual(struct sim_scheduler *s, uint32_t processor)
{
    uint32_t task = s->current[processor], dice = below(s, 100), load = s->options.load;
    if (!task && s->ready.count)
        give_processor(s, processor, SIM_RUNNABLE);
    else if (task && load && s->ready.count >= (size_t)load * s->options.processors)
        sleep_of(s, processor);
    else if (!task || dice < 8)
        interrupt(s, processor);
    else if (dice < 52)
        wake(s, processor, whom_to_wake(s, task), SIM_THREAD, SIM_UNKNOWN);
    else if (dice < 94)
        sleep_of(s, processor);
    else
        leave(s, processor, SIM_RUNNABLE);
}

/* What one processor tells of a moment no other one does. */
static void step(struct sim_scheduler *s, uint32_t *last)
{
    uint32_t processor = below(s, s->options.processors);
    s->time += (processor != *last) + below(s, s->options.longest_step);
    *last = processor;
    if (s->options.rough && in_percent(s, 20))
        unusual(s, processor);
    else
        usual(s, processor);
}

void sim_scheduler_run(struct sim_scheduler *s, const struct sim_options *options)
{
    uint32_t last = 0;
    *s = (struct sim_scheduler){.options = *options, .random = options->seed * 0x9e3779b97f4a7c15u};
    s->current = memory_zeroed(options->processors * sizeof *s->current);
    s->losing = memory_zeroed(options->processors * sizeof *s->losing);
    s->lost = memory_zeroed(options->processors * sizeof *s->lost);
    s->logs = memory_zeroed(options->processors * sizeof *s->logs);
    new_task(s, 0, 0, false);
    add_first(s);
    while (s->written < options->events)
        step(s, &last);
}

void sim_scheduler_write(const struct sim_scheduler *s, const char *path)
{
    struct sim_header header = {.pid = 900,
                                .parent = 1,
                                .rate = 1,
                                .monotonic = 1,
                                .base = 1000,
                                .recorder = 1,
                                .chunk_bytes = s->options.rough ? 1024 : 1 << 20};
    sim_file_write(path, &header, s->logs, (int)s->options.processors, NULL);
}

static int64_t life_of(const struct sim_scheduler *s, const struct sim_task *task)
{
    return (task->gone < s->time ? task->gone : s->time) - task->born;
}

bool sim_task_has_log(const struct sim_scheduler *s, uint32_t task)
{
    return task && s->tasks[task].of_run && life_of(s, &s->tasks[task]) > 8;
}

static void add_call(struct sim_log *log, int64_t start, int64_t end)
{
    sim_log_add(log, RECORD_FUNCTION, (uint64_t)start,
                (uint64_t[]){(uint64_t)(end - start) << 24 | 1}, 1);
}

/* A call is recorded when it ends: the longest one comes last. */
static void write_thread(const struct sim_scheduler *s, uint32_t index, uint32_t calls,
                         const char *path)
{
    const struct sim_task *task = &s->tasks[index];
    struct sim_log log = {.tid = task->tid, .start = index};
    struct sim_header header = {.pid = task->pid,
                                .parent = 1,
                                .rate = 1,
                                .monotonic = 1,
                                .base = 1000,
                                .chunk_bytes = 1 << 20};
    int64_t first = task->born + 1, last = task->born + life_of(s, task) - 1;
    for (uint32_t i = 0; i < calls; i++)
        add_call(&log, first + 1 + (last - first - 2) * i / calls,
                 first + 1 + (last - first - 2) * (i + 1) / calls);
    add_call(&log, first, last);
    sim_file_write(path, &header, &log, 1, NULL);
    str_release(&log.records);
}

void sim_scheduler_write_threads(const struct sim_scheduler *s, const char *folder, uint32_t calls)
{
    char path[4096];
    for (uint32_t i = 1; i < s->task_count; i++) {
        if (!sim_task_has_log(s, i))
            continue;
        snprintf(path, sizeof path, "%s/%u.vtr", folder, i);
        write_thread(s, i, calls, path);
    }
}

void sim_scheduler_release(struct sim_scheduler *s)
{
    for (uint32_t p = 0; p < s->options.processors; p++)
        str_release(&s->logs[p].records);
    memory_free(s->tasks);
    memory_free(s->seen);
    memory_free(s->current);
    memory_free(s->ready.items);
    memory_free(s->asleep.items);
    memory_free(s->ended.items);
    memory_free(s->logs);
    memory_free(s->losing);
    memory_free(s->lost);
    *s = (struct sim_scheduler){0};
}
