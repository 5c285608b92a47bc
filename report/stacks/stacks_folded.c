#include "report/stacks/stacks_folded.h"

#include <inttypes.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "report/stacks/own_time.h"
#include "report/stacks/stacks_report.h"

struct folding {
    FILE *out;
    const struct stacks *stacks;
    uint32_t *path; /* room for the deepest */
};

/* A semicolon ends a frame, and a line a stack. */
static void put_frame(FILE *out, const char *text)
{
    struct str clean = {0};
    utf8_printable(&clean, text, false);
    for (const char *c = str_text(&clean); *c; c++)
        putc(*c == ';' ? ':' : *c == '\n' || *c == '\t' ? ' ' : *c, out);
    str_release(&clean);
}

static void put_node(const struct folding *folding, uint32_t node)
{
    const struct context_tree *tree = &folding->stacks->times.fold.tree;
    struct str name = {0};
    stacks_node_name(folding->stacks, node, false, &name);
    put_frame(folding->out, str_text(&name));
    if (tree->frames[tree->nodes[node].frame].kind == FRAME_KERNEL)
        fputs("_[k]", folding->out);
    str_release(&name);
}

static void put_reason(const struct folding *folding, uint32_t reason)
{
    struct str text = {0};
    str_append(&text, "[waits for ");
    stacks_reason_name(folding->stacks, reason, &text);
    str_append(&text, "]");
    putc(';', folding->out);
    put_frame(folding->out, text.data);
    str_release(&text);
}

static void take(void *context, const struct own_time *own)
{
    const struct folding *folding = context;
    const struct context_node *nodes = folding->stacks->times.fold.tree.nodes;
    uint32_t depth = 0;
    for (uint32_t n = own->node; n != CONTEXT_ROOT; n = nodes[n].parent)
        folding->path[depth++] = n;
    while (depth-- > 0) {
        put_node(folding, folding->path[depth]);
        if (depth)
            putc(';', folding->out);
    }
    if (own->reason != OWN_NO_REASON)
        put_reason(folding, own->reason);
    fprintf(folding->out, " %" PRId64 "\n", own->time);
}

void stacks_folded_write(FILE *out, const struct stacks *stacks)
{
    struct folding folding = {out, stacks,
                              memory_alloc((stacks->times.fold.tree.count + 1) * sizeof(uint32_t))};
    own_times_visit(&stacks->times, take, &folding);
    memory_free(folding.path);
}
