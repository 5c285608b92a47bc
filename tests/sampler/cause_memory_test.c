/* cause_memory.h: what chains agree in holds of the wakings without one. */
#include "check.h"

#include "sampler/cause_memory.h"

enum { A = 7, B = 8, C = 9 };

static const struct kernel_cause in_line = {TRACE_CONTEXT_THREAD, TRACE_INTERRUPT_NETWORK};
static const struct kernel_cause device = {TRACE_CONTEXT_SOFT, TRACE_INTERRUPT_NETWORK};
static const struct kernel_cause timer = {TRACE_CONTEXT_HARD, TRACE_INTERRUPT_TIMER};

static void teach(struct cause_memory *memory, struct kernel_cause cause, int times)
{
    for (int i = 0; i < times; i++)
        cause_memory_teach(memory, TRACE_CONTEXT_SOFT, A, B, cause);
}

static bool is(struct kernel_cause found, struct kernel_cause cause)
{
    return found.context == cause.context && found.interrupt == cause.interrupt;
}

static const struct kernel_cause unknown_soft = {TRACE_CONTEXT_SOFT, TRACE_INTERRUPT_UNKNOWN};
static const struct kernel_cause unknown_hard = {TRACE_CONTEXT_HARD, TRACE_INTERRUPT_UNKNOWN};

int main(void)
{
    struct cause_memory memory = {0};
    CHECK(is(cause_memory_get(&memory, TRACE_CONTEXT_SOFT, A, B), unknown_soft));
    teach(&memory, in_line, 3);
    CHECK(is(cause_memory_get(&memory, TRACE_CONTEXT_SOFT, A, B), unknown_soft));
    teach(&memory, in_line, 1);
    CHECK(is(cause_memory_get(&memory, TRACE_CONTEXT_SOFT, A, B), in_line));
    /* Only of that pair, in that order, and of that kind of interrupt. */
    CHECK(is(cause_memory_get(&memory, TRACE_CONTEXT_SOFT, B, A), unknown_soft));
    CHECK(is(cause_memory_get(&memory, TRACE_CONTEXT_SOFT, A, C), unknown_soft));
    CHECK(is(cause_memory_get(&memory, TRACE_CONTEXT_HARD, A, B), unknown_hard));
    /* One that disagrees is enough to know nothing. */
    teach(&memory, in_line, 1000);
    teach(&memory, device, 1);
    CHECK(is(cause_memory_get(&memory, TRACE_CONTEXT_SOFT, A, B), unknown_soft));
    teach(&memory, device, 3);
    CHECK(is(cause_memory_get(&memory, TRACE_CONTEXT_SOFT, A, B), device));
    for (int i = 0; i < 4; i++)
        cause_memory_teach(&memory, TRACE_CONTEXT_HARD, A, B, timer);
    CHECK(is(cause_memory_get(&memory, TRACE_CONTEXT_HARD, A, B), timer));
    CHECK(is(cause_memory_get(&memory, TRACE_CONTEXT_SOFT, A, B), device));
    /* A timer comes in the way of anybody; who sends in line is nobody else. */
    CHECK(is(cause_memory_get(&memory, TRACE_CONTEXT_HARD, C, B), timer));
    teach(&memory, in_line, 4);
    CHECK(is(cause_memory_get(&memory, TRACE_CONTEXT_SOFT, C, B), unknown_soft));
    cause_memory_release(&memory);
    return CHECK_DONE();
}
