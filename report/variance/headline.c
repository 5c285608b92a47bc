#include "report/variance/headline.h"

#include <math.h>

#include "base/number.h"
#include "base/utf8.h"
#include "report/variance/outline.h"

#define WHOLE 0.95 /* of the latency and of its variance */

uint32_t factor_count(const struct variance_report *report)
{
    return report->factors ? report->factors->count : 0;
}

bool factor_selected(const struct variance_report *report, const struct factor *factor)
{
    return factor->rank <= report->of->top && factor->contribution > report->of->threshold;
}

bool factor_doubtful(const struct factor *factor)
{
    return !(factor->ci95[0] > 0 || factor->ci95[1] < 0);
}

void factor_write_name(const struct factor *factor, size_t columns, bool utf8, struct str *out)
{
    if (factor->kind == FACTOR_VARIANCE) {
        utf8_fit(out, factor->names[0], columns, utf8);
        return;
    }
    size_t room = columns > 3 ? columns - 3 : 0, half = room / 2;
    struct str first = {0}, second = {0};
    utf8_fit(&first, factor->names[0], room, utf8);
    utf8_fit(&second, factor->names[1], room, utf8);
    size_t wide[2] = {utf8_columns(str_text(&first)), utf8_columns(str_text(&second))};
    if (wide[0] + wide[1] > room) {
        size_t give = wide[1] < half ? room - wide[1] : wide[0] < half ? wide[0] : room - half;
        str_clear(&first);
        str_clear(&second);
        utf8_fit(&first, factor->names[0], give, utf8);
        utf8_fit(&second, factor->names[1], room - give, utf8);
    }
    str_printf(out, "%s %s %s", str_text(&first), utf8 ? "\u00d7" : "x", str_text(&second));
    str_release(&first);
    str_release(&second);
}

double factor_mean_ns(const struct variance_tree *tree, const struct factor *factor)
{
    double mean_ns = factor->kind == FACTOR_VARIANCE ? 0 : NAN;
    for (uint32_t i = 0; i < factor->site_count; i++)
        mean_ns += tree->nodes[factor->sites[i].a].mean_ns;
    return mean_ns;
}

void node_write_place(const struct tree_node *node, struct str *out)
{
    if (!node->file || !node->file[0])
        return;
    str_append(out, node->file);
    if (node->line)
        str_printf(out, ":%u", node->line);
}

static void write_place(const struct variance_report *report, const struct factor *factor,
                        bool utf8, struct str *out)
{
    if (factor->kind != FACTOR_VARIANCE || factor->site_count == 0)
        return;
    struct str place = {0};
    node_write_place(&report->tree->nodes[factor->sites[0].a], &place);
    if (place.length) {
        str_append(out, " (");
        utf8_fit(out, place.data, 60, utf8);
        str_append(out, ")");
    }
    str_release(&place);
}

static double figure(const struct factor *factor)
{
    return factor->kind == FACTOR_VARIANCE ? factor->share : factor->contribution;
}

static uint32_t greatest_child(const struct variance_tree *tree, uint32_t node)
{
    uint32_t child = tree->nodes[node].first_child, greatest = child;
    for (; child != NODE_NONE; child = tree->nodes[child].next_sibling)
        if (tree->nodes[child].share > tree->nodes[greatest].share)
            greatest = child;
    return greatest;
}

/* Says what a thread did that was waited for, where it did one thing for most of the wait. */
static void write_meanwhile(const struct variance_tree *tree, uint32_t top, size_t columns,
                            bool utf8, struct str *out)
{
    uint32_t node = top, next = top;
    if (tree->nodes[top].parent != 0 ||
        (tree->nodes[top].kind != NODE_WAIT && tree->nodes[top].kind != NODE_QUEUE))
        return;
    while ((next = greatest_child(tree, next)) != NODE_NONE && tree->nodes[next].blamed &&
           tree->nodes[next].share >= tree->nodes[top].share / 2)
        node = next;
    if (node == top)
        return;
    str_printf(out, " Most of it, %s, its thread %s ",
               number_percent_short(tree->nodes[node].share).text,
               tree->nodes[node].kind == NODE_FOR_ANOTHER ? "was at work for" : "was in");
    utf8_fit(out, tree->nodes[node].name, columns, utf8);
    str_append_char(out, '.');
}

/* The first factor makes the headline. Where it varies much more than it moves the latency, others
 * cancel it, and to call that a part of the latency's variance would be wrong. */
static void write_first(const struct variance_report *report, const struct factor *factor,
                        size_t columns, bool utf8, struct str *out)
{
    struct str name = {0}, target = {0}, place = {0};
    factor_write_name(factor, columns, utf8, &name);
    utf8_fit(&target, report->of->target ? report->of->target : "the target", columns, utf8);
    write_place(report, factor, utf8, &place);
    const char *what = str_text(&name), *of = str_text(&target), *where = str_text(&place);
    bool cancelled = factor->kind == FACTOR_VARIANCE && factor->share < factor->contribution / 4;
    if (cancelled)
        str_printf(out,
                   "%s%s varies by %s of the latency variance of %s, but other work makes up for "
                   "it: its share is %s.",
                   what, where, number_percent_short(factor->contribution).text, of,
                   number_percent_short(factor->share).text);
    else
        str_printf(out, "%s of the latency variance of %s is %s%s%s.",
                   number_percent_short(figure(factor)).text, of, what, where,
                   factor->kind == FACTOR_COVARIANCE ? " rising and falling together" : "");
    if (!cancelled && factor->kind == FACTOR_VARIANCE && factor->site_count)
        write_meanwhile(report->tree, factor->sites[0].a, columns, utf8, out);
    if (factor_doubtful(factor))
        str_append(out, " Its 95 % interval holds 0: record more intervals.");
    str_release(&name);
    str_release(&target);
    str_release(&place);
}

static bool on_path(const struct variance_tree *tree, uint32_t above, uint32_t node)
{
    while (node != NODE_NONE && node != above)
        node = tree->nodes[node].parent;
    return node == above;
}

static bool related(const struct variance_tree *tree, uint32_t a, uint32_t b)
{
    return a != NODE_NONE && b != NODE_NONE && (on_path(tree, a, b) || on_path(tree, b, a));
}

/* Tells whether `said` speaks of the time of `node`, the largest place of a factor, too: its own
 * largest place is above or below, or another one is above, or those below make up half of the
 * node's. */
static bool told(const struct variance_tree *tree, const struct factor *said, uint32_t node)
{
    double below = 0;
    if (node == NODE_NONE)
        return false;
    for (uint32_t i = 0; i < said->site_count; i++) {
        const struct factor_site *site = &said->sites[i];
        if (i == 0 && (related(tree, site->a, node) || related(tree, site->b, node)))
            return true;
        if (on_path(tree, site->a, node))
            return true;
        if (on_path(tree, node, site->a))
            below += site->contribution;
    }
    return below > 0 && below >= tree->nodes[node].contribution / 2;
}

static bool worth_a_word(const struct variance_report *report, const struct factor *factor)
{
    return factor->contribution > report->of->threshold &&
           figure(factor) >= report->of->threshold && !factor_doubtful(factor);
}

static bool says_more(const struct variance_report *report, const struct factor *factor,
                      const struct factor *const *said, uint32_t count)
{
    if (!worth_a_word(report, factor))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (factor->site_count && (told(report->tree, said[i], factor->sites[0].a) ||
                                   told(report->tree, said[i], factor->sites[0].b)))
            return false;
    return true;
}

/* A function with nearly all of the time and of the variance must be opened to say where they
 * are. */
static bool holds_everything(const struct variance_tree *tree, const struct factor *factor)
{
    return factor->kind == FACTOR_VARIANCE && factor->site_count && factor->share >= WHOLE &&
           tree->nodes[factor->sites[0].a].mean_ns >= WHOLE * tree->nodes[0].mean_ns;
}

/* A wait can't be opened: who waits in the call above it is what there is to say. */
static const struct factor *first_below(const struct variance_report *report,
                                        const struct factor *above)
{
    for (uint32_t i = 0; i < factor_count(report); i++) {
        const struct factor *factor = &report->factors->factors[i];
        if (factor != above && worth_a_word(report, factor) && factor->site_count &&
            factor->sites[0].a != above->sites[0].a &&
            report->tree->nodes[factor->sites[0].a].kind != NODE_WAIT &&
            on_path(report->tree, above->sites[0].a, factor->sites[0].a))
            return factor;
    }
    return NULL;
}

const struct factor *headline_factor(const struct variance_report *report)
{
    uint32_t i = 0, count = factor_count(report);
    while (i < count && !factor_selected(report, &report->factors->factors[i]))
        i++;
    const struct factor *named = i < count ? &report->factors->factors[i] : NULL, *below = named;
    while (below && holds_everything(report->tree, below)) {
        below = first_below(report, below);
        named = below ? below : named;
    }
    return named;
}

static void write_next(const struct variance_report *report, const struct factor *first,
                       size_t columns, bool utf8, struct str *out)
{
    const struct factor *said[3] = {first};
    uint32_t count = 1;
    for (uint32_t i = 0; i < factor_count(report) && count < 3; i++) {
        const struct factor *factor = &report->factors->factors[i];
        if (!says_more(report, factor, said, count))
            continue;
        str_append(out, count > 1 ? ", " : " Next: ");
        factor_write_name(factor, columns, utf8, out);
        str_printf(out, " %s", number_percent_short(figure(factor)).text);
        said[count++] = factor;
    }
    if (count > 1)
        str_append(out, ".");
}

/* Says so where there is nothing to take apart; false where there is. */
static bool write_nothing(const struct variance_report *report, size_t columns, bool utf8,
                          struct str *out)
{
    const struct interval_summary *intervals = &report->tree->intervals;
    struct str target = {0};
    utf8_fit(&target, report->of->target ? report->of->target : "the target", columns, utf8);
    const char *of = str_text(&target);
    bool nothing = true;
    if (intervals->count == 0)
        str_printf(out, "No complete interval of %s was recorded: there is nothing to take apart.",
                   of);
    else if (intervals->count == 1)
        str_printf(out, "One interval of %s, of %s: a variance needs at least two.", of,
                   number_ns(intervals->mean_ns, utf8).text);
    else if (!outline_varies(report->tree))
        str_printf(out, "The latency of %s does not vary: all %s intervals took %s.", of,
                   number_count(intervals->count).text, number_ns(intervals->mean_ns, utf8).text);
    else
        nothing = false;
    str_release(&target);
    return nothing;
}

/* An annotated program may have had nothing injected. */
static bool times_nothing(const struct variance_report *report, const struct factor *first)
{
    const struct tree_node *node = &report->tree->nodes[first->sites[0].a];
    return report->of->functions_timed == 0 && node->kind == NODE_BODY && node->parent == 0;
}

static void write_untimed(const struct variance_report *report, size_t columns, bool utf8,
                          struct str *out)
{
    const struct interval_summary *intervals = &report->tree->intervals;
    str_append(out, "No function of ");
    utf8_fit(out, report->of->target ? report->of->target : "the target", columns, utf8);
    str_printf(out, " was timed. Its p99 is %s p50: `vprofiler iterate` says why.",
               number_ratio(intervals->p99_ns / intervals->p50_ns).text);
}

void headline_write(const struct variance_report *report, size_t columns, bool utf8,
                    struct str *out)
{
    if (write_nothing(report, columns, utf8, out))
        return;
    const struct factor *first = headline_factor(report);
    if (first && times_nothing(report, first)) {
        write_untimed(report, columns, utf8, out);
        return;
    }
    if (first) {
        write_first(report, first, columns, utf8, out);
        write_next(report, first, columns, utf8, out);
        return;
    }
    str_append(out, "No function stands out: none of the first factors contributes more than ");
    str_printf(out, "%s of the latency variance of ",
               number_percent_short(report->of->threshold).text);
    utf8_fit(out, report->of->target ? report->of->target : "the target", columns, utf8);
    str_append(out, ".");
}
