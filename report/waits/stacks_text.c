/* How the threads of an edge wait, where, and where they are let go on. */
#include "base/number.h"
#include "report/waits/waits_report.h"

enum { MOST_EDGES = 4, MOST_STACKS = 3, MOST_FUNCTIONS = 5 };
/* A stack of less than this part of the edge's waits is not shown (chosen). */
#define LEAST 0.05

/* Stacks and locks stand by edge. */
static size_t first_stack(const struct edge_stacks *stacks, uint32_t edge, bool of_waker)
{
    size_t i = 0;
    while (i < stacks->count &&
           (stacks->items[i].edge != edge || stacks->items[i].of_waker != of_waker))
        i++;
    return i;
}

static bool is_of(const struct edge_stacks *stacks, size_t i, uint32_t edge, bool of_waker)
{
    return i < stacks->count && stacks->items[i].edge == edge &&
           stacks->items[i].of_waker == of_waker;
}

const struct edge_stack *waits_edge_stack(const struct waits *waits, uint32_t edge, bool of_waker)
{
    size_t i = first_stack(&waits->stacks, edge, of_waker);
    return i < waits->stacks.count ? &waits->stacks.items[i] : NULL;
}

static double time_of_all(const struct edge_stacks *stacks, uint32_t edge, bool of_waker)
{
    double sum = 0;
    for (size_t i = first_stack(stacks, edge, of_waker); is_of(stacks, i, edge, of_waker); i++)
        sum += stacks->items[i].time_ns;
    return sum;
}

/* The program's own functions, or else what there is. */
static void append_functions(const struct edge_stack *stack, struct str *out)
{
    uint32_t shown = 0;
    for (int own = 1; own >= 0 && !shown; own--)
        for (uint32_t i = 0; i < stack->frame_count && shown < MOST_FUNCTIONS; i++) {
            if (own && stack->frames[i].kind != FRAME_PROGRAM)
                continue;
            str_printf(out, "%s%s", shown++ ? " < " : "", stack->frames[i].name);
        }
}

static void write_stack(struct terminal *terminal, const struct edge_stack *stack, double all)
{
    struct str text = {0}, share = {0};
    str_printf(&share, "    %5s  ", number_percent_short(stack->time_ns / all).text);
    append_functions(stack, &text);
    if (!stack->of_waker && stack->frame_count && stack->frames[0].kind == FRAME_KERNEL)
        str_printf(&text, " (in %s)", stack->frames[0].name);
    terminal_wrap(terminal, share.data, text.data);
    str_release(&share);
    str_release(&text);
}

static void write_stacks(const struct waits *waits, struct terminal *terminal, uint32_t edge,
                         bool of_waker)
{
    const struct edge_stacks *stacks = &waits->stacks;
    double all = time_of_all(stacks, edge, of_waker);
    size_t first = first_stack(stacks, edge, of_waker);
    if (all <= 0)
        return;
    terminal_text(terminal, of_waker ? "    let go on in" : "    waits in");
    terminal_end_line(terminal);
    for (size_t i = first; is_of(stacks, i, edge, of_waker) && i < first + MOST_STACKS; i++)
        if (stacks->items[i].time_ns >= LEAST * all)
            write_stack(terminal, &stacks->items[i], all);
}

const struct edge_lock *waits_edge_lock(const struct waits *waits, uint32_t edge)
{
    for (size_t i = 0; i < waits->stacks.lock_count; i++)
        if (waits->stacks.locks[i].edge == edge)
            return &waits->stacks.locks[i];
    return NULL;
}

void waits_lock_name(const struct edge_lock *lock, struct str *out)
{
    if (lock->name)
        str_append(out, lock->name);
    else
        str_printf(out, "%#llx", (unsigned long long)lock->address);
}

static void write_locks(const struct waits *waits, struct terminal *terminal, uint32_t edge)
{
    double all = time_of_all(&waits->stacks, edge, false);
    for (size_t i = 0; i < waits->stacks.lock_count; i++) {
        const struct edge_lock *lock = &waits->stacks.locks[i];
        if (lock->edge != edge || lock->time_ns < LEAST * all)
            continue;
        struct str text = {0};
        str_append(&text, "on ");
        waits_lock_name(lock, &text);
        str_printf(&text, " %s", number_percent_short(lock->time_ns / all).text);
        if (lock->holder != NO_GROUP) {
            str_printf(&text, ", of that %s while ",
                       number_percent_short(lock->held_ns / lock->time_ns).text);
            waits_group_name(waits, lock->holder, &text);
            str_append(&text, " held it");
        }
        terminal_wrap(terminal, "    ", text.data);
        str_release(&text);
    }
}

static bool has_stacks(const struct waits *waits, uint32_t edge)
{
    return first_stack(&waits->stacks, edge, false) < waits->stacks.count ||
           first_stack(&waits->stacks, edge, true) < waits->stacks.count;
}

static void write_edge(const struct waits *waits, struct terminal *terminal, uint32_t edge)
{
    struct str text = {0};
    waits_group_name(waits, waits->graph.edges[edge].from, &text);
    str_append(&text, " waits for ");
    waits_group_name(waits, waits->graph.edges[edge].to, &text);
    terminal_end_line(terminal);
    terminal_wrap(terminal, "  ", text.data);
    write_locks(waits, terminal, edge);
    write_stacks(waits, terminal, edge, false);
    write_stacks(waits, terminal, edge, true);
    str_release(&text);
}

void waits_write_stacks(const struct waits *waits, struct terminal *terminal)
{
    uint32_t shown = 0;
    for (uint32_t e = 0; e < waits->graph.edge_count && shown < MOST_EDGES; e++) {
        if (!waits->counts[e] || !has_stacks(waits, e))
            continue;
        write_edge(waits, terminal, e);
        shown++;
    }
}
