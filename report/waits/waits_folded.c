#include "report/waits/waits_folded.h"
#include "base/utf8.h"
#include "report/waits/waits_report.h"

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

static void put_stack(FILE *out, const struct stack_sum *sum)
{
    for (uint32_t f = sum->frame_count; f-- > 0;) {
        putc(';', out);
        put_frame(out, sum->frames[f].name);
        if (sum->frames[f].kind == FRAME_KERNEL)
            fputs("_[k]", out);
    }
    fprintf(out, " %.0f\n", sum->time_ns);
}

static void put_edges(FILE *out, const struct waits *waits)
{
    static const char *const said[STACKS_OF] = {
        [STACK_OF_WAIT] = ";waits for ", [STACK_OF_WAKING] = ";is woken by "};
    for (size_t i = 0; i < waits->stacks.sums.count; i++) {
        const struct stack_sum *sum = &waits->stacks.sums.items[i];
        const struct wait_edge *edge = &waits->graph.edges[sum->key / STACKS_OF];
        put_group(out, waits, edge->from);
        fputs(said[sum->key % STACKS_OF], out);
        put_group(out, waits, edge->to);
        put_stack(out, sum);
    }
}

void waits_folded_write(FILE *out, const struct waits *waits)
{
    put_edges(out, waits);
    for (size_t i = 0; i < waits->run_stacks.sums.count; i++) {
        const struct stack_sum *sum = &waits->run_stacks.sums.items[i];
        put_group(out, waits, sum->key);
        fputs(";runs", out);
        put_stack(out, sum);
    }
}
