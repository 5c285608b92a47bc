#include <stdlib.h>

#include "base/memory.h"
#include "report/kit/json_parts.h"
#include "report/stacks/own_time.h"
#include "report/stacks/stacks_folded.h"
#include "report/stacks/stacks_report.h"

/* A group of threads is a profile. */
struct profile {
    json_t *samples, *weights;
    time_ns total;
};

struct scope {
    const struct stacks *stacks;
    struct intern frames;     /* name, a line end, file */
    json_t *told;             /* of the frames */
    struct profile *profiles; /* by group */
};

static json_t *frame_number(struct scope *scope, const char *name, const char *file)
{
    struct str key = {0};
    str_printf(&key, "%s\n%s", name, file);
    uint32_t number = intern_add(&scope->frames, key.data);
    if (number == json_array_size(scope->told)) {
        json_t *object = json_object();
        json_set(object, "name", json_text(name));
        if (*file)
            json_set(object, "file", json_text(file));
        json_push(scope->told, object);
    }
    str_release(&key);
    return json_count(number);
}

static json_t *node_frame(struct scope *scope, uint32_t node)
{
    const struct context_tree *tree = &scope->stacks->times.fold.tree;
    struct str name = {0};
    stacks_node_name(scope->stacks, node, true, &name);
    json_t *number =
        frame_number(scope, str_text(&name), tree->frames[tree->nodes[node].frame].object);
    str_release(&name);
    return number;
}

static json_t *reason_frame(struct scope *scope, uint32_t reason)
{
    struct str name = {0};
    str_append(&name, "[waits for ");
    stacks_reason_name(scope->stacks, reason, &name);
    str_append(&name, "]");
    json_t *number = frame_number(scope, name.data, "");
    str_release(&name);
    return number;
}

static json_t *stack_of(struct scope *scope, const struct own_time *own)
{
    const struct context_node *nodes = scope->stacks->times.fold.tree.nodes;
    uint32_t depth = nodes[own->node].depth, at = depth;
    uint32_t *path = memory_alloc((depth + 1) * sizeof *path);
    json_t *stack = json_array();
    for (uint32_t n = own->node; at > 1; n = nodes[n].parent)
        path[--at] = n;
    for (uint32_t i = 1; i < depth; i++)
        json_push(stack, node_frame(scope, path[i]));
    if (own->reason != OWN_NO_REASON)
        json_push(stack, reason_frame(scope, own->reason));
    memory_free(path);
    return stack;
}

static void take(void *context, const struct own_time *own)
{
    struct scope *scope = context;
    struct profile *profile = &scope->profiles[context_group_of(&scope->stacks->times, own->node)];
    if (!profile->samples) {
        profile->samples = json_array();
        profile->weights = json_array();
    }
    json_push(profile->samples, stack_of(scope, own));
    json_push(profile->weights, json_integer((json_int_t)own->time));
    profile->total += own->time;
}

static json_t *profile_json(const struct stacks *stacks, uint32_t group,
                            const struct profile *profile)
{
    json_t *object = json_object();
    struct str name = {0};
    stacks_node_name(stacks, stacks->times.group_node[group], true, &name);
    json_set(object, "type", json_text("sampled"));
    json_set(object, "name", json_text(name.data));
    json_set(object, "unit", json_text("nanoseconds"));
    json_set(object, "startValue", json_count(0));
    json_set(object, "endValue", json_integer((json_int_t)profile->total));
    json_set(object, "samples", profile->samples);
    json_set(object, "weights", profile->weights);
    str_release(&name);
    return object;
}

void stacks_speedscope_write(struct str *out, const struct stacks *stacks)
{
    struct scope scope = {.stacks = stacks,
                          .told = json_array(),
                          .profiles =
                              memory_zeroed((stacks->groups.count + 1) * sizeof *scope.profiles)};
    json_t *object = json_object(), *profiles = json_array(), *shared = json_object();
    own_times_visit(&stacks->times, take, &scope);
    for (uint32_t g = 0; g < stacks->groups.count; g++)
        if (scope.profiles[g].samples)
            json_push(profiles, profile_json(stacks, g, &scope.profiles[g]));
    json_set(shared, "frames", scope.told);
    json_set(object, "$schema", json_text("https://www.speedscope.app/file-format-schema.json"));
    json_set(object, "exporter", json_text("vprofiler"));
    json_set(object, "activeProfileIndex", json_count(0));
    json_set(object, "shared", shared);
    json_set(object, "profiles", profiles);
    json_write(object, JSON_COMPACT, out);
    str_append_char(out, '\n');
    intern_release(&scope.frames);
    memory_free(scope.profiles);
}
