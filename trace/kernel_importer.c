#include <string.h>

#include "trace/importer.h"
#include "trace/off_blocks.h"
#include "trace/request_list.h"
#include "trace/scheduler_log.h"

struct kernel_state {
    struct scheduler_log log;
    struct request_list requests;
};

static struct scheduler_event event_of(const struct trace_switch *taken)
{
    return (struct scheduler_event){
        .kind = SCHEDULER_SWITCH, .tid = taken->from, .other = taken->to, .detail = taken->state};
}

static struct scheduler_event event_of_waking(const struct trace_waking *taken)
{
    return (struct scheduler_event){.kind = SCHEDULER_WAKING,
                                    .tid = taken->tid,
                                    .other = taken->waker,
                                    .detail = taken->context,
                                    .cause = taken->interrupt,
                                    .born = taken->born};
}

static struct scheduler_event event_of_who(struct scheduler_log *log, struct loading *loading,
                                           const struct trace_who *taken)
{
    const char *name = loading_name(loading, taken->name, sizeof taken->name);
    return (struct scheduler_event){.kind = SCHEDULER_WHO,
                                    .tid = taken->tid,
                                    .other = taken->pid,
                                    .detail = (uint8_t)taken->what,
                                    .cause = (uint8_t)taken->whose,
                                    .processor = scheduler_log_name(log, name)};
}

static struct scheduler_event event_of_title(struct scheduler_log *log, struct loading *loading,
                                             const struct trace_title *taken)
{
    const char *title = loading_name(loading, taken->title, sizeof taken->title);
    return (struct scheduler_event){
        .kind = SCHEDULER_TITLE, .tid = taken->pid, .processor = scheduler_log_name(log, title)};
}

static struct scheduler_event event_of_missed(const struct trace_missed *taken)
{
    bool most = taken->records > UINT32_MAX;
    return (struct scheduler_event){.kind = SCHEDULER_MISSED,
                                    .other = most ? UINT32_MAX : (uint32_t)taken->records};
}

static void add(struct scheduler_log *log, struct loading *loading,
                const struct trace_record *record, struct scheduler_event event)
{
    event.time = loading_ns(loading, record->ticks);
    if (event.kind != SCHEDULER_WHO && event.kind != SCHEDULER_TITLE)
        event.processor = loading->processor;
    scheduler_log_add(log, event);
}

static void cut_requests(struct request_list *requests, struct loading *loading,
                         const struct trace_record *record)
{
    request_list_add(requests, (struct request_event){.kind = REQUEST_CUT,
                                                      .time = loading_ns(loading, record->ticks)});
}

static void take_request(struct kernel_state *state, struct loading *loading,
                         const struct trace_record *record)
{
    const struct trace_request *taken = record->data;
    bool done = taken->what == TRACE_REQUEST_DONE;
    add(&state->log, loading, record,
        (struct scheduler_event){.kind = done ? SCHEDULER_DONE : SCHEDULER_ISSUED,
                                 .tid = taken->tid,
                                 .other = taken->device,
                                 .detail = taken->way});
    request_list_add(&state->requests,
                     (struct request_event){.kind = done ? REQUEST_DONE : REQUEST_ISSUED,
                                            .time = loading_ns(loading, record->ticks),
                                            .sector = taken->sector,
                                            .device = taken->device,
                                            .bytes = taken->bytes,
                                            .tid = taken->tid});
}

static uint64_t take(void *of_kernel, struct loading *loading, const struct trace_record *record)
{
    struct kernel_state *state = of_kernel;
    const struct trace_fault *fault = record->data;
    const struct trace_pause *pause = record->data;
    switch (record->kind) {
    case TRACE_SWITCH:
        add(&state->log, loading, record, event_of(record->data));
        break;
    case TRACE_WAKING:
        add(&state->log, loading, record, event_of_waking(record->data));
        break;
    case TRACE_REQUEST:
        take_request(state, loading, record);
        break;
    case TRACE_MISSED:
        add(&state->log, loading, record, event_of_missed(record->data));
        cut_requests(&state->requests, loading, record);
        break;
    case TRACE_PAUSE:
        add(&state->log, loading, record,
            (struct scheduler_event){
                .kind = pause->what == TRACE_PAUSE_BEGINS ? SCHEDULER_PAUSED : SCHEDULER_RESUMED});
        cut_requests(&state->requests, loading, record);
        break;
    case TRACE_FAULT:
        add(&state->log, loading, record,
            (struct scheduler_event){.kind = SCHEDULER_FAULT, .tid = fault->tid});
        break;
    case TRACE_TITLE:
        add(&state->log, loading, record, event_of_title(&state->log, loading, record->data));
        break;
    default:
        add(&state->log, loading, record, event_of_who(&state->log, loading, record->data));
        break;
    }
    return record->ticks;
}

static void build(void *of_kernel, struct loading *loading)
{
    struct kernel_state *state = of_kernel;
    scheduler_log_build(&state->log, loading->run);
    request_list_build(&state->requests, loading->run);
}

static void finish(void *state, struct loading *loading)
{
    (void)state;
    off_blocks_join(loading->run);
}

static void move_off(struct off_cpu *off, const struct kernel_side *before,
                     const struct moved *moved)
{
    off->out += moved->delay;
    off->woken += moved->delay;
    off->in += moved->delay;
    off->waker = moved_index(off->waker, before->task_count);
    off->processor += before->processor_count;
}

/* The part's numbers go behind those of the parts before it. */
static void move_task(struct kernel_task *task, const struct kernel_side *before,
                      const struct moved *moved)
{
    task->thread = moved_index(task->thread, moved->thread);
    task->maker = moved_index(task->maker, before->task_count);
    task->seen += moved->delay;
    task->ended += task->ended != INT64_MAX ? moved->delay : 0;
    move_off(&task->open, before, moved);
    for (uint32_t i = 0; i < task->off_count; i++)
        move_off(&task->offs[i], before, moved);
}

static void move_processor(struct processor *processor, const struct kernel_side *before,
                           const struct moved *moved)
{
    processor->until += moved->delay;
    for (uint32_t i = 0; i < processor->count; i++) {
        struct processor_use *use = &processor->uses[i];
        use->start += moved->delay;
        if (use->task != TASK_IDLE)
            use->task = moved_index(use->task, before->task_count);
    }
}

static struct kernel_pause moved_pause(struct kernel_pause pause, time_ns delay)
{
    if (pause.from != INT64_MIN)
        pause.from += delay;
    if (pause.until != INT64_MAX)
        pause.until += delay;
    return pause;
}

static struct block_request moved_request(struct block_request request,
                                          const struct kernel_side *before,
                                          const struct moved *moved)
{
    request.issued += request.issued != INT64_MIN ? moved->delay : 0;
    request.done += request.done != INT64_MAX ? moved->delay : 0;
    request.task = moved_index(request.task, before->task_count);
    return request;
}

static void join_side(struct kernel_side *whole, const struct kernel_side *part,
                      const struct moved *moved)
{
    const struct kernel_side before = *whole;
    whole->joined++;
    for (uint32_t i = 0; i < part->task_count; i++) {
        whole->tasks[whole->task_count] = part->tasks[i];
        move_task(&whole->tasks[whole->task_count++], &before, moved);
    }
    for (uint32_t i = 0; i < part->processor_count; i++) {
        whole->processors[whole->processor_count] = part->processors[i];
        move_processor(&whole->processors[whole->processor_count++], &before, moved);
    }
    for (uint32_t i = 0; i < part->device_count; i++)
        whole->devices[whole->device_count++] = part->devices[i];
    for (uint32_t i = 0; i < part->pause_count; i++)
        whole->pauses[whole->pause_count++] = moved_pause(part->pauses[i], moved->delay);
    for (size_t i = 0; i < part->request_count; i++)
        whole->requests[whole->request_count++] = moved_request(part->requests[i], &before, moved);
    whole->intervals_paused += part->intervals_paused;
    whole->events += part->events;
    whole->processors_ns += part->processors_ns;
    whole->slept += part->slept;
    whole->unwoken += part->unwoken;
    whole->waits_joined += part->waits_joined;
    whole->waits_contradicted += part->waits_contradicted;
    if (part->clocks_apart > whole->clocks_apart)
        whole->clocks_apart = part->clocks_apart;
}

static void join(struct timelines *run, const struct timelines *parts, uint32_t count,
                 const struct moved *moved)
{
    uint32_t tasks = 0, processors = 0, devices = 0, pauses = 0;
    size_t requests = 0;
    for (uint32_t p = 0; p < count; p++) {
        const struct kernel_side *side = parts[p].kernel_side;
        tasks += side ? side->task_count : 0;
        processors += side ? side->processor_count : 0;
        devices += side ? side->device_count : 0;
        pauses += side ? side->pause_count : 0;
        requests += side ? side->request_count : 0;
    }
    if (!tasks)
        return;
    struct kernel_side *whole = ARENA_NEW(&run->scheduler, struct kernel_side);
    *whole = (struct kernel_side){.tasks = ARENA_ARRAY(&run->scheduler, struct kernel_task, tasks)};
    whole->processors = ARENA_ARRAY(&run->scheduler, struct processor, processors);
    whole->devices = ARENA_ARRAY(&run->scheduler, struct kernel_device, devices);
    whole->pauses = ARENA_ARRAY(&run->scheduler, struct kernel_pause, pauses);
    whole->requests = ARENA_ARRAY(&run->scheduler, struct block_request, requests);
    for (uint32_t p = 0; p < count; p++)
        if (parts[p].kernel_side)
            join_side(whole, parts[p].kernel_side, &moved[p]);
    run->kernel_side = whole;
}

static void release(void *of_kernel)
{
    struct kernel_state *state = of_kernel;
    scheduler_log_release(&state->log);
    request_list_release(&state->requests);
}

static const unsigned char kinds[] = {TRACE_SWITCH, TRACE_WAKING, TRACE_REQUEST,
                                      TRACE_MISSED, TRACE_PAUSE,  TRACE_FAULT,
                                      TRACE_WHO,    TRACE_TITLE,  0};

const struct importer kernel_importer = {.of_recorder = true,
                                         .kinds = kinds,
                                         .state_bytes = sizeof(struct kernel_state),
                                         .take = take,
                                         .build = build,
                                         .finish = finish,
                                         .join = join,
                                         .release = release};
