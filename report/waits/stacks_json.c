#include "report/kit/json_parts.h"
#include "report/waits/waits_report.h"

/* Of an edge, and of its waits or its wakings, those that are the most of the time. */
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

static json_t *json_stack(const struct edge_stack *stack)
{
    json_t *object = json_object(), *frames = json_array();
    json_set(object, "edge", json_count(stack->edge));
    json_set(object, "of", json_text(stack->of_waker ? "waking" : "wait"));
    json_set(object, "time_ns", json_number(stack->time_ns));
    json_set(object, "sd_ns", json_number(stack->sd_ns));
    json_set(object, "sampled", json_count(stack->sampled));
    for (uint32_t i = 0; i < stack->frame_count; i++)
        json_push(frames, json_frame(&stack->frames[i]));
    json_set(object, "frames", frames);
    return object;
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
    const struct edge_stacks *stacks = &waits->stacks;
    json_t *items = json_array(), *locks = json_array();
    uint32_t of_edge = 0;
    for (size_t i = 0; i < stacks->count; i++) {
        const struct edge_stack *stack = &stacks->items[i];
        bool same = i && stack[-1].edge == stack->edge && stack[-1].of_waker == stack->of_waker;
        of_edge = same ? of_edge + 1 : 0;
        if (of_edge < MOST_STACKS)
            json_push(items, json_stack(stack));
    }
    for (size_t i = 0; i < stacks->lock_count; i++)
        json_push(locks, json_lock(&stacks->locks[i]));
    json_set(into, "stacks", items);
    json_set(into, "stacks_cut", json_count(stacks->cut));
    json_set(into, "stacks_unmatched", json_count(stacks->unmatched));
    json_set(into, "locks", locks);
}
