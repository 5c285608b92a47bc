#include "sampler/point_events.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/str.h"
#include "sampler/right.h"
#include "sampler/uprobe.h"

/* PERF_SAMPLE_IDENTIFIER stands first in samples, and last in all else: it tells which event it is. */
#define SAMPLE                                                                                     \
    (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |               \
     PERF_SAMPLE_REGS_USER)

/* ---- opening ---- */

static bool refuse(struct error *error, int refused)
{
    struct str cure = {0};
    right_cure(&cure, (struct right){.lack = RIGHT_EVENTS, .refused = refused});
    error_set(
        error, ERROR_SYSTEM,
        "Points of a program may be watched only with the right to look at all of the machine "
        "(CAP_PERFMON): perf_event_open was refused (%s). %s",
        strerror(refused), str_text(&cure));
    str_release(&cure);
    return false;
}

static bool is_refusal(int code)
{
    return code == EACCES || code == EPERM || code == ENOSYS || code == EMFILE || code == ENFILE;
}

static bool find_type(uint32_t *type, struct error *error)
{
    return uprobe_type(type) ||
           error_set(error, ERROR_SYSTEM,
                     "This kernel cannot watch points of programs: it was built without "
                     "uprobes (CONFIG_UPROBE_EVENTS), or /sys is not mounted.");
}

static struct perf_event_attr attr_of(uint32_t type, uint64_t config)
{
    struct perf_event_attr attr = perf_rings_attr(type, config);
    attr.sample_type = SAMPLE;
    attr.sample_regs_user = unwind_asked;
    return attr;
}

static struct perf_event_attr attr_of_place(const struct point_place *place, uint32_t type)
{
    struct perf_event_attr attr = uprobe_attr(type, place->file, place->offset, place->counter);
    attr.sample_type = SAMPLE;
    attr.sample_regs_user = unwind_asked;
    if (place->by_kernel)
        uprobe_at_return(&attr);
    if (place->stack_bytes) {
        attr.sample_type |= PERF_SAMPLE_STACK_USER;
        attr.sample_stack_user = place->stack_bytes;
    }
    return attr;
}

static int add(struct point_events *events, struct opened_events *opened, uint32_t point,
               uint32_t ring, struct perf_event_attr *attr, size_t source)
{
    uint64_t id;
    int fd = perf_rings_add(&events->rings, ring, attr, -1);
    if (fd < 0 || ioctl(fd, PERF_EVENT_IOC_ID, &id) != 0)
        return -1;
    *hash_map_put(&events->sources, id) = source + 1;
    VEC_PUSH(opened->items, opened->count, opened->capacity) = (struct opened_event){fd, point};
    return fd;
}

static bool add_place(struct point_events *events, uint32_t ring, size_t index, struct error *error)
{
    const struct point_place *place = &events->plan->places[index];
    struct perf_event_attr attr = attr_of_place(place, events->uprobe_type);
    if (events->closed[place->point] ||
        add(events, &events->places, place->point, ring, &attr, index) >= 0)
        return true;
    if (is_refusal(errno))
        return refuse(error, errno);
    return error_set(error, ERROR_SYSTEM,
                     "The kernel cannot watch %s of %s, at 0x%llx of the file (%s). Choose another "
                     "function.",
                     events->plan->points[place->point].name, place->file,
                     (unsigned long long)place->offset, strerror(errno));
}

static bool add_calls(struct point_events *events, uint32_t ring, enum socket_way way,
                      struct error *error)
{
    struct perf_event_attr attr = attr_of(PERF_TYPE_TRACEPOINT, events->sockets.ids[way]);
    struct str filter = {0};
    attr.sample_type |= PERF_SAMPLE_RAW;
    attr.sample_regs_user = socket_call_registers;
    foreign_threads_filter(&events->foreign, &filter);
    str_append_char(&filter, '(');
    socket_calls_filter(way, &filter);
    str_append_char(&filter, ')');
    int fd = add(events, &events->calls, UINT32_MAX, ring, &attr, events->plan->place_count + way);
    bool ok = fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter.data) == 0;
    if (!ok && is_refusal(errno))
        refuse(error, errno);
    else if (!ok)
        error_system(error, "system calls cannot be watched");
    str_release(&filter);
    return ok;
}

static bool add_all(struct point_events *events, uint32_t ring, struct error *error)
{
    for (size_t i = 0; i < events->plan->place_count; i++)
        if (!add_place(events, ring, i, error))
            return false;
    return !events->plan->descriptors || (add_calls(events, ring, SOCKET_ENTERS, error) &&
                                          add_calls(events, ring, SOCKET_EXITS, error));
}

/* The first `count` of them. */
/* What an event has lost is known only as long as it is there: it is counted before some are removed, and what the
 * others lost is taken away again. */
static void count_lost(struct point_events *events, bool removed)
{
    for (uint32_t i = 0; i < events->rings.count; i++) {
        uint64_t lost = perf_rings_lost(&events->rings, i);
        events->closed_lost[i] += removed ? -lost : lost;
    }
}

static void remove_first(struct point_events *events, struct opened_events *opened, size_t count)
{
    count_lost(events, false);
    for (size_t i = 0; i < count; i++)
        perf_rings_remove(&events->rings, opened->items[i].fd);
    count_lost(events, true);
    opened->count -= count;
    for (size_t i = 0; i < opened->count; i++)
        opened->items[i] = opened->items[count + i];
}

static bool add_ring(struct point_events *events, uint32_t processor, struct error *error)
{
    struct perf_event_attr first = attr_of(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
    if (!perf_rings_add_ring(&events->rings, processor, &first, -1))
        return errno == ENODEV || refuse(error, errno);
    return add_all(events, events->rings.count - 1, error);
}

/* The points of the plan that calls on descriptors are. */
static void find_call_points(struct point_events *events)
{
    const struct point_plan *plan = events->plan;
    for (size_t i = 0; i < plan->point_count; i++)
        if (plan->descriptors && plan->points[i].wish == plan->descriptors)
            events->call_points[plan->points[i].role] = (uint32_t)i + 1;
}

static bool open_all(struct point_events *events, struct error *error)
{
    if (!unwind_asked)
        return error_set(error, ERROR_SYSTEM,
                         "Points of programs cannot be watched on this machine.");
    if ((events->plan->place_count && !find_type(&events->uprobe_type, error)) ||
        (events->plan->descriptors && !socket_calls_layout(&events->sockets, error)))
        return false;
    for (uint32_t i = 0; i < (uint32_t)sysconf(_SC_NPROCESSORS_CONF); i++)
        if (!add_ring(events, i, error))
            return false;
    return true;
}

bool point_events_open(struct point_events *events, const struct point_plan *plan,
                       size_t ring_bytes, struct error *error)
{
    *events = (struct point_events){
        .plan = plan, .closed = memory_zeroed((plan->point_count + 1) * sizeof *events->closed)};
    perf_rings_init(&events->rings, ring_bytes);
    find_call_points(events);
    if (!open_all(events, error)) {
        point_events_close(events);
        return false;
    }
    events->heads = memory_zeroed((events->rings.count + 1) * sizeof *events->heads);
    events->lost = memory_zeroed((events->rings.count + 1) * sizeof *events->lost);
    events->closed_lost = memory_zeroed((events->rings.count + 1) * sizeof *events->closed_lost);
    events->latest_calls =
        memory_zeroed((events->rings.count + 1) * SOCKET_WAYS * sizeof *events->latest_calls);
    return true;
}

bool point_events_resume(struct point_events *events)
{
    struct error ignored;
    for (uint32_t i = 0; i < events->rings.count; i++)
        if (!add_all(events, i, &ignored)) {
            point_events_pause(events);
            return false;
        }
    perf_rings_enable(&events->rings);
    return true;
}

void point_events_pause(struct point_events *events)
{
    perf_rings_pause(&events->rings);
    remove_first(events, &events->places, events->places.count);
    remove_first(events, &events->calls, events->calls.count);
}

void point_events_filter(struct point_events *events)
{
    struct error ignored;
    size_t before = events->calls.count;
    for (uint32_t i = 0; i < events->rings.count; i++)
        if (!add_calls(events, i, SOCKET_ENTERS, &ignored) ||
            !add_calls(events, i, SOCKET_EXITS, &ignored))
            return; /* what was added is not switched on, and what was there goes on */
    perf_rings_enable(&events->rings);
    remove_first(events, &events->calls, before);
}

void point_events_close(struct point_events *events)
{
    memory_free(events->places.items);
    memory_free(events->calls.items);
    memory_free(events->latest_calls);
    perf_rings_close(&events->rings);
    hash_map_release(&events->sources);
    memory_free(events->heads);
    memory_free(events->lost);
    memory_free(events->closed_lost);
    memory_free(events->closed);
    foreign_threads_release(&events->foreign);
    *events = (struct point_events){0};
}

/* ---- what a record says ---- */

/* What is still to be read of a record. */
struct rest {
    const char *at, *end;
};

static uint64_t word(struct rest *rest)
{
    uint64_t value = 0;
    if ((size_t)(rest->end - rest->at) < sizeof value) {
        rest->at = rest->end;
        return 0;
    }
    memcpy(&value, rest->at, sizeof value);
    rest->at += sizeof value;
    return value;
}

static const char *bytes(struct rest *rest, size_t size)
{
    const char *at = rest->at;
    if ((size_t)(rest->end - rest->at) < size)
        return NULL;
    rest->at += size;
    return at;
}

/* In the order of linux/perf_event.h: identifier, tid, time, processor have been read; raw, registers,
 * stack follow. */
struct tail {
    const char *raw;
    size_t raw_bytes;
    struct unwinder_thread thread;
};

static void read_raw(struct rest *rest, struct tail *tail)
{
    uint32_t size = 0;
    const char *at = bytes(rest, sizeof size);
    if (at)
        memcpy(&size, at, sizeof size);
    tail->raw = bytes(rest, size);
    tail->raw_bytes = tail->raw ? size : 0;
}

static void read_registers(struct rest *rest, struct tail *tail, uint64_t mask)
{
    if (word(rest) == PERF_SAMPLE_REGS_ABI_NONE)
        return;
    size_t count = (size_t)__builtin_popcountll(mask);
    tail->thread.registers = (const void *)bytes(rest, count * sizeof(uint64_t));
}

/* Behind the copied bytes stands how many of them were there. */
static void read_stack(struct rest *rest, struct tail *tail)
{
    uint64_t size = word(rest);
    tail->thread.stack = bytes(rest, size);
    uint64_t there = size ? word(rest) : 0;
    tail->thread.stack_bytes = tail->thread.stack ? (there < size ? there : size) : 0;
}

/* The stack pointer as it was when the function was called: a kernel's return probe comes when the
 * return address is off the stack already. */
static uint64_t frame_of(const struct point_place *place, const struct unwinder_thread *thread)
{
    uint64_t stack = point_operand_stack(thread);
#if defined(__x86_64__)
    stack -= place->by_kernel ? sizeof(uint64_t) : 0;
#else
    (void)place;
#endif
    return stack;
}

static bool take_place(const struct point_events *events, struct point_seen *seen, size_t index,
                       struct rest *rest)
{
    const struct point_place *place = &events->plan->places[index];
    struct tail tail = {0};
    read_registers(rest, &tail, unwind_asked);
    if (place->stack_bytes)
        read_stack(rest, &tail);
    if (!tail.thread.registers)
        return false;
    seen->point = place->point;
    seen->second = frame_of(place, &tail.thread);
    seen->unknown = !point_operand_value(&place->operand, &tail.thread, &seen->value);
    return true;
}

static bool take_call(const struct point_events *events, struct point_seen *seen,
                      enum socket_way way, struct rest *rest)
{
    struct tail tail = {0};
    struct socket_call call;
    read_raw(rest, &tail);
    read_registers(rest, &tail, socket_call_registers);
    if (!tail.raw ||
        !socket_call_of(&call, &events->sockets, way, tail.raw, tail.raw_bytes,
                        tail.thread.registers) ||
        !events->call_points[call.role])
        return false;
    seen->point = events->call_points[call.role] - 1;
    seen->value = call.descriptor;
    seen->second = (uint64_t)call.result;
    seen->is_call = true;
    seen->is_socket = call.is_socket;
    return true;
}

/* Two events tell of one call at once. */
#define AT_ONCE_NS UINT64_C(100000)

/* False: it was told already, by an event that takes this one's place or whose place this one takes. */
static bool is_new_call(struct point_call *latest, uint64_t event, const struct point_seen *seen)
{
    bool again = !latest->told_once && latest->event && latest->event != event &&
                 latest->tid == seen->tid && latest->value == seen->value &&
                 latest->second == seen->second && seen->time_ns - latest->time_ns < AT_ONCE_NS;
    *latest =
        (struct point_call){event, seen->time_ns, seen->value, seen->second, seen->tid, again};
    return !again;
}

static bool take_sample(const struct point_events *events, uint32_t ring, struct point_seen *seen,
                        struct rest *rest)
{
    uint64_t event = word(rest);
    const uint64_t *source = hash_map_get(&events->sources, event);
    uint64_t ids = word(rest);
    seen->pid = (uint32_t)ids;
    seen->tid = (uint32_t)(ids >> 32);
    seen->time_ns = word(rest);
    word(rest); /* the processor */
    if (!source)
        return false;
    size_t index = (size_t)*source - 1, places = events->plan->place_count;
    if (index < places)
        return take_place(events, seen, index, rest);
    struct point_call *latest = &events->latest_calls[ring * SOCKET_WAYS + (index - places)];
    return take_call(events, seen, (enum socket_way)(index - places), rest) &&
           is_new_call(latest, event, seen);
}

/* Behind the number there are tid, time, processor and identifier. */
static bool take_lost(struct point_seen *seen, struct rest *rest)
{
    enum { TRAILER = 4 * sizeof(uint64_t) };
    word(rest); /* the event's id */
    seen->lost = word(rest);
    if (rest->end - rest->at < TRAILER)
        return false;
    rest->at = rest->end - TRAILER + sizeof(uint64_t);
    seen->time_ns = word(rest);
    return seen->lost != 0;
}

static bool take(const struct point_events *events, uint32_t ring, struct point_seen *seen,
                 const struct perf_event_header *header)
{
    struct rest rest = {(const char *)(header + 1), (const char *)header + header->size};
    *seen = (struct point_seen){.processor = events->rings.processors[ring]};
    switch (header->type) {
    case PERF_RECORD_SAMPLE:
        return take_sample(events, ring, seen, &rest);
    case PERF_RECORD_LOST:
        return take_lost(seen, &rest);
    default:
        return false;
    }
}

/* ---- in order of time ---- */

static void fill_head(struct point_events *events, uint32_t ring)
{
    struct point_head *head = &events->heads[ring];
    const struct perf_event_header *header;
    while (!head->there && (header = ring_peek(&events->rings.rings[ring])) != NULL) {
        head->there = take(events, ring, &head->seen, header);
        ring_pop(&events->rings.rings[ring]);
    }
    events->lost[ring] += head->there && head->seen.lost ? head->seen.lost : 0;
}

void point_events_look(struct point_events *events, uint64_t until_ns)
{
    events->until_ns = until_ns;
    for (uint32_t i = 0; i < events->rings.count; i++) {
        ring_look(&events->rings.rings[i]);
        if (!events->heads[i].there)
            fill_head(events, i);
    }
}

bool point_events_next(struct point_events *events, struct point_seen *seen)
{
    uint32_t first = events->rings.count;
    uint64_t time_ns = events->until_ns;
    for (uint32_t i = 0; i < events->rings.count; i++)
        if (events->heads[i].there && events->heads[i].seen.time_ns <= time_ns) {
            first = i;
            time_ns = events->heads[i].seen.time_ns;
        }
    if (first == events->rings.count)
        return false;
    *seen = events->heads[first].seen;
    events->heads[first].there = false;
    fill_head(events, first);
    return true;
}

void point_events_close_point(struct point_events *events, uint32_t point)
{
    struct opened_events *places = &events->places;
    size_t kept = 0;
    count_lost(events, false);
    for (size_t i = 0; i < places->count; i++) {
        if (places->items[i].point == point)
            perf_rings_remove(&events->rings, places->items[i].fd);
        else
            places->items[kept++] = places->items[i];
    }
    count_lost(events, true);
    places->count = kept;
    events->closed[point] = true;
}

uint64_t point_events_untold(const struct point_events *events, uint32_t ring)
{
    uint64_t lost = events->closed_lost[ring] + perf_rings_lost(&events->rings, ring);
    return lost > events->lost[ring] ? lost - events->lost[ring] : 0;
}
