#include "sampler/run_filter.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

#define HELD_NS UINT64_C(1000000000)
enum { HELD_RECORDS = 1 << 15 }; /* for each processor */
/* Who wakes a thread may do it while the thread is still on its way off its processor. */
#define EARLY_NS 100000
/* A waking comes so soon after its call chain, which takes long where nothing is in the caches. */
#define CHAIN_NS 1000000
/* A wait that is long (chosen): those of a thread that has such ones are few. */
#define LONG_NS 1000000
/* So many switches that needed no second word are enough to go on without it; the more, the oftener
 * that was wrong. */
enum { SURE = 5000, SUREST = 1 << 30 };

/* What a chunk told that makes room now is told again when it is named again. */
static void forget_told(void *context, const void *records, uint64_t bytes)
{
    struct run_filter *filter = context;
    const char *at = records, *end = at + bytes;
    while (at + sizeof(uint64_t) <= end) {
        uint64_t head = *(const uint64_t *)(const void *)at;
        const struct trace_who *who = (const void *)at;
        if (!head)
            return;
        at += TRACE_KIND_SIZE(head);
        if (TRACE_HEAD_KIND(head) != TRACE_WHO || at > end)
            continue;
        struct task *task = task_table_get(&filter->tasks, who->tid);
        if (who->what == TRACE_WHO_DEVICE)
            *hash_map_put(&filter->devices, who->tid) = 0;
        else if (task)
            task->told = false;
    }
}

void run_filter_init(struct run_filter *filter, struct recorder_file *file)
{
    *filter = (struct run_filter){.file = file};
    filter->processors = memory_zeroed(file->processors * sizeof *filter->processors);
    held_records_init(&filter->held, (size_t)HELD_RECORDS * file->processors);
    file->give_up = forget_told;
    file->context = filter;
}

void run_filter_release(struct run_filter *filter)
{
    task_table_release(&filter->tasks);
    held_records_release(&filter->held);
    hash_map_release(&filter->devices);
    hash_map_release(&filter->disks);
    cause_memory_release(&filter->causes);
    process_titles_release(&filter->titles);
    memory_free(filter->processors);
    *filter = (struct run_filter){0};
}

/* ---- records to the file ---- */

static uint32_t whose(struct task *task)
{
    if (task->run)
        return TRACE_WHOSE_RUN;
    return task_table_is_kernel(task) ? TRACE_WHOSE_KERNEL : TRACE_WHOSE_OTHER;
}

static void write_who(struct run_filter *filter, const struct held_record *at, struct task *task)
{
    struct trace_who who = {.pid = task_table_pid(task), .tid = task->tid, .whose = whose(task)};
    memcpy(who.name, task->name, sizeof who.name);
    recorder_file_add(filter->file, at->processor, at->time_ns, TRACE_WHO, &who);
    task->told = task->told_any = true;
}

static void tell(struct run_filter *filter, const struct held_record *at, uint32_t tid)
{
    if (tid == 0 || tid == TRACE_TID_UNKNOWN)
        return;
    struct task *task = task_table_put(&filter->tasks, tid);
    if (!task->told)
        write_who(filter, at, task);
}

/* "DEVNAME=vda" */
static void read_device_name(uint32_t device, char *name)
{
    char path[64], line[256];
    snprintf(path, sizeof path, "/sys/dev/block/%u:%u/uevent", device >> 20, device & 0xfffff);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file) && sscanf(line, "DEVNAME=%15s", name) != 1)
        ;
    if (file)
        fclose(file);
}

static void tell_device(struct run_filter *filter, const struct held_record *at, uint32_t device)
{
    uint64_t *told = hash_map_put(&filter->devices, device);
    struct trace_who who = {.tid = device, .what = TRACE_WHO_DEVICE};
    if (*told)
        return;
    *told = 1;
    read_device_name(device, who.name);
    recorder_file_add(filter->file, at->processor, at->time_ns, TRACE_WHO, &who);
}

static void tell_named(struct run_filter *filter, const struct held_record *record)
{
    switch (record->kind) {
    case TRACE_SWITCH:
        tell(filter, record, record->as.of_switch.from);
        tell(filter, record, record->as.of_switch.to);
        break;
    case TRACE_WAKING:
        tell(filter, record, record->as.of_waking.tid);
        tell(filter, record, record->as.of_waking.waker);
        break;
    case TRACE_REQUEST:
        tell(filter, record, record->as.of_request.tid);
        tell_device(filter, record, record->as.of_request.device);
        break;
    case TRACE_FAULT:
        tell(filter, record, record->as.of_fault.tid);
        break;
    default:
        break;
    }
}

/* A thread that no record named needs no end. */
static bool who_counts(struct run_filter *filter, const struct trace_who *who)
{
    struct task *task = task_table_put(&filter->tasks, who->tid);
    if (who->what != TRACE_WHO_CREATED)
        return task->told_any;
    task->told = strncmp(who->name, task->name, sizeof who->name) == 0;
    return task->told_any = true;
}

/* What is told of a switch that nobody asks for: that it ends what was kept of its processor, or what was
 * missed there. */
static bool is_end(struct filter_processor *processor, struct trace_switch *told)
{
    bool end = processor->open || processor->gap;
    if (!processor->open)
        told->from = TRACE_TID_UNKNOWN;
    told->to = TRACE_TID_UNKNOWN;
    processor->open = processor->gap = false;
    return end;
}

/* Who has a processor for long is told without being asked: it may be asked later. */
static bool is_kept(struct run_filter *filter, struct held_record *record, uint64_t number)
{
    struct filter_processor *processor = &filter->processors[record->processor];
    if (record->kind == TRACE_WHO)
        return who_counts(filter, &record->as.of_who);
    if (record->kind == TRACE_MISSED)
        processor->gap = true;
    if (record->kind != TRACE_SWITCH)
        return record->keep;
    if (!record->keep && processor->latest != number)
        return is_end(processor, &record->as.of_switch);
    processor->open = true;
    processor->gap = false;
    return true;
}

static void write_oldest(struct run_filter *filter)
{
    struct held_record record = *held_records_oldest(&filter->held);
    if (is_kept(filter, &record, filter->held.first)) {
        tell_named(filter, &record);
        recorder_file_add(filter->file, record.processor, record.time_ns, record.kind, &record.as);
    }
    held_records_drop_oldest(&filter->held);
}

void run_filter_write(struct run_filter *filter, uint64_t now_ns)
{
    const struct held_record *oldest;
    while ((oldest = held_records_oldest(&filter->held)) && oldest->time_ns + HELD_NS < now_ns)
        write_oldest(filter);
    oldest = held_records_oldest(&filter->held);
    task_table_drop_ended(&filter->tasks, oldest ? oldest->time_ns : now_ns);
}

/* Those who were told in a chunk that made room, and whose records may still be there. */
static void tell_again(struct run_filter *filter, uint64_t room)
{
    struct held_record now = {.time_ns = filter->file->header->calibration[1].ticks};
    uint64_t used = TRACE_PAGE;
    for (size_t i = 0; i < filter->tasks.count && used < room; i++) {
        struct task *task = &filter->tasks.tasks[i];
        if (!task->told_any || task->told)
            continue;
        write_who(filter, &now, task);
        used += sizeof(struct trace_who);
    }
}

void run_filter_look(struct run_filter *filter, uint64_t now_ns, bool all)
{
    process_titles_look(&filter->titles, &filter->tasks, now_ns, all);
}

static uint64_t latest_ns(const struct recorder_file *file)
{
    uint64_t latest = 0;
    for (uint32_t i = 0; i < file->processors; i++)
        if (file->logs[i].last_ticks > latest)
            latest = file->logs[i].last_ticks;
    return latest;
}

/* Of processes that records name: last of all, so that no chunk that makes room takes them away. */
static void write_titles(struct run_filter *filter)
{
    struct held_record now = {.time_ns = latest_ns(filter->file)};
    for (size_t i = 0; i < filter->titles.count; i++) {
        const struct process_title *title = &filter->titles.items[i];
        const struct task *task = task_table_get(&filter->tasks, title->pid);
        struct trace_title record = {.pid = title->pid};
        if (!title->text[0] || !task || !task->told_any)
            continue;
        tell(filter, &now, title->pid);
        memcpy(record.title, title->text, sizeof record.title);
        recorder_file_add(filter->file, now.processor, now.time_ns, TRACE_TITLE, &record);
    }
}

void run_filter_finish(struct run_filter *filter)
{
    while (held_records_oldest(&filter->held))
        write_oldest(filter);
    write_titles(filter);
    uint64_t room = recorder_file_settle(filter->file);
    if (filter->file->header->overwritten_records)
        tell_again(filter, room);
}

/* ---- what is kept ---- */

static uint64_t hold(struct run_filter *filter, const struct held_record *record)
{
    if (held_records_full(&filter->held))
        write_oldest(filter);
    return held_records_add(&filter->held, record);
}

static struct held_record held_of(const struct kernel_event *event, enum trace_kind kind, bool keep)
{
    return (struct held_record){.time_ns = event->time_ns,
                                .processor = event->processor,
                                .kind = (uint8_t)kind,
                                .keep = keep};
}

static void keep_latest(struct run_filter *filter)
{
    for (uint32_t i = 0; i < filter->file->processors; i++) {
        struct held_record *record = held_records_at(&filter->held, filter->processors[i].latest);
        if (record)
            record->keep = true;
    }
}

static void change_state(struct run_filter *filter, struct task *task, enum task_state state)
{
    bool starved = filter->tasks.starved > 0;
    task_table_set_state(&filter->tasks, task, state);
    if (!starved && filter->tasks.starved > 0)
        keep_latest(filter);
}

/* In the order of the arguments: a put moves the tasks. */
static void see_pair(struct run_filter *filter, const struct kernel_event *event,
                     struct task **current, struct task **other)
{
    task_table_put(&filter->tasks, event->other);
    *current = task_table_put(&filter->tasks, event->tid);
    *other = task_table_put(&filter->tasks, event->other);
    if (event->pid && event->pid != UINT32_MAX && event->tid)
        (*current)->pid = event->pid;
    if (event->other_pid)
        (*other)->pid = event->other_pid;
    task_table_name(*current, event->name);
    task_table_name(*other, event->other_name);
}

/* What the thread does at that time is the run's. */
static bool is_run_at(struct run_filter *filter, uint32_t tid, uint64_t time_ns)
{
    const struct task *task = task_table_put(&filter->tasks, tid);
    return task->run && time_ns >= task->begun_ns;
}

static bool is_of_run(struct run_filter *filter, const struct held_record *record)
{
    switch (record->kind) {
    case TRACE_SWITCH:
        return is_run_at(filter, record->as.of_switch.from, record->time_ns) ||
               is_run_at(filter, record->as.of_switch.to, record->time_ns);
    case TRACE_WAKING:
        return is_run_at(filter, record->as.of_waking.tid, record->time_ns);
    default:
        return false;
    }
}

static bool is_about(const struct held_record *record, uint32_t tid)
{
    return (record->kind == TRACE_SWITCH &&
            (record->as.of_switch.from == tid || record->as.of_switch.to == tid)) ||
           (record->kind == TRACE_WAKING && record->as.of_waking.tid == tid);
}

/* The process's program begins at this moment: what it did until then is not the run's. */
static void forget_before(struct run_filter *filter, uint32_t tid, uint64_t begun_ns)
{
    task_table_put(&filter->tasks, tid)->begun_ns = begun_ns;
    for (uint64_t i = filter->held.first; i < filter->held.next; i++) {
        struct held_record *held = held_records_at(&filter->held, i);
        if (is_about(held, tid))
            held->keep &= is_of_run(filter, held);
    }
}

/* What it waited for was over before it got the processor; as a sign that it waits long, that serves. */
static void note_long(struct run_filter *filter, const struct task *task, uint64_t now_ns)
{
    if (filter->list && task->run && task->tid && task->out_ns && task->woken > task->out &&
        now_ns - task->out_ns > LONG_NS)
        watch_list_add_long(filter->list, task->tid);
}

static void hold_end(struct run_filter *filter, const struct kernel_event *event, struct task *task)
{
    struct held_record end = held_of(event, TRACE_WHO, task->run);
    end.as.of_who = (struct trace_who){
        .pid = task->pid, .tid = task->tid, .what = TRACE_WHO_ENDED, .whose = whose(task)};
    memcpy(end.as.of_who.name, task->name, sizeof end.as.of_who.name);
    hold(filter, &end);
    task_table_ended(&filter->tasks, task);
    if (task->ours && !task->begun_ns) /* there was no program to begin */
        forget_before(filter, event->tid, event->time_ns + 1);
}

static enum task_state state_after(const struct task *task, const struct kernel_event *event)
{
    if (event->state == TRACE_OFF_RUNNABLE)
        return TASK_RUNNABLE;
    bool woken = task->woken_ns && event->time_ns - task->woken_ns < EARLY_NS;
    return woken && task->state == TASK_RUNNING ? TASK_RUNNABLE : TASK_BLOCKED;
}

static void hold_missed(struct run_filter *filter, const struct kernel_event *event, uint64_t count)
{
    struct held_record record = held_of(event, TRACE_MISSED, true);
    record.as.of_missed.records = count;
    hold(filter, &record);
    filter->file->header->lost_records += count;
}

static uint32_t sure_at(const struct filter_processor *processor)
{
    return processor->sure ? processor->sure : SURE;
}

/* Who leaves the processor is not who got it: there was a switch between, and maybe more. */
static void see_processor(struct run_filter *filter, const struct kernel_event *event)
{
    struct filter_processor *processor = &filter->processors[event->processor];
    if (event->tid == TRACE_TID_UNKNOWN || event->other == TRACE_TID_UNKNOWN)
        return;
    if (processor->has_known && processor->has != event->tid) {
        hold_missed(filter, event, 1);
        if (processor->confirmed >= sure_at(processor) && processor->confirmed < SUREST / 2)
            processor->sure = 2 * sure_at(processor);
        processor->confirmed = 0;
    }
    processor->has = event->other;
    processor->has_known = true;
    if (processor->confirmed < sure_at(processor))
        processor->confirmed++;
}

static void take_switch(struct run_filter *filter, const struct kernel_event *event)
{
    struct task *from, *to;
    see_processor(filter, event);
    see_pair(filter, event, &from, &to);
    bool keep = from->run || to->run || filter->tasks.starved > 0;
    struct held_record record = held_of(event, TRACE_SWITCH, keep);
    record.as.of_switch =
        (struct trace_switch){.from = event->tid, .to = event->other, .state = event->state};
    record.ran = event->tid ? from->in : 0;
    if (event->other)
        record.before = to->woken > to->out ? to->woken : to->out;
    uint64_t number = hold(filter, &record);
    filter->processors[event->processor].latest = number;
    note_long(filter, to, event->time_ns);
    from->out = number;
    from->out_ns = event->time_ns;
    to->in = number;
    if (event->tid && event->tid != TRACE_TID_UNKNOWN)
        change_state(filter, from, state_after(from, event));
    if (event->other && event->other != TRACE_TID_UNKNOWN)
        change_state(filter, to, TASK_RUNNING);
    if (event->state == TRACE_OFF_ENDED && event->tid)
        hold_end(filter, event, from);
}

/* The threads that have such switches run on, or sleep: which, the second word does not say. */
static void take_second_word(struct run_filter *filter, const struct kernel_event *event)
{
    struct filter_processor *processor = &filter->processors[event->processor];
    struct kernel_event made_up = *event;
    if (processor->has_known && processor->has == event->tid)
        return;
    made_up.kind = EVENT_SWITCH;
    made_up.tid = event->other;
    made_up.pid = event->other_pid;
    made_up.other = event->tid;
    made_up.other_pid = event->pid;
    made_up.state = event->other ? TRACE_OFF_SLEEPS : TRACE_OFF_RUNNABLE;
    if (processor->has_known) {
        processor->confirmed = 0;
        filter->untold++;
    }
    if (event->other != TRACE_TID_UNKNOWN)
        take_switch(filter, &made_up);
}

bool run_filter_doubts(const struct run_filter *filter, uint32_t processor)
{
    return filter->processors[processor].confirmed < sure_at(&filter->processors[processor]);
}

static void take_cause(struct run_filter *filter, const struct kernel_event *event)
{
    struct kernel_cause cause = {(enum trace_context)event->context,
                                 (enum trace_interrupt)event->interrupt};
    cause_memory_teach(&filter->causes, (enum trace_context)event->within, event->tid, event->other,
                       cause);
    filter->processors[event->processor].cause = *event;
}

/* Its own chain tells it, just before, or else those of others of the pair. */
static struct kernel_cause cause_of(struct run_filter *filter, const struct kernel_event *waking)
{
    struct filter_processor *processor = &filter->processors[waking->processor];
    struct kernel_event *told = &processor->cause;
    enum trace_context context = (enum trace_context)waking->context;
    processor->soft += context == TRACE_CONTEXT_SOFT;
    processor->hard += context == TRACE_CONTEXT_HARD;
    if (context == TRACE_CONTEXT_THREAD)
        return (struct kernel_cause){context, (enum trace_interrupt)waking->interrupt};
    if (told->tid == waking->tid && told->other == waking->other && told->within == context &&
        waking->time_ns - told->time_ns < CHAIN_NS) {
        told->other = 0; /* of this waking alone; nobody wakes an idle thread */
        return (struct kernel_cause){(enum trace_context)told->context,
                                     (enum trace_interrupt)told->interrupt};
    }
    return cause_memory_get(&filter->causes, context, waking->tid, waking->other);
}

static void take_waking(struct run_filter *filter, const struct kernel_event *event)
{
    struct task *waker, *woken;
    struct kernel_cause cause = cause_of(filter, event);
    see_pair(filter, event, &waker, &woken);
    struct held_record record = held_of(event, TRACE_WAKING, woken->run);
    record.as.of_waking = (struct trace_waking){.tid = event->other,
                                                .waker = event->tid,
                                                .context = (uint8_t)cause.context,
                                                .interrupt = (uint8_t)cause.interrupt,
                                                .born = event->born};
    record.before = woken->out;
    if (cause.context == TRACE_CONTEXT_THREAD && event->tid)
        record.waker_in = waker->in;
    woken->woken = hold(filter, &record);
    woken->woken_ns = event->time_ns;
    if (woken->run && !waker->run)
        held_records_keep(&filter->held, record.waker_in, woken->out_ns);
    if (woken->state != TASK_RUNNING)
        change_state(filter, woken, TASK_RUNNABLE);
}

static void take_birth(struct run_filter *filter, const struct kernel_event *event)
{
    struct task *task = task_table_born(&filter->tasks, event->other, event->other_pid, event->tid);
    struct held_record record = held_of(event, TRACE_WHO, task->run);
    task->ours = event->pid == (uint32_t)getpid() && event->other == event->other_pid;
    if (!task->run)
        return;
    if (filter->list)
        watch_list_add_process(filter->list, event->other_pid);
    record.as.of_who = (struct trace_who){.pid = event->other_pid,
                                          .tid = event->other,
                                          .maker = event->tid,
                                          .what = TRACE_WHO_CREATED,
                                          .whose = whose(task)};
    memcpy(record.as.of_who.name, task->name, sizeof record.as.of_who.name);
    hold(filter, &record);
}

/* The program has the processor that it begins on. */
static void begin_program(struct run_filter *filter, const struct kernel_event *event)
{
    bool run = task_table_put(&filter->tasks, event->tid)->run;
    struct held_record record = held_of(event, TRACE_SWITCH, run);
    forget_before(filter, event->tid, event->time_ns);
    record.as.of_switch = (struct trace_switch){.from = TRACE_TID_UNKNOWN, .to = event->tid};
    uint64_t number = hold(filter, &record);
    task_table_put(&filter->tasks, event->tid)->in = number; /* tasks may have moved */
    filter->processors[event->processor].latest = number;
}

static void take_name(struct run_filter *filter, const struct kernel_event *event)
{
    struct task *task = task_table_put(&filter->tasks, event->tid);
    task_table_name(task, event->name);
    if (event->exec && task->ours && !task->begun_ns)
        begin_program(filter, event);
}

/* Requests are of the disk, though who asks may name a partition of it. */
static uint32_t disk_of(struct run_filter *filter, uint32_t device)
{
    uint64_t *known = hash_map_put(&filter->disks, device);
    char path[96], line[32];
    unsigned major = device >> 20, minor = device & 0xfffff;
    if (*known)
        return (uint32_t)(*known - 1);
    snprintf(path, sizeof path, "/sys/dev/block/%u:%u/partition", major, minor);
    bool part = access(path, F_OK) == 0;
    snprintf(path, sizeof path, "/sys/dev/block/%u:%u/../dev", major, minor);
    FILE *file = part ? fopen(path, "re") : NULL;
    if (file && fgets(line, sizeof line, file))
        sscanf(line, "%u:%u", &major, &minor);
    if (file)
        fclose(file);
    *known = 1 + (uint64_t)(major << 20 | minor);
    return (uint32_t)(*known - 1);
}

/* Who asks for it has its process told, though a worker may issue it. */
static void take_asked(struct run_filter *filter, const struct kernel_event *event)
{
    struct task *task = task_table_put(&filter->tasks, event->tid);
    bool worker = strncmp(task->name, "kworker/", strlen("kworker/")) == 0;
    uint32_t disk = disk_of(filter, event->device);
    if (event->tid && event->pid && event->pid != UINT32_MAX)
        task->pid = event->pid;
    if (event->flush)
        request_memory_note(&filter->requests, disk, REQUEST_FLUSH, event->tid, worker);
    if (event->bytes)
        request_memory_note(&filter->requests, disk, event->sector, event->tid, worker);
}

static void take_request(struct run_filter *filter, const struct kernel_event *event)
{
    struct held_record record = held_of(event, TRACE_REQUEST, true);
    uint32_t tid = event->tid;
    uint64_t sector = event->bytes ? event->sector : REQUEST_FLUSH;
    if (event->what == TRACE_REQUEST_ISSUED)
        tid = request_memory_take(&filter->requests, event->device, sector, tid);
    record.as.of_request = (struct trace_request){.device = event->device,
                                                  .bytes = event->bytes,
                                                  .sector = event->sector,
                                                  .what = event->what,
                                                  .way = event->way,
                                                  .tid = tid};
    hold(filter, &record);
}

static void take_fault(struct run_filter *filter, const struct kernel_event *event)
{
    bool run = task_table_put(&filter->tasks, event->tid)->run;
    struct held_record record = held_of(event, TRACE_FAULT, run);
    record.as.of_fault = (struct trace_fault){.pid = event->pid, .tid = event->tid};
    if (run)
        hold(filter, &record);
}

static void take_lost(struct run_filter *filter, const struct kernel_event *event)
{
    hold_missed(filter, event, event->lost);
    filter->processors[event->processor].lost += event->lost;
    filter->taken += event->lost;
    filter->processors[event->processor].has_known = false;
    task_table_forget_states(&filter->tasks);
}

static void hold_pause(struct run_filter *filter, uint64_t now_ns, enum trace_pause_what what)
{
    for (uint32_t i = 0; i < filter->file->processors; i++) {
        struct held_record record = {
            .time_ns = now_ns, .processor = i, .kind = TRACE_PAUSE, .keep = true};
        record.as.of_pause.what = what;
        hold(filter, &record);
    }
}

void run_filter_pause(struct run_filter *filter, uint64_t now_ns)
{
    filter->paused_ns = now_ns;
    hold_pause(filter, now_ns, TRACE_PAUSE_BEGINS);
}

void run_filter_resume(struct run_filter *filter, uint64_t now_ns)
{
    filter->paused_ns = 0;
    filter->resumed_ns = now_ns;
    for (uint32_t i = 0; i < filter->file->processors; i++)
        filter->processors[i].has_known = false;
    task_table_forget_states(&filter->tasks);
    hold_pause(filter, now_ns, TRACE_PAUSE_ENDS);
}

static bool is_of_pause(const struct run_filter *filter, const struct kernel_event *event)
{
    if (event->kind == EVENT_BIRTH || event->kind == EVENT_NAME || event->kind == EVENT_LOST)
        return false;
    return event->time_ns < filter->resumed_ns ||
           (filter->paused_ns && event->time_ns >= filter->paused_ns);
}

void run_filter_take(struct run_filter *filter, const struct kernel_event *event)
{
    if (event->processor >= filter->file->processors || is_of_pause(filter, event))
        return;
    filter->taken++;
    switch (event->kind) {
    case EVENT_SWITCH:
        take_switch(filter, event);
        break;
    case EVENT_WAKING:
        take_waking(filter, event);
        break;
    case EVENT_CAUSE:
        take_cause(filter, event);
        break;
    case EVENT_ASKED:
        take_asked(filter, event);
        break;
    case EVENT_REQUEST:
        take_request(filter, event);
        break;
    case EVENT_FAULT:
        take_fault(filter, event);
        break;
    case EVENT_BIRTH:
        take_birth(filter, event);
        break;
    case EVENT_NAME:
        take_name(filter, event);
        break;
    case EVENT_CAME:
        take_second_word(filter, event);
        break;
    case EVENT_LOST:
        take_lost(filter, event);
        break;
    }
}

/* Of the records that are still held more are the run's now. */
void run_filter_watch(struct run_filter *filter, pid_t pid)
{
    task_table_watch(&filter->tasks, pid);
    if (filter->list)
        watch_list_add_process(filter->list, (uint32_t)pid);
    for (uint64_t i = filter->held.first; i < filter->held.next; i++) {
        struct held_record *record = held_records_at(&filter->held, i);
        if (record->keep || !is_of_run(filter, record))
            continue;
        record->keep = true;
        if (record->kind == TRACE_WAKING)
            held_records_keep(&filter->held, record->waker_in, 0);
    }
}
