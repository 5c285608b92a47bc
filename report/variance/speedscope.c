#include "report/variance/speedscope.h"

#include <jansson.h>

#include "base/error.h"
#include "base/hash_map.h"
#include "base/memory.h"
#include "report/kit/json_parts.h"
#include "report/variance/stacks.h"

struct scope {
    struct intern frames;
    json_t *profiles;
};

static void append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        BUG("a JSON value could not be made");
}

static json_t *frame(struct scope *scope, const char *name)
{
    return json_integer(intern_add(&scope->frames, name));
}

static json_t *profile(struct scope *scope, const char *type, const char *name, const char *unit,
                       int64_t end)
{
    json_t *object = json_object();
    json_set(object, "type", json_string(type));
    json_set(object, "name", json_text(name));
    json_set(object, "unit", json_string(unit));
    json_set(object, "startValue", json_integer(0));
    json_set(object, "endValue", json_integer(end));
    append(scope->profiles, object);
    return object;
}

/* ---- the tree ---- */

static json_t *stack(struct scope *scope, const struct variance_tree *tree, uint32_t leaf)
{
    json_t *frames = json_array();
    struct str name = {0};
    for (uint32_t n = leaf; n != NODE_NONE; n = tree->nodes[n].parent) {
        if (tree->nodes[n].kind == NODE_BODY && tree->nodes[n].parent != 0)
            continue;
        str_clear(&name);
        stack_frame_name(&name, &tree->nodes[n]);
        if (json_array_insert_new(frames, 0, frame(scope, str_text(&name))) != 0)
            BUG("a JSON stack could not be made");
    }
    str_release(&name);
    return frames;
}

/* Negative weights would make the viewer refuse the file. */
static void add_tree(struct scope *scope, const struct variance_tree *tree, const char *name,
                     const char *unit, enum stack_weight weight)
{
    json_t *samples = json_array(), *weights = json_array();
    int64_t total = 0;
    for (uint32_t n = tree->node_count ? 0 : NODE_NONE; n != NODE_NONE;
         n = stack_next_node(tree, n)) {
        int64_t value = stack_weight(&tree->nodes[n], weight);
        if (tree->nodes[n].first_child != NODE_NONE || value <= 0)
            continue;
        append(samples, stack(scope, tree, n));
        append(weights, json_integer(value));
        total += value;
    }
    json_t *object = profile(scope, "sampled", name, unit, total);
    json_set(object, "samples", samples);
    json_set(object, "weights", weights);
}

/* ---- views ---- */

static void add_track(struct scope *scope, const struct track_view *view, const struct track *track)
{
    struct str name = {0};
    str_printf(&name, "%s, thread %u", view->name, track->tid);
    json_t *object = profile(scope, "evented", name.data, "nanoseconds", view->latency_ns);
    json_t *events = json_array();
    for (size_t i = 0; i < track->event_count; i++) {
        const struct track_event *event = &track->events[i];
        json_t *one = json_object();
        json_set(one, "type", json_string(event->opens ? "O" : "C"));
        json_set(one, "frame", frame(scope, event->name));
        json_set(one, "at", json_integer(event->at_ns));
        append(events, one);
    }
    json_set(object, "events", events);
    str_release(&name);
}

static json_t *shared(const struct scope *scope)
{
    json_t *frames = json_array(), *object = json_object();
    for (size_t i = 0; i < scope->frames.count; i++) {
        json_t *one = json_object();
        json_set(one, "name", json_text(scope->frames.text[i]));
        append(frames, one);
    }
    json_set(object, "frames", frames);
    return object;
}

void speedscope_write(struct str *out, const struct variance_tree *tree,
                      const struct track_view *views, uint32_t count)
{
    struct scope scope = {.profiles = json_array()};
    add_tree(&scope, tree, "share of the variance, in millionths", "none", STACK_SHARE);
    add_tree(&scope, tree, "mean interval", "nanoseconds", STACK_MEAN);
    for (uint32_t v = 0; v < count; v++)
        for (uint32_t t = 0; t < views[v].track_count; t++)
            add_track(&scope, &views[v], &views[v].tracks[t]);
    json_t *object = json_object();
    json_set(object, "$schema", json_string("https://www.speedscope.app/file-format-schema.json"));
    json_set(object, "exporter", json_string("vprofiler"));
    json_set(object, "activeProfileIndex", json_integer(0));
    json_set(object, "shared", shared(&scope));
    json_set(object, "profiles", scope.profiles);
    json_write(object, JSON_COMPACT, out);
    str_append_char(out, '\n');
    intern_release(&scope.frames);
}
