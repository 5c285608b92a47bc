#include <inttypes.h>

#include "base/utf8.h"
#include "report/waits/waits_report.h"
#include "report/waits/waits_stack.h"

/* A semicolon ends a frame, and a line a stack. */
static void put_frame(FILE *out, const char *text)
{
    struct str clean = {0};
    utf8_printable(&clean, text, false);
    for (const char *c = str_text(&clean); *c; c++)
        putc(*c == ';' ? ':' : *c == '\n' || *c == '\t' ? ' ' : *c, out);
    str_release(&clean);
}

static void put_group(FILE *out, const struct waits *waits, uint32_t group)
{
    struct str name = {0};
    waits_group_name(waits, group, &name);
    put_frame(out, str_text(&name));
    str_release(&name);
}

void waits_folded_write(FILE *out, const struct waits *waits, const struct waits_stacks *stacks)
{
    for (uint32_t i = 0; i < stacks->count; i++) {
        const struct waits_stack *stack = &stacks->items[i];
        const struct wait_edge *edge = &waits->graph.edges[stack->edge];
        if (stack->estimate <= 0)
            continue;
        put_group(out, waits, edge->from);
        fputs(stack->of_waker ? ";is woken by " : ";waits for ", out);
        put_group(out, waits, edge->to);
        for (uint32_t f = stack->frame_count; f-- > 0;) {
            putc(';', out);
            put_frame(out, stack->frames[f]);
        }
        fprintf(out, " %" PRId64 "\n", stack->estimate);
    }
}
