#include <math.h>

#include "report/kit/json_parts.h"
#include "report/waits/waits_report.h"

/* Of an edge's waits or its wakings, or of what a group ran, those that are the most of the time. */
enum { MOST_STACKS = 20 };

static json_t *json_frame(const struct sampled_frame *frame)
{
    static const char *const kinds[] = {
        [FRAME_KERNEL] = "kernel", [FRAME_LIBRARY] = "library", [FRAME_PROGRAM] = "program"};
    json_t *object = json_object();
    json_set(object, "name", json_text(frame->name));
    json_set(object, "kind", json_text(kinds[frame->kind]));
    return object;
}

static json_t *json_stack(const struct stack_sum *sum, const char *of, const char *whose,
                          uint32_t index)
{
    json_t *object = json_object(), *frames = json_array();
    json_set(object, whose, json_count(index));
    json_set(object, "of", json_text(of));
    json_set(object, "time_ns", json_number(sum->time_ns));
    json_set(object, "sd_ns", json_number(sqrt(sum->variance)));
    json_set(object, "sampled", json_count(sum->sampled));
    for (uint32_t i = 0; i < sum->frame_count; i++)
        json_push(frames, json_frame(&sum->frames[i]));
    json_set(object, "frames", frames);
    return object;
}

static void push_edges(const struct waits *waits, json_t *into)
{
    static const char *const of[STACKS_OF] = {
        [STACK_OF_WAIT] = "wait", [STACK_OF_WAKING] = "waking"};
    size_t count;
    for (uint32_t key = 0; key < waits->graph.edge_count * STACKS_OF; key++) {
        const struct stack_sum *sums = stack_sums_of(&waits->stacks.sums, key, &count);
        for (size_t i = 0; i < count && i < MOST_STACKS; i++)
            json_push(into, json_stack(&sums[i], of[key % STACKS_OF], "edge", key / STACKS_OF));
    }
}

static void push_groups(const struct waits *waits, json_t *into)
{
    size_t count;
    for (uint32_t group = 0; group < waits->graph.group_count; group++) {
        const struct stack_sum *sums = stack_sums_of(&waits->run_stacks.sums, group, &count);
        for (size_t i = 0; i < count && i < MOST_STACKS; i++)
            json_push(into, json_stack(&sums[i], "run", "group", group));
    }
}

static json_t *json_lock(const struct edge_lock *lock)
{
    json_t *object = json_object();
    json_set(object, "edge", json_count(lock->edge));
    json_set(object, "pid", json_count(lock->pid));
    json_set(object, "address", json_count(lock->address));
    json_set(object, "name", lock->name ? json_text(lock->name) : json_null());
    json_set(object, "time_ns", json_number(lock->time_ns));
    json_set(object, "sd_ns", json_number(lock->sd_ns));
    json_set(object, "sampled", json_count(lock->sampled));
    json_set(object, "holder", lock->holder == NO_GROUP ? json_null() : json_count(lock->holder));
    json_set(object, "held_ns", json_number(lock->held_ns));
    return object;
}

void waits_stacks_json(const struct waits *waits, json_t *into)
{
    json_t *items = json_array(), *locks = json_array();
    push_edges(waits, items);
    push_groups(waits, items);
    for (size_t i = 0; i < waits->stacks.lock_count; i++)
        json_push(locks, json_lock(&waits->stacks.locks[i]));
    json_set(into, "stacks", items);
    json_set(into, "stacks_cut", json_count(waits->stacks.cut));
    json_set(into, "stacks_unmatched", json_count(waits->stacks.unmatched));
    json_set(into, "locks", locks);
}
