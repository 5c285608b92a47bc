#include "trace/caller_list.h"

#include <string.h>

#include "base/memory.h"

void caller_list_begin_log(struct caller_list *list, uint32_t process)
{
    list->log++;
    list->process = process;
    list->pending_count = 0;
}

static bool is_pending(const struct caller_list *list, const struct caller_stack *stack)
{
    return stack->process == list->process && stack->count == list->pending_count &&
           memcmp(stack->addresses, list->pending, sizeof *list->pending * stack->count) == 0;
}

/* The later one of two stacks of one hash is found, and a third one is there twice. */
static uint32_t pending_stack(struct caller_list *list)
{
    size_t bytes = sizeof *list->pending * list->pending_count;
    uint64_t hash = hash_bytes(list->pending, bytes) ^ hash_mix(list->process);
    uint64_t *known = hash_map_put(&list->known, hash);
    if (*known && is_pending(list, &list->stacks[*known]))
        return (uint32_t)*known;
    if (list->stack_count == 0) /* the one that is none */
        VEC_PUSH(list->stacks, list->stack_count, list->stack_capacity) = (struct caller_stack){0};
    if (list->stack_count > TIMELINE_STACK_MAX)
        return 0;
    uint64_t *addresses = memory_alloc(bytes);
    memcpy(addresses, list->pending, bytes);
    *known = list->stack_count;
    VEC_PUSH(list->stacks, list->stack_count, list->stack_capacity) =
        (struct caller_stack){list->process, list->pending_count, addresses};
    return (uint32_t)*known;
}

static uint64_t number_key(const struct caller_list *list, uint64_t number)
{
    return list->log << 16 | number;
}

void caller_list_add(struct caller_list *list, const struct trace_callers *record)
{
    for (unsigned i = 0; i < TRACE_CALLERS_ADDRESSES && record->address[i]; i++)
        if (list->pending_count < CALLER_LIST_MOST)
            list->pending[list->pending_count++] = record->address[i];
    if (record->more || list->pending_count == 0)
        return;
    *hash_map_put(&list->of_number, number_key(list, record->number)) = pending_stack(list);
    list->pending_count = 0;
}

uint32_t caller_list_find(const struct caller_list *list, uint64_t number)
{
    if (number == 0 || number > UINT16_MAX)
        return 0;
    const uint64_t *stack = hash_map_get(&list->of_number, number_key(list, number));
    return stack ? (uint32_t)*stack : 0;
}

void caller_list_finish(struct caller_list *list, struct timelines *run)
{
    run->stack_count = list->stack_count;
    run->stacks = ARENA_ARRAY(&run->arena, struct caller_stack, list->stack_count + 1);
    for (uint32_t i = 1; i < list->stack_count; i++) {
        const struct caller_stack *from = &list->stacks[i];
        uint64_t *addresses = ARENA_ARRAY(&run->arena, uint64_t, from->count);
        memcpy(addresses, from->addresses, sizeof *addresses * from->count);
        run->stacks[i] = (struct caller_stack){from->process, from->count, addresses};
    }
}

void caller_list_release(struct caller_list *list)
{
    for (uint32_t i = 1; i < list->stack_count; i++)
        memory_free((void *)(uintptr_t)list->stacks[i].addresses);
    memory_free(list->stacks);
    hash_map_release(&list->known);
    hash_map_release(&list->of_number);
    *list = (struct caller_list){0};
}
