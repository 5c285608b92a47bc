#include <string.h>

#include "trace/importer.h"
#include "trace/off_blocks.h"
#include "trace/scheduler_log.h"

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
                                    .cause = taken->interrupt};
}

static struct scheduler_event event_of_who(struct loading *loading, const struct trace_who *taken)
{
    return (struct scheduler_event){.kind = SCHEDULER_WHO,
                                    .tid = taken->tid,
                                    .other = taken->pid,
                                    .detail = (uint8_t)taken->what,
                                    .name = loading_name(loading, taken->name, sizeof taken->name)};
}

static void add(struct scheduler_log *log, struct loading *loading,
                const struct trace_record *record, struct scheduler_event event)
{
    event.time = loading_ns(loading, record->ticks);
    event.processor = loading->processor;
    scheduler_log_add(log, event);
}

static void take_request(struct scheduler_log *log, struct loading *loading,
                         const struct trace_record *record)
{
    const struct trace_request *taken = record->data;
    if (taken->what == TRACE_REQUEST_DONE)
        add(log, loading, record,
            (struct scheduler_event){
                .kind = SCHEDULER_DONE, .other = taken->device, .detail = taken->way});
}

static uint64_t take(void *state, struct loading *loading, const struct trace_record *record)
{
    const struct trace_fault *fault = record->data;
    switch (record->kind) {
    case TRACE_SWITCH:
        add(state, loading, record, event_of(record->data));
        break;
    case TRACE_WAKING:
        add(state, loading, record, event_of_waking(record->data));
        break;
    case TRACE_REQUEST:
        take_request(state, loading, record);
        break;
    case TRACE_MISSED:
        add(state, loading, record, (struct scheduler_event){.kind = SCHEDULER_MISSED});
        break;
    case TRACE_FAULT:
        add(state, loading, record,
            (struct scheduler_event){.kind = SCHEDULER_FAULT, .tid = fault->tid});
        break;
    default:
        add(state, loading, record, event_of_who(loading, record->data));
        break;
    }
    return record->ticks;
}

static void build(void *state, struct loading *loading)
{
    scheduler_log_build(state, loading->run);
}

static void finish(void *state, struct loading *loading)
{
    (void)state;
    off_blocks_join(loading->run);
}

static void release(void *state)
{
    scheduler_log_release(state);
}

static const unsigned char kinds[] = {
    TRACE_SWITCH, TRACE_WAKING, TRACE_REQUEST, TRACE_MISSED, TRACE_FAULT, TRACE_WHO, 0};

const struct importer kernel_importer = {.of_recorder = true,
                                         .kinds = kinds,
                                         .state_bytes = sizeof(struct scheduler_log),
                                         .take = take,
                                         .build = build,
                                         .finish = finish,
                                         .release = release};
