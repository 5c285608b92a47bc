#include "sampler/stack_events.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"

/* So much of a stack is copied at first: most threads are less deep than that. A record of the kernel has less than
 * 64 KB. */
enum { STACK_BYTES = 16 << 10, MOST_STACK_BYTES = 60 << 10, KERNEL_FRAMES = 64 };
/* One in how many waits has its stack at first, where few are wished for. */
enum { FIRST_EVERY = 8 };
/* Of threads that wait for more than a millisecond a processor has hardly more waits a second. Some
 * wait long once, and then often: of them no more are told than of all there is room for. */
#define SLOW_WAITS 1000.0

/* A thread that does not go on to run, and has not ended (EXIT_DEAD, EXIT_ZOMBIE); and a waking that is none of an
 * interrupt that came between. */
static const struct {
    enum event_point point;
    const char *filter, *thread; /* the field that says whose wait it is */
} sources[STACK_SOURCES] = {[STACK_WAITS] = {POINT_SWITCH, "prev_state & 207", "prev_pid"},
                            [STACK_WAKINGS] = {POINT_WAKING, "!(common_flags & 8)", "pid"}};
/* Whoever gives the processor up, and has not ended. */
static const char goes_off[] = "!(prev_state & 48) && prev_pid != 0";

static const char *filter_of(const struct stack_events *events, int source)
{
    return source == STACK_WAITS && events->preempted ? goes_off : sources[source].filter;
}

struct perf_event_attr stack_events_attr(const struct stack_events *events, uint32_t type,
                                         uint64_t config, uint64_t every)
{
    struct perf_event_attr attr = perf_rings_attr(type, config);
    attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
    attr.sample_regs_user = unwind_asked;
    attr.sample_stack_user = events->stack_bytes;
    attr.exclude_callchain_kernel = 0;
    attr.sample_max_stack = KERNEL_FRAMES;
    attr.sample_period = every;
    attr.watermark = 1;
    return attr;
}

/* Where they are few, each is taken at once: who holds a lock is asked while it is waited for. */
static int add(struct stack_events *events, uint32_t place, int source, uint64_t every,
               const char *filter)
{
    uint64_t id = events->layout->ids[sources[source].point];
    struct perf_event_attr attr = stack_events_attr(events, PERF_TYPE_TRACEPOINT, id, every);
    attr.watermark = events->together;
    attr.wakeup_events = !events->together;
    int fd = perf_rings_add(&events->rings, place, &attr, -1);
    return fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter) == 0 ? fd : -1;
}

/* Of all threads but strangers. */
static int add_all(struct stack_events *events, uint32_t place, int source, uint64_t every)
{
    struct str filter = {0};
    str_append(&filter, filter_of(events, source));
    stranger_list_append(&events->strangers, &filter);
    int fd = add(events, place, source, every, filter.data);
    str_release(&filter);
    return fd;
}

static int add_clock(struct stack_events *events, uint32_t place, uint64_t period_ns)
{
    struct perf_event_attr attr =
        stack_events_attr(events, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, period_ns);
    return perf_rings_add(&events->rings, place, &attr, -1);
}

static bool add_sources(struct stack_events *events, uint32_t at, const struct stack_pace *pace)
{
    struct stack_place *place = &events->places[at];
    *place = (struct stack_place){.clock = add_clock(events, at, pace->clock_ns)};
    bool ok = place->clock >= 0;
    for (int i = 0; i < events->source_count; i++) {
        struct stack_source *source = &place->sources[i];
        *source = (struct stack_source){
            .slow_fd = -1,
            .rates = {.all = {.every = pace->many ? 1 : FIRST_EVERY}, .slow = {.every = 1}}};
        source->all_fd = add_all(events, at, i, source->rates.all.every);
        ok = ok && source->all_fd >= 0;
    }
    return ok;
}

/* The ring's own event tells what processes map. */
static bool add_place(struct stack_events *events, const struct stack_pace *pace,
                      uint32_t processor)
{
    struct perf_event_attr first = perf_rings_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
    first.mmap = first.mmap2 = first.comm = first.comm_exec = 1;
    if (!perf_rings_add_ring(&events->rings, processor, &first, -1))
        return errno == ENODEV;
    events->rings.events[events->rings.event_count - 1].always = true;
    uint32_t place = events->rings.count - 1;
    return add_sources(events, place, pace);
}

bool stack_events_begin(struct stack_events *events, const struct event_layout *layout,
                        uint32_t stack_bytes, size_t ring_bytes)
{
    *events =
        (struct stack_events){.layout = layout, .stack_bytes = stack_bytes, .random = clock_ns()};
    perf_rings_init(&events->rings, ring_bytes);
    events->places = memory_zeroed((size_t)sysconf(_SC_NPROCESSORS_CONF) * sizeof *events->places);
    errno = ENOSYS;
    return unwind_asked != 0;
}

bool stack_events_open(struct stack_events *events, const struct event_layout *layout,
                       const struct stack_pace *pace, const struct stack_wish *wish,
                       size_t ring_bytes)
{
    long processors = sysconf(_SC_NPROCESSORS_CONF);
    if (!stack_events_begin(events, layout, STACK_BYTES, ring_bytes))
        return false;
    events->together = pace->many;
    events->preempted = wish->preempted;
    events->source_count = wish->no_wakings ? STACK_WAKINGS : STACK_SOURCES;
    bool ok = true;
    for (uint32_t i = 0; ok && i < (uint32_t)processors; i++)
        ok = add_place(events, pace, i);
    if (!ok || !events->rings.count) {
        int refused = errno;
        stack_events_close(events);
        errno = refused;
        return false;
    }
    return true;
}

void stack_events_close(struct stack_events *events)
{
    perf_rings_close(&events->rings);
    memory_free(events->places);
    stranger_list_release(&events->strangers);
    *events = (struct stack_events){0};
}

void stack_events_pause(struct stack_events *events, bool paused)
{
    uint64_t now_ns = clock_ns();
    if (paused && !events->paused)
        events->watched_ns += now_ns - events->looked_ns;
    if (!paused)
        events->enabled_ns = events->looked_ns = now_ns;
    events->paused = paused;
    if (paused)
        perf_rings_pause(&events->rings);
    else
        perf_rings_enable(&events->rings);
}

/* ---- who waits long ---- */

static bool waits_long(const struct stack_events *events, uint32_t tid)
{
    for (uint32_t i = 0; i < WATCH_LIST_LONG; i++)
        if (events->long_waits[i] == tid)
            return true;
    return false;
}

/* "(pid == 7 || pid == 9)" */
static void append_filter(struct str *filter, const struct stack_events *events, const char *field)
{
    const char *before = "(";
    for (uint32_t i = 0; i < WATCH_LIST_LONG; i++) {
        if (!events->long_waits[i])
            continue;
        str_printf(filter, "%s%s == %u", before, field, events->long_waits[i]);
        before = " || ";
    }
    str_append(filter, ")");
}

/* The new event, in place of the old one. */
static int replaced(struct stack_events *events, int old, int fd)
{
    if (old >= 0)
        perf_rings_remove(&events->rings, old);
    if (fd >= 0 && !events->paused)
        ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    return fd;
}

static struct stack_wanted wanted_of(const struct stack_pace *pace)
{
    double slow = pace->many ? pace->most_waits : SLOW_WAITS;
    return (struct stack_wanted){.all = pace->waits, .slow = slow * pace->waits / pace->most_waits};
}

/* An event's filter can be set only once: there is a new one for each list. */
static void watch_long(struct stack_events *events, const struct stack_pace *pace)
{
    struct stack_wanted wanted = wanted_of(pace);
    struct str filter = {0};
    for (int i = 0; i < events->source_count; i++) {
        str_clear(&filter);
        str_printf(&filter, "%s && ", filter_of(events, i));
        append_filter(&filter, events, sources[i].thread);
        for (uint32_t at = 0; at < events->rings.count; at++) {
            struct stack_source *source = &events->places[at].sources[i];
            stack_rates_other_slow(&source->rates, &wanted);
            int fd = add(events, at, i, source->rates.slow.every, filter.data);
            source->slow_fd = replaced(events, source->slow_fd, fd);
        }
    }
    str_release(&filter);
}

/* ---- how much ---- */

static void reopen_all(struct stack_events *events, uint32_t at)
{
    for (int i = 0; i < events->source_count; i++) {
        struct stack_source *source = &events->places[at].sources[i];
        source->all_fd =
            replaced(events, source->all_fd, add_all(events, at, i, source->rates.all.every));
    }
}

static void reopen(struct stack_events *events, uint32_t at, uint64_t clock_ns)
{
    struct stack_place *place = &events->places[at];
    reopen_all(events, at);
    place->clock = replaced(events, place->clock, add_clock(events, at, clock_ns));
}

bool stack_events_deepen(struct stack_events *events, const struct stack_pace *pace)
{
    if (events->stack_bytes == MOST_STACK_BYTES)
        return false;
    events->stack_bytes *= 2;
    if (events->stack_bytes > MOST_STACK_BYTES)
        events->stack_bytes = MOST_STACK_BYTES;
    for (uint32_t i = 0; i < events->rings.count; i++)
        reopen(events, i, pace->clock_ns);
    if (events->long_known)
        watch_long(events, pace);
    return true;
}

/* ---- how many ---- */

static void set_period(int fd, uint64_t every)
{
    if (fd >= 0)
        ioctl(fd, PERF_EVENT_IOC_PERIOD, &every);
}

static void follow_rates(struct stack_events *events, struct stack_source *source,
                         const struct stack_wanted *wanted, uint64_t elapsed_ns)
{
    struct stack_rates *rates = &source->rates, before = *rates;
    stack_rates_follow(rates, wanted, elapsed_ns, &events->random);
    if (rates->all.every != before.all.every)
        set_period(source->all_fd, rates->all.every);
    if (rates->slow.every != before.slow.every)
        set_period(source->slow_fd, rates->slow.every);
}

/* So long events came since the last look: what is paused tells nothing. */
static uint64_t watched_ns(struct stack_events *events)
{
    uint64_t now_ns = clock_ns(), watched_ns = events->watched_ns + (now_ns - events->looked_ns);
    events->watched_ns = 0;
    events->looked_ns = now_ns;
    return watched_ns;
}

static void follow_places(struct stack_events *events, const struct stack_pace *pace)
{
    uint64_t elapsed_ns = watched_ns(events);
    struct stack_wanted wanted = wanted_of(pace);
    for (uint32_t at = 0; at < events->rings.count; at++) {
        struct stack_place *place = &events->places[at];
        for (int i = 0; i < events->source_count; i++)
            follow_rates(events, &place->sources[i], &wanted, elapsed_ns);
        set_period(place->clock,
                   (uint64_t)stack_rates_drawn(&events->random, (double)pace->clock_ns));
    }
}

void stack_events_follow(struct stack_events *events, struct watch_list *list,
                         const struct stack_pace *pace)
{
    uint32_t known = watch_list_long(list, events->long_waits);
    if (!events->paused)
        follow_places(events, pace);
    if (!events->paused && stranger_list_follow(&events->strangers, list, clock_ns()))
        for (uint32_t i = 0; i < events->rings.count; i++)
            reopen_all(events, i);
    if (known == events->long_known)
        return;
    events->long_known = known;
    watch_long(events, pace);
}

/* ---- what came ---- */

void stack_events_in_vain(struct stack_events *events, const struct stack_seen *seen)
{
    stranger_list_note(&events->strangers, seen->event.pid, seen->event.tid);
}

/* How long it is since the tick before. */
static uint64_t since_tick(struct stack_events *events, struct stack_place *place, uint64_t time_ns)
{
    uint64_t from_ns = events->enabled_ns;
    if (place->tick_ns > from_ns)
        from_ns = place->tick_ns;
    place->tick_ns = time_ns;
    return time_ns > from_ns ? time_ns - from_ns : 0;
}

static bool take(struct stack_events *events, struct stack_place *place, struct stack_seen *seen,
                 const struct perf_event_header *header)
{
    struct kernel_event event;
    struct kernel_stack stack;
    struct kernel_remap remap;
    if (kernel_event_remap(&remap, header)) {
        *seen = (struct stack_seen){.remaps = true, .remap = remap};
        return true;
    }
    if (!kernel_event_decode(&event, events->layout, header))
        return false;
    if (event.kind == EVENT_LOST)
        events->lost += event.lost;
    if (!kernel_event_stack(&stack, header, (size_t)__builtin_popcountll(unwind_asked)))
        return false;
    events->taken += stack.registers != NULL;
    bool waits_itself = event.kind == EVENT_SWITCH;
    struct stack_source *source = &place->sources[waits_itself ? STACK_WAITS : STACK_WAKINGS];
    bool is_long = waits_long(events, waits_itself ? event.tid : event.other);
    *seen = (struct stack_seen){.event = event,
                                .kernel = stack.kernel,
                                .kernel_count = stack.kernel_count,
                                .thread = {.registers = stack.registers,
                                           .stack = stack.user,
                                           .stack_bytes = stack.user_bytes,
                                           .foreign = stack.narrow,
                                           .time_ns = event.time_ns},
                                .one_in = stack_rates_one_in(&source->rates, is_long)};
    if (event.kind == EVENT_FAULT)
        seen->amount_ns =
            place->every_ns ? place->every_ns : since_tick(events, place, event.time_ns);
    else
        stack_rates_note(&source->rates, is_long);
    return true;
}

bool stack_events_next(struct stack_events *events, uint32_t at, struct stack_seen *seen)
{
    struct ring *ring = &events->rings.rings[at];
    struct stack_place *place = &events->places[at];
    const struct perf_event_header *header;
    if (place->holds)
        ring_pop(ring);
    while ((place->holds = (header = ring_peek(ring)) != NULL)) {
        if (take(events, place, seen, header))
            return true;
        ring_pop(ring);
    }
    return false;
}
