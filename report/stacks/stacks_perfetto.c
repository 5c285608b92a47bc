#include "report/stacks/stacks_perfetto.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "perfetto.pb-c.h"
#include "report/stacks/stacks_report.h"
#include "stacks/span_writer.h"

/* All is one sequence; names are interned in it. */
enum { SEQUENCE = 1, FLAG_CLEARED = 1, FLAG_NEEDED = 2 };
/* Tracks of a thread. */
enum { TRACK_CALLS, TRACK_OFF, TRACK_SAMPLES, TRACKS };

struct writing {
    struct str *out;
    const struct timelines *run;
    const struct stacks *stacks;
    struct hash_map names; /* of a text's number -> 1: it is interned */
    struct intern texts;
    uint64_t flows;
    bool begun;
    uint8_t *bytes; /* of one packet */
    size_t capacity;
};

/* ---- packets ---- */

/* A trace is the same, whether its packets come together or one by one. */
static void put_packet(struct writing *w, Perfetto__TracePacket *packet)
{
    Perfetto__Trace trace = PERFETTO__TRACE__INIT;
    packet->has_trusted_packet_sequence_id = packet->has_sequence_flags = true;
    packet->trusted_packet_sequence_id = SEQUENCE;
    packet->sequence_flags = w->begun ? FLAG_NEEDED : FLAG_CLEARED;
    w->begun = true;
    trace.n_packet = 1;
    trace.packet = &packet;
    size_t length = perfetto__trace__get_packed_size(&trace);
    if (length > w->capacity) {
        w->capacity = 2 * length;
        w->bytes = memory_resize(w->bytes, w->capacity);
    }
    perfetto__trace__pack(&trace, w->bytes);
    str_append_bytes(w->out, (const char *)w->bytes, length);
}

/* Protocol buffers refuse what is no UTF-8. */
static uint32_t text_of(struct writing *w, const char *plain)
{
    struct str clean = {0};
    utf8_clean(&clean, plain);
    uint32_t number = intern_add(&w->texts, str_text(&clean));
    str_release(&clean);
    return number;
}

static char *kept(struct writing *w, const char *plain)
{
    uint32_t number = text_of(w, plain);
    return (char *)(uintptr_t)w->texts.text[number];
}

/* ---- tracks ---- */

static uint64_t process_track(uint32_t process)
{
    return 1 + (uint64_t)process;
}

static uint64_t thread_track(const struct writing *w, uint32_t thread, int which)
{
    return process_track(w->run->process_count) + (uint64_t)thread * TRACKS + (uint64_t)which;
}

static void put_track(struct writing *w, Perfetto__TrackDescriptor *track, uint64_t uuid)
{
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
    track->has_uuid = true;
    track->uuid = uuid;
    packet.track_descriptor = track;
    put_packet(w, &packet);
}

static void put_process(struct writing *w, uint32_t index)
{
    const struct timeline_process *process = &w->run->processes[index];
    Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
    Perfetto__ProcessDescriptor of = PERFETTO__PROCESS_DESCRIPTOR__INIT;
    of.has_pid = true;
    of.pid = (int32_t)process->pid;
    of.process_name = kept(w, process->program);
    track.process = &of;
    put_track(w, &track, process_track(index));
}

static void put_child_track(struct writing *w, uint32_t thread, int which, const char *name)
{
    Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
    track.name = (char *)(uintptr_t)name;
    track.has_parent_uuid = true;
    track.parent_uuid = thread_track(w, thread, TRACK_CALLS);
    put_track(w, &track, thread_track(w, thread, which));
}

static void put_thread(struct writing *w, uint32_t index)
{
    const struct timeline_thread *thread = &w->run->threads[index];
    Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
    Perfetto__ThreadDescriptor of = PERFETTO__THREAD_DESCRIPTOR__INIT;
    of.has_pid = of.has_tid = true;
    of.pid = (int32_t)w->run->processes[thread->process].pid;
    of.tid = (int32_t)thread->tid;
    of.thread_name = kept(w, thread->name);
    track.thread = &of;
    track.has_parent_uuid = true;
    track.parent_uuid = process_track(thread->process);
    put_track(w, &track, thread_track(w, index, TRACK_CALLS));
    put_child_track(w, index, TRACK_OFF, "off");
    put_child_track(w, index, TRACK_SAMPLES, "samples");
}

/* ---- events ---- */

struct happening {
    Perfetto__TrackEvent__Type type;
    uint64_t track;
    time_ns time;
    const char *name;  /* NULL: it has none */
    const char *waker; /* NULL: not told */
    uint64_t from, to; /* an arrow begins or ends here; 0: none does */
};

/* What protobuf-c points to while an event is packed. */
struct packing {
    Perfetto__TracePacket packet;
    Perfetto__TrackEvent event;
    Perfetto__InternedData interned;
    Perfetto__EventName name, *names;
    Perfetto__DebugAnnotation waker, *annotations;
    uint64_t from, to;
};

/* A name's text comes with the first event that has it. */
static void name_event(struct writing *w, struct packing *p, const char *text)
{
    uint32_t number = text_of(w, text);
    uint64_t *known = hash_map_put(&w->names, number);
    p->event.has_name_iid = p->name.has_iid = true;
    p->event.name_iid = p->name.iid = (uint64_t)number + 1;
    p->name.name = (char *)(uintptr_t)w->texts.text[number];
    p->names = &p->name;
    p->interned.n_event_names = 1;
    p->interned.event_names = &p->names;
    p->packet.interned_data = *known ? NULL : &p->interned;
    *known = 1;
}

static void tell_waker(struct writing *w, struct packing *p, const char *text)
{
    p->waker.name = (char *)(uintptr_t) "woken by";
    p->waker.string_value = kept(w, text);
    p->annotations = &p->waker;
    p->event.n_debug_annotations = 1;
    p->event.debug_annotations = &p->annotations;
}

static void put_event(struct writing *w, const struct happening *what)
{
    struct packing p = {.packet = PERFETTO__TRACE_PACKET__INIT,
                        .event = PERFETTO__TRACK_EVENT__INIT,
                        .interned = PERFETTO__INTERNED_DATA__INIT,
                        .name = PERFETTO__EVENT_NAME__INIT,
                        .waker = PERFETTO__DEBUG_ANNOTATION__INIT,
                        .from = what->from,
                        .to = what->to};
    time_ns time = what->time - w->stacks->from;
    p.packet.has_timestamp = p.event.has_type = p.event.has_track_uuid = true;
    p.packet.timestamp = time > 0 ? (uint64_t)time : 0;
    p.packet.track_event = &p.event;
    p.event.type = what->type;
    p.event.track_uuid = what->track;
    p.event.n_flow_ids = what->from != 0;
    p.event.flow_ids = &p.from;
    p.event.n_terminating_flow_ids = what->to != 0;
    p.event.terminating_flow_ids = &p.to;
    if (what->name)
        name_event(w, &p, what->name);
    if (what->waker)
        tell_waker(w, &p, what->waker);
    put_packet(w, &p.packet);
}

static void put_begin(struct writing *w, uint64_t track, time_ns time, const char *name)
{
    put_event(w, &(struct happening){.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN,
                                     .track = track,
                                     .time = time,
                                     .name = name});
}

static void put_end(struct writing *w, uint64_t track, time_ns time)
{
    put_event(w, &(struct happening){.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END,
                                     .track = track,
                                     .time = time});
}

/* ---- calls ---- */

static const char *span_name(const struct writing *w, const struct span *span)
{
    const struct context_tree *tree = &w->stacks->seen.tree;
    return span->probe == SPAN_PROBE_UNSEEN(tree)
               ? "[not seen]"
               : tree->frames[span->probe - SPAN_PROBE_OF(0)].function;
}

/* A parent stands before its children: what is open and not its parent has ended. */
static void put_calls(struct writing *w, uint32_t index)
{
    const struct timeline_thread *thread = &w->run->threads[index];
    uint64_t track = thread_track(w, index, TRACK_CALLS);
    uint32_t open = SPAN_NONE;
    for (uint32_t s = 0; s < thread->span_count; s++) {
        const struct span *span = &thread->spans[s];
        for (; open != span->parent; open = thread->spans[open].parent)
            put_end(w, track, thread->spans[open].end);
        put_begin(w, track, span->start, span_name(w, span));
        open = s;
    }
    for (; open != SPAN_NONE; open = thread->spans[open].parent)
        put_end(w, track, thread->spans[open].end);
}

/* ---- off the processor ---- */

static void reason_of(const struct writing *w, const struct off_cpu *off, struct str *name)
{
    const struct stacks *stacks = w->stacks;
    uint32_t reason = off_reason_known(&stacks->times.whys, &stacks->groups, off);
    if (reason == REASON_NOBODY)
        str_append(name, "what is not known");
    else
        stacks_reason_name(stacks, reason, name);
}

static void waker_of(const struct writing *w, const struct off_cpu *off, struct str *name)
{
    const struct kernel_task *task = &w->run->kernel_side->tasks[off->waker];
    str_printf(name, "%s (%u)", *task->name ? task->name : "a thread", task->tid);
}

/* The arrow's begin, where who woke it is a thread of the run; or 0. */
static uint64_t put_waking(struct writing *w, uint32_t index, const struct off_cpu *off)
{
    uint32_t waker = kernel_task_thread(w->run, off->waker);
    struct str name = {0};
    if (waker == THREAD_NONE)
        return 0;
    str_printf(&name, "wakes %s", w->run->threads[index].name);
    uint64_t flow = ++w->flows;
    put_event(w, &(struct happening){.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT,
                                     .track = thread_track(w, waker, TRACK_OFF),
                                     .time = off->woken,
                                     .name = name.data,
                                     .from = flow});
    str_release(&name);
    return flow;
}

/* From where it wants a processor on; right then, mostly, it has one. */
static void put_queue(struct writing *w, uint32_t index, const struct off_cpu *off, bool blocked)
{
    uint64_t track = thread_track(w, index, TRACK_OFF);
    bool known = blocked && off->waker != TASK_NONE && off->waker != TASK_IDLE;
    uint64_t flow = known ? put_waking(w, index, off) : 0;
    struct str waker = {0};
    if (known)
        waker_of(w, off, &waker);
    put_event(w, &(struct happening){.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN,
                                     .track = track,
                                     .time = off->woken,
                                     .name = "[wants a processor]",
                                     .waker = waker.data,
                                     .to = flow});
    put_end(w, track, off->in);
    str_release(&waker);
}

static void put_off(struct writing *w, uint32_t index, const struct off_cpu *off)
{
    uint64_t track = thread_track(w, index, TRACK_OFF);
    struct str name = {0};
    bool blocked = off->woken > off->out;
    if (blocked) {
        reason_of(w, off, &name);
        put_begin(w, track, off->out, name.data);
        put_end(w, track, off->woken);
    }
    if (blocked || off->in > off->woken)
        put_queue(w, index, off, blocked);
    str_release(&name);
}

/* ---- samples ---- */

static const char *innermost(const struct writing *w, uint32_t node)
{
    const struct context_tree *tree = &w->stacks->seen.tree;
    return node == CONTEXT_NONE || node == CONTEXT_ROOT
               ? "[stack not recorded]"
               : tree->frames[tree->nodes[node].frame].function;
}

static void put_samples(struct writing *w, uint32_t task)
{
    const struct task_sightings *seen = &w->stacks->seen.tasks[task];
    uint32_t thread = kernel_task_thread(w->run, task);
    for (size_t i = 0; thread != THREAD_NONE && i < seen->count; i++)
        if (seen->items[i].kind == SIGHTING_RAN)
            put_event(w, &(struct happening){.type = PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT,
                                             .track = thread_track(w, thread, TRACK_SAMPLES),
                                             .time = seen->items[i].time,
                                             .name = innermost(w, seen->items[i].node)});
}

void stacks_perfetto_write(struct str *out, const struct timelines *run,
                           const struct stacks *stacks)
{
    struct writing w = {.out = out, .run = run, .stacks = stacks};
    for (uint32_t i = 0; i < run->process_count; i++)
        put_process(&w, i);
    for (uint32_t i = 0; i < run->thread_count; i++)
        put_thread(&w, i);
    for (uint32_t i = 0; i < run->thread_count; i++) {
        put_calls(&w, i);
        for (uint32_t o = 0; o < run->threads[i].off_count; o++)
            put_off(&w, i, &run->threads[i].offs[o]);
    }
    for (uint32_t t = 1; t < stacks->seen.task_count; t++)
        put_samples(&w, t);
    hash_map_release(&w.names);
    intern_release(&w.texts);
    memory_free(w.bytes);
}
