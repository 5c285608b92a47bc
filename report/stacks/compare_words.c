#include "report/stacks/compare_words.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "stacks/work_wait.h"

enum { MOST_CALLERS = 4 };
/* The place has no more of it than the whole, within what both are not sure of (chosen). */
#define NEARLY_WHOLE 1.25

const char *compare_side(const struct stacks_compare *told, int side)
{
    if (told->slow)
        return side ? "slow" : "typical";
    return side ? "B" : "A";
}

const char *compare_unit_name(const struct stacks_compare *told)
{
    static const char *const names[] = {
        [CHANGE_A_REQUEST] = "request", [CHANGE_A_SECOND] = "second", [CHANGE_A_RUN] = "run"};
    return names[told->comparison->unit];
}

void compare_difference(double ns, bool utf8, struct str *out)
{
    str_append(out, ns > 0 ? "+" : ns < 0 ? (utf8 ? "\u2212" : "-") : "");
    str_append(out, number_ns(fabs(ns), utf8).text);
}

void compare_interval(const double ci95[2], bool utf8, struct str *out)
{
    if (!isfinite(ci95[0]))
        return;
    compare_difference(ci95[0], utf8, out);
    str_append(out, " .. ");
    compare_difference(ci95[1], utf8, out);
}

const struct context_frame *compare_frame(const struct stacks_compare *told, uint32_t node)
{
    const struct laid_node *laid = &told->comparison->laid.nodes[node];
    int side = laid_node_side(laid);
    const struct context_tree *tree = told->comparison->sides[side].tree;
    uint32_t frame = tree->nodes[laid->node[side]].frame;
    return frame == CONTEXT_NONE ? NULL : &tree->frames[frame];
}

void compare_node_name(const struct stacks_compare *told, uint32_t node, struct str *out)
{
    const struct context_frame *frame = compare_frame(told, node);
    str_append(out, frame ? frame->function : "all threads");
}

const char *compare_presence(const struct laid_node *node)
{
    return node->node[0] == CONTEXT_NONE ? "new" : node->node[1] == CONTEXT_NONE ? "gone" : "both";
}

/* ---- places ---- */

/* "deflate of mod_deflate.so"; the file is left out where that of the call before it is the same, and where the
 * function has no name, but is told by it. */
static void append_function(const struct context_frame *frame, const char **object, struct str *out)
{
    str_append(out, frame->function);
    if (*frame->object && !frame->start && (!*object || strcmp(*object, frame->object) != 0))
        str_printf(out, " of %s", frame->object);
    *object = frame->object;
}

void compare_place(const struct stacks_compare *told, uint32_t node, struct str *out)
{
    const struct laid_node *nodes = told->comparison->laid.nodes;
    const struct context_frame *frame = compare_frame(told, node);
    const char *object = NULL;
    uint32_t callers = 0;
    if (nodes[node].depth <= 1) {
        str_append(out, "all threads");
        if (frame)
            str_printf(out, " of %s", frame->function);
        return;
    }
    append_function(frame, &object, out);
    for (uint32_t n = nodes[node].parent; nodes[n].depth > 1; n = nodes[n].parent) {
        frame = compare_frame(told, n);
        if (!context_frame_is_known(frame))
            continue;
        if (callers == MOST_CALLERS) {
            str_append(out, " < ...");
            break;
        }
        str_append(out, callers++ ? " < " : " (below ");
        append_function(frame, &object, out);
    }
    str_append(out, callers ? ")" : "");
}

/* ---- the first sentence ---- */

static const char *more(double change)
{
    return change > 0 ? "more" : "less";
}

static void append_amount(double change, struct str *out)
{
    str_append(out, number_ns(fabs(change), false).text);
}

/* " (4.70 ms .. 5.10 ms)", of the size of the change. */
static void append_sure(const struct unit_change *change, struct str *out)
{
    double size = fabs(change->change);
    if (!isfinite(change->half))
        return;
    str_printf(out, " (%s%s", size < change->half ? "-" : "",
               number_ns(fabs(size - change->half), false).text);
    str_printf(out, " .. %s)", number_ns(size + change->half, false).text);
}

static bool is_told(const struct unit_change *change)
{
    return isfinite(change->half) && fabs(change->change) > change->half;
}

/* "B's requests take 5.10 ms more each" */
static void append_whole(const struct stacks_compare *told, struct str *out)
{
    const struct unit_change *whole = &told->comparison->whole;
    if (told->slow)
        str_append(out, "Slow requests take ");
    else if (told->comparison->unit == CHANGE_A_REQUEST)
        str_append(out, "B's requests take ");
    else
        str_append(out, "A run of B's takes ");
    append_amount(whole->change, out);
    str_printf(out, " %s", more(whole->change));
    if (told->slow)
        str_append(out, " each than typical ones");
    else if (told->comparison->unit == CHANGE_A_REQUEST)
        str_append(out, " each");
    else
        str_append(out, " of its threads' time");
}

/* The place has a part of the whole's change. */
static bool is_part(const struct stacks_compare *told, const struct unit_change *place)
{
    const struct unit_change *whole = &told->comparison->whole;
    return told->comparison->unit != CHANGE_A_SECOND && is_told(whole) &&
           whole->change * place->change > 0 &&
           fabs(place->change) <= NEARLY_WHOLE * fabs(whole->change);
}

static void append_at_place(const struct stacks_compare *told, const struct unit_change *place,
                            struct str *out)
{
    if (is_part(told, place)) {
        append_whole(told, out);
        str_append(out, ", of which ");
        append_amount(place->change, out);
        append_sure(place, out);
        str_append(out, " are in ");
        return;
    }
    str_append(out, told->slow                                   ? "Slow requests spend "
                    : told->comparison->unit == CHANGE_A_REQUEST ? "B's requests spend "
                    : told->comparison->unit == CHANGE_A_RUN     ? "A run of B's spends "
                                                                 : "B's threads spend ");
    append_amount(place->change, out);
    append_sure(place, out);
    str_printf(out, " %s ", more(place->change));
    str_append(out, told->comparison->unit == CHANGE_A_REQUEST  ? "each in "
                    : told->comparison->unit == CHANGE_A_SECOND ? "of each second in "
                                                                : "in ");
}

static void append_presence(const struct stacks_compare *told, const struct laid_node *node,
                            struct str *out)
{
    if (node->node[0] == CONTEXT_NONE)
        str_append(out,
                   told->slow ? ", where typical ones never were seen" : ", which A does not have");
    else if (node->node[1] == CONTEXT_NONE)
        str_append(out, told->slow ? ", where slow ones never were seen" : ", which B has no more");
}

/* There are too few runs to tell anything. */
static void append_unsure(const struct stacks_compare *told, struct str *out)
{
    const struct stack_comparison *comparison = told->comparison;
    str_printf(out, "Nothing is told apart: how much runs differ takes %d of each side to tell.",
               CHANGE_RUNS);
    if (comparison->largest == CONTEXT_NONE)
        return;
    const struct unit_change *below = &comparison->laid.nodes[comparison->largest].below;
    str_append(out, " The largest difference is that B's take ");
    append_amount(below->change, out);
    str_printf(out, " %s in ", more(below->change));
    compare_place(told, comparison->largest, out);
    str_append(out, ".");
}

static void append_nothing(const struct stacks_compare *told, struct str *out)
{
    const struct stack_comparison *comparison = told->comparison;
    if (!comparison->changes.sure && comparison->unit == CHANGE_A_RUN) {
        append_unsure(told, out);
        return;
    }
    str_printf(out, "Nothing is told apart: of %s contexts none takes surely more or less time",
               number_count(comparison->changes.count).text);
    str_append(out, told->slow ? " in slow requests." : " in B than in A.");
    if (comparison->unit == CHANGE_A_SECOND || !is_told(&comparison->whole))
        return;
    str_append(out, " ");
    append_whole(told, out);
    append_sure(&comparison->whole, out);
    str_append(out, ", and no context stands out.");
}

static void append_waits(const struct stacks_compare *told, const struct laid_node *node,
                         struct str *out)
{
    const struct stack_comparison *comparison = told->comparison;
    if (node->change == CONTEXT_NONE)
        return;
    const struct node_change *change = &comparison->changes.items[node->change];
    if (stack_comparison_for_work(comparison, change))
        str_append(out, " There it waits to be given work.");
    else if (stack_comparison_for_others(comparison, change))
        str_append(out, " There it waits for other threads of the program.");
}

void stacks_compare_headline(const struct stacks_compare *told, struct str *out)
{
    const struct stack_comparison *comparison = told->comparison;
    if (comparison->place == CONTEXT_NONE) {
        append_nothing(told, out);
        return;
    }
    const struct laid_node *place = &comparison->laid.nodes[comparison->place];
    append_at_place(told, &place->below, out);
    compare_place(told, comparison->place, out);
    append_presence(told, place, out);
    str_append(out, ".");
    append_waits(told, place, out);
    str_printf(out, " %s of ", number_count(comparison->changes.told).text);
    str_printf(out, "%s contexts surely changed.", number_count(comparison->changes.count).text);
}

/* ---- what it is of ---- */

static void append_side(const struct stacks_compare *told, int side, struct str *out)
{
    const struct compared_sum *sum = &told->comparison->sums[side];
    uint32_t runs = told->comparison->added[side].runs;
    str_printf(out, "%s: ", compare_side(told, side));
    if (told->comparison->unit == CHANGE_A_REQUEST)
        str_printf(out, "%s requests", number_count(sum->requests).text);
    else
        str_append(out, number_ns((double)sum->recorded, false).text);
    str_printf(out, " of %s run%s", number_count(runs).text, number_plural(runs));
    str_printf(out, ", %s samples, ", number_count(sum->samples).text);
    str_printf(out, "%s times off with their stack. ", number_count(sum->with_stack).text);
}

void stacks_compare_method(const struct stacks_compare *told, struct str *out)
{
    for (int s = 0; s < 2; s++)
        append_side(told, s, out);
    str_printf(out, "All times are of one %s", compare_unit_name(told));
    str_append(out, told->comparison->unit == CHANGE_A_REQUEST
                        ? ": what threads did while they worked for it. "
                        : ", of all threads together, without what they waited for a processor. ");
    str_printf(out,
               "Intervals hold with 95 %%, by the jackknife. What is marked ! surely changed: of "
               "what is marked one in twenty is wrong in the mean (Benjamini and Hochberg), and it "
               "differs by more than %s's first half from its second.",
               compare_side(told, 0));
    const struct tree_match *match = &told->comparison->changes.match;
    if (match->passed[0] + match->passed[1])
        str_printf(out,
                   " Contexts are matched by name along their paths; %u frames of A and %u of B "
                   "were passed over.",
                   match->passed[0], match->passed[1]);
}

/* ---- what speaks against it ---- */

/* Waiting for processors differs by so much of the time in which threads could have run (chosen). */
#define STARVED 0.1

void stacks_compare_judge(const struct stacks_compare *told, struct doubts *doubts)
{
    const struct stack_comparison *c = told->comparison;
    uint32_t runs = c->added[0].runs < c->added[1].runs ? c->added[0].runs : c->added[1].runs;
    if (!told->slow && runs < CHANGE_RUNS)
        doubts_add(doubts, DOUBT_OF_INTERVALS, "few-runs",
                   "What differs from run to run is not %s: that takes %d runs of each side, in a "
                   "folder each (--out old, --out new).",
                   c->unit == CHANGE_A_RUN ? "known" : "in the intervals", CHANGE_RUNS);
    if (c->changes.unsteady)
        doubts_add(doubts, DOUBT_OF_INTERVALS, "unsteady",
                   "%u contexts differ surely between the first and the second half of %s: it is "
                   "no steady measure. Record longer, or leave its warming-up out.",
                   c->changes.unsteady, compare_side(told, 0));
    if (!told->slow && fabs(c->sums[0].queue - c->sums[1].queue) > STARVED)
        doubts_add(doubts, DOUBT_OF_INTERVALS, "starved",
                   "Threads waited for a processor for %s of the time in which they could have run "
                   "in A, and for %s in B: a difference may be that of what else ran.",
                   number_percent_short(c->sums[0].queue).text,
                   number_percent_short(c->sums[1].queue).text);
}
