#include "sampler/kernel_event.h"

#include <string.h>

#include "sampler/tracepoint.h"

enum { FIELDS = 6 };
/* Of which tracepoints which fields are used, in the order of the enums below. */
static const struct point {
    const char *name;
    const char *fields[FIELDS];
} points[EVENT_POINTS] = {
    [POINT_SWITCH] = {"sched/sched_switch",
                      {"prev_pid", "prev_state", "next_pid", "prev_comm", "next_comm"}},
    [POINT_WAKING] = {"sched/sched_waking", {"pid", "comm"}},
    [POINT_NEW] = {"sched/sched_wakeup_new", {"pid", "comm"}},
    [POINT_FLUSH] = {"block/block_bio_queue", {"dev", "sector", "nr_sector", "rwbs"}},
    [POINT_INSERT] = {"block/block_rq_insert", {"dev", "sector", "nr_sector", "rwbs"}},
    [POINT_ISSUE] = {"block/block_rq_issue", {"dev", "sector", "nr_sector", "rwbs"}},
    [POINT_COMPLETE] = {"block/block_rq_complete", {"dev", "sector", "nr_sector", "rwbs"}},
};
enum switch_field { PREV_PID, PREV_STATE, NEXT_PID, PREV_COMM, NEXT_COMM };
enum waking_field { WOKEN_PID, WOKEN_COMM };
enum request_field { DEVICE, SECTOR, SECTORS, WAY };

static bool read_point(struct event_layout *layout, int tracefs, int point)
{
    struct tracepoint tracepoint;
    bool whole = tracepoint_read(&tracepoint, tracefs, points[point].name);
    for (int i = 0; whole && i < FIELDS && points[point].fields[i]; i++) {
        layout->fields[point][i] = (int16_t)tracepoint_field(&tracepoint, points[point].fields[i]);
        whole = layout->fields[point][i] >= 0;
    }
    layout->ids[point] = whole ? tracepoint.id : 0;
    tracepoint_release(&tracepoint);
    return whole;
}

bool event_layout_read(struct event_layout *layout, int tracefs)
{
    for (int i = 0; i < EVENT_POINTS; i++)
        read_point(layout, tracefs, i);
    return layout->ids[POINT_SWITCH] && layout->ids[POINT_WAKING];
}

/* What stands in a record of the tracepoint, as far as it reaches. */
struct raw {
    const char *data;
    uint32_t size;
    const int16_t *fields;
};

static void raw_copy(const struct raw *raw, int field, void *to, uint32_t size)
{
    uint32_t at = (uint32_t)raw->fields[field];
    if (at + size <= raw->size)
        memcpy(to, raw->data + at, size);
    else
        memset(to, 0, size);
}

static uint32_t raw_u32(const struct raw *raw, int field)
{
    uint32_t value;
    raw_copy(raw, field, &value, sizeof value);
    return value;
}

static uint64_t raw_u64(const struct raw *raw, int field)
{
    uint64_t value;
    raw_copy(raw, field, &value, sizeof value);
    return value;
}

static void raw_name(const struct raw *raw, int field, char *name)
{
    raw_copy(raw, field, name, KERNEL_NAME);
    name[KERNEL_NAME - 1] = '\0';
}

/* The kernel's TASK_REPORT bits. A thread that was preempted on its way to sleep has one of the low
 * ones, too, but is runnable. */
static uint8_t off_state(uint64_t state)
{
    enum {
        SLEEP = 1,
        DISK_SLEEP = 2,
        STOPPED = 4 | 8,
        DEAD = 0x10 | 0x20,
        IDLE = 0x80,
        PREEMPTED = 0x100
    };
    if (state & PREEMPTED || !(state & 0xff))
        return TRACE_OFF_RUNNABLE;
    if (state & DEAD)
        return TRACE_OFF_ENDED;
    if (state & (SLEEP | IDLE))
        return TRACE_OFF_SLEEPS;
    return state & DISK_SLEEP ? TRACE_OFF_UNINTERRUPTIBLE : TRACE_OFF_STOPPED;
}

static void decode_switch(struct kernel_event *event, const struct raw *raw)
{
    event->kind = EVENT_SWITCH;
    event->tid = raw_u32(raw, PREV_PID);
    event->other = raw_u32(raw, NEXT_PID);
    event->state = off_state(raw_u64(raw, PREV_STATE));
    raw_name(raw, PREV_COMM, event->name);
    raw_name(raw, NEXT_COMM, event->other_name);
}

/* The second half word of every record has the context: 8 an interrupt, 0x10 a soft one, 0x40 one
 * that cannot be masked. */
static enum trace_context context_of(const struct raw *raw)
{
    enum { HARD = 0x08 | 0x40, SOFT = 0x10 };
    unsigned char flags = (unsigned char)raw->data[2];
    return flags & HARD   ? TRACE_CONTEXT_HARD
           : flags & SOFT ? TRACE_CONTEXT_SOFT
                          : TRACE_CONTEXT_THREAD;
}

static void decode_waking(struct kernel_event *event, const struct event_layout *layout,
                          const struct raw *raw, const uint64_t *chain, uint64_t length)
{
    struct kernel_cause cause = {context_of(raw), TRACE_INTERRUPT_UNKNOWN};
    bool chained = length > 0;
    if (chained && chain[0] >= PERF_CONTEXT_MAX)
        chain++, length--;
    event->kind = chained ? EVENT_CAUSE : EVENT_WAKING;
    event->within = (uint8_t)cause.context;
    if (chained)
        cause = kernel_symbols_cause(layout->symbols, cause.context, chain, length);
    event->other = raw_u32(raw, WOKEN_PID);
    raw_name(raw, WOKEN_COMM, event->other_name);
    event->context = (uint8_t)cause.context;
    event->interrupt = (uint8_t)cause.interrupt;
}

/* "R", "WS", "FWFS" (a flush and a write), "D", "N". */
static uint8_t way_of(const char *letters)
{
    if (letters[0] == 'R')
        return TRACE_REQUEST_READ;
    return letters[letters[0] == 'F'] == 'W' ? TRACE_REQUEST_WRITE : TRACE_REQUEST_OTHER;
}

static void decode_request(struct kernel_event *event, const struct raw *raw, uint8_t what)
{
    char letters[4];
    raw_copy(raw, WAY, letters, sizeof letters);
    event->kind = EVENT_REQUEST;
    event->what = what;
    event->way = way_of(letters);
    event->flush = letters[0] == 'F';
    event->device = raw_u32(raw, DEVICE);
    event->sector = raw_u64(raw, SECTOR);
    event->bytes = raw_u32(raw, SECTORS) * 512;
}

/* A device is asked. False: that was in an interrupt, and whoever has the processor has nothing to do
 * with it. */
static bool decode_asked(struct kernel_event *event, const struct raw *raw)
{
    decode_request(event, raw, TRACE_REQUEST_ISSUED);
    event->kind = EVENT_ASKED;
    return context_of(raw) == TRACE_CONTEXT_THREAD;
}

/* A software event has no record of a tracepoint, but for its size. */
static bool decode_raw(struct kernel_event *event, const struct event_layout *layout,
                       struct raw *raw, const uint64_t *chain, uint64_t length)
{
    uint16_t id = 0;
    int point = 0;
    memcpy(&id, raw->data, sizeof id);
    event->kind = EVENT_FAULT;
    if (!id || raw->size < 8)
        return true;
    while (point < EVENT_POINTS && layout->ids[point] != id)
        point++;
    raw->fields = point < EVENT_POINTS ? layout->fields[point] : NULL;
    switch (point) {
    case POINT_SWITCH:
        decode_switch(event, raw);
        return true;
    case POINT_NEW:
    case POINT_WAKING:
        decode_waking(event, layout, raw, chain, length);
        event->born = point == POINT_NEW;
        return true;
    case POINT_FLUSH:
    case POINT_INSERT:
        return decode_asked(event, raw);
    case POINT_ISSUE:
    case POINT_COMPLETE:
        decode_request(event, raw,
                       point == POINT_ISSUE ? TRACE_REQUEST_ISSUED : TRACE_REQUEST_DONE);
        return true;
    default:
        return false;
    }
}

struct sample {
    struct perf_event_header header;
    uint32_t pid, tid;
    uint64_t time;
    uint32_t processor, spare;
    uint64_t length; /* of the chain, which follows; behind it a uint32_t size and so many bytes */
    uint64_t chain[];
};

static bool decode_sample(struct kernel_event *event, const struct event_layout *layout,
                          const struct sample *sample)
{
    const char *end = (const char *)sample + sample->header.size;
    size_t room = (size_t)(end - (const char *)sample->chain) / sizeof *sample->chain;
    if (sample->length >= room)
        return false;
    const char *size = (const char *)(sample->chain + sample->length);
    struct raw raw = {.data = size + sizeof raw.size};
    memcpy(&raw.size, size, sizeof raw.size);
    if (raw.size < sizeof(uint32_t) || raw.size > (size_t)(end - raw.data))
        return false;
    *event = (struct kernel_event){.time_ns = sample->time,
                                   .processor = sample->processor,
                                   .pid = sample->pid,
                                   .tid = sample->tid};
    return decode_raw(event, layout, &raw, sample->chain, sample->length);
}

/* Reads on in a record, as far as it reaches. */
struct record_rest {
    const char *at, *end;
};

/* NULL: so many bytes are not there. */
static const void *rest_take(struct record_rest *rest, uint64_t bytes)
{
    const char *at = rest->at;
    if (bytes > (uint64_t)(rest->end - at))
        return NULL;
    rest->at += bytes;
    return at;
}

static bool rest_u64(struct record_rest *rest, uint64_t *value)
{
    const void *at = rest_take(rest, sizeof *value);
    if (at)
        memcpy(value, at, sizeof *value);
    return at != NULL;
}

/* The registers' ABI, 0 where there are none, and they; the stack's room, its bytes, and how many of
 * them are of the stack. */
static bool take_user(struct kernel_stack *stack, struct record_rest *rest, size_t registers)
{
    uint64_t abi, room;
    if (!rest_u64(rest, &abi))
        return false;
    stack->registers = abi ? rest_take(rest, registers * sizeof *stack->registers) : NULL;
    stack->narrow = abi == PERF_SAMPLE_REGS_ABI_32;
    if ((abi && !stack->registers) || !rest_u64(rest, &room))
        return false;
    stack->user = rest_take(rest, room);
    uint64_t bytes = 0;
    if (!stack->user || (room && !rest_u64(rest, &bytes)) || bytes > room)
        return false;
    stack->user_bytes = bytes;
    return true;
}

bool kernel_event_stack(struct kernel_stack *stack, const struct perf_event_header *header,
                        size_t registers)
{
    const struct sample *sample = (const void *)header;
    struct record_rest rest = {(const char *)sample->chain, (const char *)header + header->size};
    *stack = (struct kernel_stack){0};
    if (header->type != PERF_RECORD_SAMPLE || header->size < sizeof *sample ||
        sample->length > UINT16_MAX)
        return false;
    const uint64_t *chain = rest_take(&rest, sample->length * sizeof *chain);
    const void *size = rest_take(&rest, sizeof(uint32_t));
    uint32_t raw_bytes = 0;
    if (chain && size)
        memcpy(&raw_bytes, size, sizeof raw_bytes);
    if (!chain || !size || !rest_take(&rest, raw_bytes))
        return false;
    size_t skipped = sample->length > 0 && chain[0] >= PERF_CONTEXT_MAX;
    stack->kernel = chain + skipped;
    stack->kernel_count = sample->length - skipped;
    return take_user(stack, &rest, registers);
}

/* Behind every record that is no sample stands this (sample_id_all). */
struct sample_id {
    uint32_t pid, tid;
    uint64_t time;
    uint32_t processor, spare;
};

static const struct sample_id *id_of(const struct perf_event_header *header)
{
    return (const void *)((const char *)header + header->size - sizeof(struct sample_id));
}

static void decode_birth(struct kernel_event *event, const void *body)
{
    const uint32_t *ids = body; /* pid, its maker's, tid, its maker's */
    event->kind = EVENT_BIRTH;
    event->other_pid = ids[0];
    event->pid = ids[1];
    event->other = ids[2];
    event->tid = ids[3];
}

static void decode_own_switch(struct kernel_event *event, uint16_t misc)
{
    bool out = misc & PERF_RECORD_MISC_SWITCH_OUT;
    event->kind = EVENT_SWITCH;
    event->other = out ? TRACE_TID_UNKNOWN : event->tid;
    event->state = out && !(misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) ? TRACE_OFF_SLEEPS
                                                                        : TRACE_OFF_RUNNABLE;
    if (out)
        return;
    event->other_pid = event->pid;
    event->tid = TRACE_TID_UNKNOWN;
    event->pid = 0;
}

/* Of the two records of a switch the second one counts. */
static bool decode_came(struct kernel_event *event, uint16_t misc, const uint32_t *ids)
{
    event->kind = EVENT_CAME;
    event->other_pid = ids[0];
    event->other = ids[1];
    return !(misc & PERF_RECORD_MISC_SWITCH_OUT) && event->tid != UINT32_MAX;
}

static bool decode_own_exit(struct kernel_event *event, const void *body)
{
    const uint32_t *ids = body; /* as of a birth */
    event->kind = EVENT_SWITCH;
    event->pid = ids[0];
    event->tid = ids[2];
    event->other = TRACE_TID_UNKNOWN;
    event->state = TRACE_OFF_ENDED;
    return true;
}

static void decode_name(struct kernel_event *event, uint16_t misc, const uint32_t *ids)
{
    event->kind = EVENT_NAME;
    event->exec = misc & PERF_RECORD_MISC_COMM_EXEC;
    event->pid = ids[0];
    event->tid = ids[1];
    memcpy(event->name, ids + 2, KERNEL_NAME);
    event->name[KERNEL_NAME - 1] = '\0';
}

bool kernel_event_decode(struct kernel_event *event, const struct event_layout *layout,
                         const struct perf_event_header *header)
{
    const void *body = header + 1;
    const struct sample_id *id = id_of(header);
    if (header->type == PERF_RECORD_SAMPLE)
        return decode_sample(event, layout, (const struct sample *)header);
    *event = (struct kernel_event){
        .time_ns = id->time, .processor = id->processor, .pid = id->pid, .tid = id->tid};
    switch (header->type) {
    case PERF_RECORD_LOST:
        event->kind = EVENT_LOST;
        event->lost = ((const uint64_t *)body)[1];
        return true;
    case PERF_RECORD_FORK:
        decode_birth(event, body);
        return true;
    case PERF_RECORD_SWITCH:
        decode_own_switch(event, header->misc);
        return true;
    case PERF_RECORD_SWITCH_CPU_WIDE:
        return decode_came(event, header->misc, body);
    case PERF_RECORD_EXIT:
        return layout->own_only && decode_own_exit(event, body);
    case PERF_RECORD_COMM:
        decode_name(event, header->misc, body);
        return true;
    default:
        return false;
    }
}

/* The name is padded by zeros, and behind it stands a sample_id. */
static bool decode_mmap(struct kernel_remap *remap, const struct perf_event_header *header)
{
    struct {
        uint32_t pid, tid;
        uint64_t address, length, offset;
        uint32_t major, minor;
        uint64_t inode, generation;
        uint32_t protection, flags;
    } body;
    if (header->size < sizeof *header + sizeof body + sizeof(struct sample_id))
        return false;
    memcpy(&body, header + 1, sizeof body);
    size_t room = header->size - sizeof *header - sizeof body - sizeof(struct sample_id);
    *remap = (struct kernel_remap){.pid = body.pid,
                                   .time_ns = id_of(header)->time,
                                   .begin = body.address,
                                   .end = body.address + body.length,
                                   .offset = body.offset,
                                   .inode = body.inode,
                                   .path = (const char *)(header + 1) + sizeof body};
    return memchr(remap->path, '\0', room) != NULL;
}

bool kernel_event_remap(struct kernel_remap *remap, const struct perf_event_header *header)
{
    uint32_t ids[4];
    if (header->type == PERF_RECORD_MMAP2)
        return decode_mmap(remap, header);
    if (header->size < sizeof *header + sizeof ids + sizeof(struct sample_id))
        return false;
    memcpy(ids, header + 1, sizeof ids);
    *remap =
        (struct kernel_remap){.pid = ids[0], .end = UINT64_MAX, .time_ns = id_of(header)->time};
    if (header->type == PERF_RECORD_COMM)
        return header->misc & PERF_RECORD_MISC_COMM_EXEC;
    remap->maker = ids[1];
    return header->type == PERF_RECORD_FORK && ids[0] != ids[1];
}
