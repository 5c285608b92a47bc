/* How the threads of an edge wait, where, where they are let go on, and what threads do that run. */
#include "base/number.h"
#include "report/waits/waits_report.h"

enum { MOST_EDGES = 4, MOST_GROUPS = 3, MOST_STACKS = 3, MOST_FUNCTIONS = 5 };
/* Of an edge's waits, or a group's running, less than this part is not shown (chosen). */
#define LEAST 0.05

static double time_of_all(const struct stack_sum *sums, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += sums[i].time_ns;
    return sum;
}

/* The program's own functions, or else what there is. */
static void append_functions(const struct stack_sum *sum, struct str *out)
{
    uint32_t shown = 0;
    for (int own = 1; own >= 0 && !shown; own--)
        for (uint32_t i = 0; i < sum->frame_count && shown < MOST_FUNCTIONS; i++) {
            if (own && sum->frames[i].kind != FRAME_PROGRAM)
                continue;
            str_printf(out, "%s%s", shown++ ? " < " : "", sum->frames[i].name);
        }
}

/* In the kernel, or in a library, it is there for the program's own function. */
static void append_innermost(const struct stack_sum *sum, struct str *out)
{
    bool own = !sum->frame_count || sum->frames[0].kind == FRAME_PROGRAM;
    if (!own && *stack_sum_function(sum))
        str_printf(out, " (in %s)", sum->frames[0].name);
}

static void write_stack(struct terminal *terminal, const struct stack_sum *sum, double all,
                        bool innermost)
{
    struct str text = {0}, share = {0};
    str_printf(&share, "    %5s  ", number_percent_short(sum->time_ns / all).text);
    append_functions(sum, &text);
    if (innermost)
        append_innermost(sum, &text);
    terminal_wrap(terminal, share.data, text.data);
    str_release(&share);
    str_release(&text);
}

static void write_stacks(struct terminal *terminal, const char *title, const struct stack_sum *sums,
                         size_t count, bool innermost)
{
    double all = time_of_all(sums, count);
    if (all <= 0)
        return;
    terminal_text(terminal, title);
    terminal_end_line(terminal);
    for (size_t i = 0; i < count && i < MOST_STACKS; i++)
        if (sums[i].time_ns >= LEAST * all)
            write_stack(terminal, &sums[i], all, innermost);
}

static const struct stack_sum *sums_of_edge(const struct waits *waits, uint32_t edge,
                                            enum edge_stack_of of, size_t *count)
{
    return stack_sums_of(&waits->stacks.sums, edge_stack_key(edge, of), count);
}

const struct stack_sum *waits_edge_stack(const struct waits *waits, uint32_t edge,
                                         enum edge_stack_of of)
{
    size_t count;
    const struct stack_sum *sums = sums_of_edge(waits, edge, of, &count);
    return count ? sums : NULL;
}

void waits_lock_told(const struct waits *waits, const struct edge_lock *lock, struct str *out)
{
    size_t count;
    const struct stack_sum *sums = sums_of_edge(waits, lock->edge, STACK_OF_WAIT, &count);
    double all = time_of_all(sums, count);
    str_append(out, "on ");
    if (lock->name)
        str_append(out, lock->name);
    else
        str_printf(out, "%#llx", (unsigned long long)lock->address);
    str_printf(out, " %s", number_percent_short(all > 0 ? lock->time_ns / all : 0).text);
    if (lock->holder != NO_GROUP) {
        str_printf(out, ", of that %s while ",
                   number_percent_short(lock->held_ns / lock->time_ns).text);
        waits_group_name(waits, lock->holder, out);
        str_append(out, " held it");
    }
}

static void write_locks(const struct waits *waits, struct terminal *terminal, uint32_t edge)
{
    size_t count;
    const struct stack_sum *sums = sums_of_edge(waits, edge, STACK_OF_WAIT, &count);
    double all = time_of_all(sums, count);
    for (size_t i = 0; i < waits->stacks.lock_count; i++) {
        const struct edge_lock *lock = &waits->stacks.locks[i];
        if (lock->edge != edge || lock->time_ns < LEAST * all)
            continue;
        struct str text = {0};
        waits_lock_told(waits, lock, &text);
        terminal_wrap(terminal, "    ", text.data);
        str_release(&text);
    }
}

static void write_edge(const struct waits *waits, struct terminal *terminal, uint32_t edge)
{
    struct str text = {0};
    size_t waited, woken;
    const struct stack_sum *waiting = sums_of_edge(waits, edge, STACK_OF_WAIT, &waited);
    const struct stack_sum *waking = sums_of_edge(waits, edge, STACK_OF_WAKING, &woken);
    waits_group_name(waits, waits->graph.edges[edge].from, &text);
    str_append(&text, " waits for ");
    waits_group_name(waits, waits->graph.edges[edge].to, &text);
    terminal_end_line(terminal);
    terminal_wrap(terminal, "  ", text.data);
    write_locks(waits, terminal, edge);
    write_stacks(terminal, "    waits in", waiting, waited, true);
    write_stacks(terminal, "    let go on in", waking, woken, false);
    str_release(&text);
}

static bool has_stacks(const struct waits *waits, uint32_t edge)
{
    return waits_edge_stack(waits, edge, STACK_OF_WAIT) ||
           waits_edge_stack(waits, edge, STACK_OF_WAKING);
}

/* What runs less than that is none that others would be behind (chosen). */
#define RUNS 0.2

static void write_group(const struct waits *waits, struct terminal *terminal, uint32_t group)
{
    size_t count;
    const struct stack_sum *sums = stack_sums_of(&waits->run_stacks.sums, group, &count);
    struct str text = {0};
    if (!count)
        return;
    waits_group_name(waits, group, &text);
    str_printf(&text, " runs %s of the time",
               number_percent_short(waits->running.groups[group].share.value).text);
    terminal_end_line(terminal);
    terminal_wrap(terminal, "  ", text.data);
    write_stacks(terminal, "    runs in", sums, count, true);
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
    shown = 0;
    for (uint32_t g = 0; g < waits->graph.group_count && shown < MOST_GROUPS; g++) {
        if (!waits->graph.groups[g].of_run || waits->running.groups[g].share.value < RUNS)
            continue;
        write_group(waits, terminal, g);
        shown++;
    }
}
