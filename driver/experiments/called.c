#include "driver/experiments/called.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"

enum { MOST_TOLD = 5 };

struct called {
    uint32_t function;
    uint64_t calls;
};

static int by_calls(const void *a, const void *b)
{
    const struct called *p = a, *q = b;
    if (p->calls != q->calls)
        return p->calls < q->calls ? 1 : -1;
    return (p->function > q->function) - (p->function < q->function);
}

static void count(const struct timelines *run, const struct function_table *table,
                  struct called *called)
{
    for (uint32_t f = 0; f < table->function_count; f++)
        called[f] = (struct called){f, 0};
    for (uint32_t t = 0; t < run->thread_count; t++)
        for (uint32_t i = 0; i < run->threads[t].span_count; i++) {
            uint32_t probe = run->threads[t].spans[i].probe;
            if (probe < table->probe_count && table->probes[probe].kind == PROBE_FUNCTION &&
                table->probes[probe].function != FUNCTION_NONE)
                called[table->probes[probe].function].calls++;
        }
}

void called_append(const struct timelines *run, const struct function_table *table, struct str *out)
{
    struct called *called = memory_alloc(sizeof *called * (table->function_count + 1));
    count(run, table, called);
    qsort(called, table->function_count, sizeof *called, by_calls);
    for (uint32_t i = 0; i < table->function_count && i < MOST_TOLD && called[i].calls; i++)
        str_printf(out, "%s%s (%s time%s)", i ? ", " : "",
                   table->functions[called[i].function].name, number_count(called[i].calls).text,
                   number_plural(called[i].calls));
    memory_free(called);
}
