#include "stacks/measured_call.h"

#include "base/hash_map.h"
#include "base/memory.h"
#include "stacks/loss_index.h"

struct open_call {
    uint64_t stack;
    time_ns begin;
};

/* The innermost one is the last. */
struct call_stack {
    struct open_call *items;
    size_t count, capacity;
    uint64_t
        returned; /* the stack pointer of what returned right before; 0: something else happened */
    bool called;  /* the thread was seen to call the function before */
};

struct matching {
    struct measured_calls *calls;
    bool again; /* a call may come to its entry several times */
    time_ns from;
    struct call_stack *threads;
    size_t count, capacity;
    struct hash_map of; /* thread -> index + 1 */
};

static struct call_stack *stack_of(struct matching *m, uint32_t thread)
{
    uint64_t *known = hash_map_put(&m->of, thread);
    if (!*known) {
        VEC_PUSH(m->threads, m->count, m->capacity) = (struct call_stack){0};
        *known = m->count;
    }
    return &m->threads[*known - 1];
}

static void end_innermost(struct matching *m, struct call_stack *stack, uint32_t thread,
                          time_ns time, enum call_fate fate)
{
    stack->count--;
    VEC_PUSH(m->calls->items, m->calls->count, m->calls->capacity) =
        (struct measured_call){.begin = stack->items[stack->count].begin,
                               .end = time,
                               .thread = thread,
                               .depth = (uint32_t)stack->count,
                               .fate = (uint8_t)fate};
}

/* Jumps have left what lies below a stack pointer that is in use again; and of those at one that has
 * returned already, all that did not return at once. */
static void leave_below(struct matching *m, struct call_stack *stack, const struct request_hit *hit)
{
    bool over = stack->returned && hit->second != stack->returned;
    while (stack->count && (stack->items[stack->count - 1].stack < hit->second ||
                            (over && stack->items[stack->count - 1].stack == stack->returned)))
        end_innermost(m, stack, hit->thread, hit->time, CALL_LEFT);
}

static void call(struct matching *m, struct call_stack *stack, const struct request_hit *hit)
{
    leave_below(m, stack, hit);
    while (stack->returned == hit->second && stack->count &&
           stack->items[stack->count - 1].stack == hit->second)
        end_innermost(m, stack, hit->thread, hit->time, CALL_LEFT);
    stack->called = true;
    stack->returned = 0;
    if (m->again && stack->count && stack->items[stack->count - 1].stack == hit->second)
        return;
    VEC_PUSH(stack->items, stack->count, stack->capacity) =
        (struct open_call){hit->second, hit->time};
    if (stack->count > m->calls->deepest)
        m->calls->deepest = (uint32_t)stack->count;
}

/* A return of another stack pointer is that of a call that had begun before, or of what the function goes
 * on in by a jump, when others call that. */
static void leave(struct matching *m, struct call_stack *stack, const struct request_hit *hit)
{
    leave_below(m, stack, hit);
    bool is = stack->count && stack->items[stack->count - 1].stack == hit->second;
    if (is)
        end_innermost(m, stack, hit->thread, hit->time, CALL_RETURNED);
    else if (!stack->called)
        VEC_PUSH(m->calls->items, m->calls->count, m->calls->capacity) =
            (struct measured_call){m->from, hit->time, hit->thread, 0, CALL_BEGUN};
    stack->called = true;
    stack->returned = is ? hit->second : 0;
}

static void end_all(struct matching *m, time_ns until)
{
    for (size_t i = 0; i < m->of.capacity; i++) {
        if (!m->of.entries[i].used)
            continue;
        struct call_stack *stack = &m->threads[m->of.entries[i].value - 1];
        uint64_t returned = stack->returned;
        while (stack->count)
            end_innermost(m, stack, (uint32_t)m->of.entries[i].key, until,
                          stack->items[stack->count - 1].stack == returned ? CALL_LEFT : CALL_OPEN);
    }
}

void measured_calls_find(struct measured_calls *calls, const struct request_hits *hits)
{
    struct matching m = {.calls = calls, .again = hits->by_value, .from = hits->from};
    for (size_t i = 0; i < hits->count; i++) {
        const struct request_hit *hit = &hits->items[i];
        struct call_stack *stack = stack_of(&m, hit->thread);
        if (hit->role == TRACE_POINT_CALLED)
            call(&m, stack, hit);
        else
            leave(&m, stack, hit);
    }
    end_all(&m, hits->until);
    for (size_t i = 0; i < m.count; i++)
        memory_free(m.threads[i].items);
    memory_free(m.threads);
    hash_map_release(&m.of);
}

void measured_calls_doubt(struct measured_calls *calls, const struct point_loss *losses,
                          size_t count)
{
    struct loss_index index;
    loss_index_init(&index, losses, count);
    for (size_t i = 0; i < calls->count; i++)
        if (loss_index_meets(&index, calls->items[i].begin, calls->items[i].end))
            calls->items[i].fate = CALL_DOUBTFUL;
    loss_index_release(&index);
}

size_t measured_calls_count(const struct measured_calls *calls, enum call_fate fate)
{
    size_t count = 0;
    for (size_t i = 0; i < calls->count; i++)
        count += calls->items[i].fate == fate;
    return count;
}

void measured_calls_release(struct measured_calls *calls)
{
    memory_free(calls->items);
    *calls = (struct measured_calls){0};
}
