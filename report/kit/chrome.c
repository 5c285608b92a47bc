#include "report/kit/chrome.h"

#include <jansson.h>

#include "base/error.h"
#include "report/kit/json_parts.h"

enum { MOST_THREADS = 1 << 22 }; /* of Linux: its ids are smaller */

/* Adds one event; times are microseconds with three decimals. An event that closes has no name
 * (NULL). */
static json_t *event(json_t *events, const char *phase, const char *name, uint32_t view,
                     uint32_t tid, int64_t at_ns)
{
    json_t *object = json_object();
    if (json_object_set_new(object, "ph", json_string(phase)) != 0 ||
        (name && json_object_set_new(object, "name", json_text(name)) != 0) ||
        json_object_set_new(object, "pid", json_integer(view + 1)) != 0 ||
        json_object_set_new(object, "tid", json_integer(tid)) != 0 ||
        json_object_set_new(object, "ts", json_real((double)at_ns / 1000)) != 0 ||
        json_array_append_new(events, object) != 0)
        BUG("a JSON event could not be made");
    return object;
}

/* Names a process or a thread. */
static void label(json_t *events, const char *what, uint32_t view, uint32_t tid, const char *name)
{
    json_t *arguments = json_pack("{s:o}", "name", json_text(name));
    if (json_object_set_new(event(events, "M", what, view, tid, 0), "args", arguments) != 0)
        BUG("a JSON event could not be made");
}

static void add_events(json_t *events, uint32_t view, uint32_t tid, const struct track *track)
{
    for (size_t i = 0; i < track->event_count; i++) {
        const struct track_event *one = &track->events[i];
        event(events, one->opens ? "B" : "E", one->name, view, tid, one->at_ns);
    }
}

static void add_track(json_t *events, uint32_t view, const struct track *track)
{
    struct str name = {0};
    if (track->name)
        str_append(&name, track->name);
    else
        str_printf(&name, "thread %u of process %u", track->tid, track->pid);
    label(events, "thread_name", view, track->tid, name.data);
    add_events(events, view, track->tid, track);
    str_release(&name);
}

/* Lanes of processors stand behind those of the threads, whose numbers are the kernel's. */
static void add_processor(json_t *events, uint32_t view, const struct track *track)
{
    struct str name = {0};
    str_printf(&name, "processor %u", track->tid);
    label(events, "thread_name", view, MOST_THREADS + track->tid, name.data);
    add_events(events, view, MOST_THREADS + track->tid, track);
    str_release(&name);
}

static void add_arrow(json_t *events, uint32_t view, const struct track_view *of, uint32_t index)
{
    const struct track_arrow *arrow = &of->arrows[index];
    const char *name = arrow->task ? "task" : "wake-up";
    json_t *from = event(events, "s", name, view, of->tracks[arrow->from].tid, arrow->from_ns);
    json_t *to = event(events, "f", name, view, of->tracks[arrow->to].tid, arrow->to_ns);
    json_int_t id = (json_int_t)view << 32 | index;
    if (json_object_set_new(from, "id", json_integer(id)) != 0 ||
        json_object_set_new(to, "id", json_integer(id)) != 0 ||
        json_object_set_new(from, "cat", json_string(name)) != 0 ||
        json_object_set_new(to, "cat", json_string(name)) != 0 ||
        json_object_set_new(to, "bp", json_string("e")) != 0)
        BUG("a JSON event could not be made");
}

void chrome_write(struct str *out, const struct track_view *views, uint32_t count)
{
    json_t *events = json_array();
    for (uint32_t v = 0; v < count; v++) {
        label(events, "process_name", v, 0, views[v].name);
        for (uint32_t t = 0; t < views[v].track_count; t++)
            add_track(events, v, &views[v].tracks[t]);
        for (uint32_t p = 0; p < views[v].processor_count; p++)
            add_processor(events, v, &views[v].processors[p]);
        for (uint32_t a = 0; a < views[v].arrow_count; a++)
            add_arrow(events, v, &views[v], a);
    }
    json_write(json_pack("{s:s, s:o}", "displayTimeUnit", "ns", "traceEvents", events),
               JSON_COMPACT | JSON_REAL_PRECISION(15), out);
    str_append_char(out, '\n');
}
