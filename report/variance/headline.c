#include "report/variance/headline.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "report/variance/factor_words.h"
#include "report/variance/ledger_words.h"
#include "report/variance/outlier_words.h"
#include "report/variance/outline.h"

enum { MOST_LINES = 3 };

/* A pair carries as much as a line from this part of it on: of two that are always slow together
 * each has half of the variance, and so have the two together. */
#define AS_MUCH 0.9
/* A line lies below both of a pair if it has so much of its share below each. */
#define BELOW_BOTH 0.2
/* From this part on, it is all of it. */
#define ALL_OF_IT 0.995

struct writing {
    const struct variance_report *report;
    size_t columns;
    bool utf8;
    struct str *out;
};

static void write_name(const struct writing *w, const char *name)
{
    utf8_fit(w->out, name, w->columns, w->utf8);
}

static void write_target(const struct writing *w)
{
    const char *target = w->report->of->target;
    write_name(w, target ? target : "the target");
}

static void write_percent(const struct writing *w, double part)
{
    str_append(w->out, number_percent_short(part).text);
}

/* ---- the first line ---- */

/* Says what is so where no function does it. */
static const char *what_is_so(const struct writing *w, enum owner_kind kind)
{
    if (kind == OWNER_OUTSIDE && w->report->of->inferred)
        return "lies where no function was seen";
    static const char *const said[OWNER_KINDS] = {
        [OWNER_OUTSIDE] = "lies outside of the functions that are timed",
        [OWNER_WAKE_UP] = "is wake-up latency: threads that were woken wait for a processor",
        [OWNER_WAIT] = "is waiting for a thread that had not begun",
        [OWNER_PROCESSOR] = "is waiting for a processor",
        [OWNER_PROBES] = "is the time of vprofiler's own probes",
        [OWNER_UNEXPLAINED] = "is not explained by what any thread did"};
    return said[kind];
}

static void write_wait(const struct writing *w, const struct ledger_line *line)
{
    const struct ledger_part *part = ledger_line_wait(line);
    ledger_write_wait(w->report->tree, part, w->columns, w->utf8, w->out);
    ledger_write_ending(w->report->tree, line, part, w->columns, w->utf8, w->out);
}

static void write_how(const struct writing *w, const struct ledger_line *line)
{
    if (ledger_line_is_mixed(line)) {
        str_append(w->out, ": ");
        write_percent(w, line->own.share);
        str_append(w->out, " in requests themselves, ");
        write_percent(w, line->waits.share);
        str_append(w->out, " in others that ");
        write_wait(w, line);
    } else if (line->waits.share > line->own.share && ledger_line_wait(line)) {
        str_append(w->out, ": requests ");
        write_wait(w, line);
    }
}

static void write_way(const struct writing *w, const struct ledger_line *line)
{
    const struct ledger_way *way = ledger_line_way(line);
    if (!way)
        return;
    str_append(w->out, ", ");
    ledger_write_way(way, w->columns, w->utf8, w->out);
}

static void write_unseen(const struct writing *w, const struct ledger_line *line)
{
    if (line->unseen.share < LEDGER_SIDE * line->all.share)
        return;
    str_append(w->out, " It waits there for what left no trace: ");
    write_percent(w, line->unseen.share);
    str_append_char(w->out, '.');
}

/* Says who had the processor most of the time. */
static void write_taker(const struct writing *w, const struct ledger_line *line)
{
    const char *taker = line->part_count ? line->parts[0].taker : NULL;
    double share = 0;
    if (!taker || !(line->all.share > 0))
        return;
    for (uint32_t i = 0; i < line->part_count; i++)
        if (line->parts[i].taker && strcmp(line->parts[i].taker, taker) == 0)
            share += line->parts[i].sums.share;
    str_append(w->out, ", ");
    write_percent(w, fmin(share / line->all.share, 1));
    str_append(w->out, " of that while ");
    write_name(w, taker);
    str_append(w->out, " has it");
}

static void write_first(const struct writing *w, const struct ledger_line *line)
{
    write_percent(w, line->all.share);
    str_append(w->out, " of the latency variance of ");
    write_target(w);
    str_append_char(w->out, ' ');
    if (what_is_so(w, line->kind)) {
        str_append(w->out, what_is_so(w, line->kind));
        write_taker(w, line);
    } else {
        str_append(w->out, line->kind == OWNER_QUEUE ? "is time in the queue " : "goes back to ");
        ledger_write_who(line, w->columns, w->utf8, w->out);
        write_way(w, line);
        write_how(w, line);
    }
    str_append_char(w->out, '.');
    write_unseen(w, line);
    if (ledger_line_doubtful(line))
        str_append(w->out, " Its 95 % interval holds 0: record more intervals.");
}

static void write_next(const struct writing *w, const struct root_ledger *ledger)
{
    uint32_t told = 1;
    for (uint32_t i = 1; i < ledger->count && told < MOST_LINES; i++) {
        const struct ledger_line *line = &ledger->lines[i];
        if (line->all.share < w->report->of->threshold || ledger_line_doubtful(line) ||
            line->kind == OWNER_PROBES) /* a doubt tells of them */
            continue;
        str_append(w->out, told > 1 ? ", " : " Next: ");
        write_name(w, line->name);
        str_append_char(w->out, ' ');
        write_percent(w, line->all.share);
        told++;
    }
    if (told > 1)
        str_append_char(w->out, '.');
}

/* ---- a pair that carries more ---- */

/* The share of a call in the line's function that stands below `above`. */
static double share_below(const struct variance_tree *tree, const struct ledger_line *line,
                          uint32_t above)
{
    double share = 0;
    for (uint32_t n = above; n < tree->node_count; n++) {
        const struct tree_node *node = &tree->nodes[n];
        if (node->body && node->function == line->function && n != above &&
            node_is_below(tree, above, n))
            share += node->share;
    }
    return share;
}

/* A function that both of a pair call is no answer to why they are slow together. */
static bool lies_below_both(const struct variance_tree *tree, const struct ledger_line *line,
                            const struct factor *pair)
{
    const struct factor_site *site = &pair->sites[0];
    double least = BELOW_BOTH * line->all.share;
    return line->function != FUNCTION_NONE && share_below(tree, line, site->a) >= least &&
           share_below(tree, line, site->b) >= least;
}

static bool carries_as_much(const struct variance_report *report, const struct factor *pair)
{
    if (pair->kind != FACTOR_COVARIANCE || !pair->site_count || factor_doubtful(pair) ||
        pair->contribution < report->of->threshold)
        return false;
    for (uint32_t i = 0; i < report->roots->count; i++) {
        const struct ledger_line *line = &report->roots->lines[i];
        if (AS_MUCH * line->all.share > pair->contribution &&
            !lies_below_both(report->tree, line, pair))
            return false;
    }
    return true;
}

/* Functions, not waits: what both depend on is to be found in the program. */
static bool is_of_functions(const struct variance_report *report, const struct factor *pair)
{
    const struct tree_node *nodes = report->tree->nodes;
    return node_kind_is_callable(nodes[pair->sites[0].a].kind) &&
           node_kind_is_callable(nodes[pair->sites[0].b].kind);
}

static const struct factor *headline_pair(const struct variance_report *report)
{
    const struct factor *most = NULL;
    for (uint32_t i = 0; i < factor_count(report); i++) {
        const struct factor *factor = &report->factors->factors[i];
        if (carries_as_much(report, factor) && is_of_functions(report, factor) &&
            (!most || factor->contribution > most->contribution))
            most = factor;
    }
    return most;
}

static void write_pair(const struct writing *w)
{
    const struct factor *pair = headline_pair(w->report);
    if (!pair)
        return;
    str_append_char(w->out, ' ');
    write_percent(w, pair->contribution);
    str_append(w->out, " is ");
    write_name(w, pair->names[0]);
    str_append(w->out, " and ");
    write_name(w, pair->names[1]);
    str_append(w->out, " being slow together: look for what both depend on.");
}

/* ---- where there is nothing to say ---- */

/* Says so where there is nothing to take apart; false where there is. */
static bool write_nothing(const struct writing *w)
{
    const struct interval_summary *intervals = &w->report->tree->intervals;
    if (intervals->count == 0) {
        str_append(w->out, "No complete interval of ");
        write_target(w);
        str_append(w->out, " was recorded: there is nothing to take apart.");
    } else if (intervals->count == 1) {
        str_append(w->out, "One interval of ");
        write_target(w);
        str_printf(w->out, ", of %s: a variance needs at least two.",
                   number_ns(intervals->mean_ns, w->utf8).text);
    } else if (!outline_varies(w->report->tree)) {
        str_append(w->out, "The latency of ");
        write_target(w);
        str_printf(w->out, " does not vary: all %s intervals took ",
                   number_count(intervals->count).text);
        str_printf(w->out, "%s.", number_ns(intervals->mean_ns, w->utf8).text);
    } else {
        return false;
    }
    return true;
}

/* An annotated program may have had nothing injected. */
static void write_untimed(const struct writing *w)
{
    const struct interval_summary *intervals = &w->report->tree->intervals;
    str_append(w->out, "No function of ");
    write_target(w);
    str_printf(w->out, " was timed. Its p99 is %s p50: `vprofiler iterate` says why.",
               number_ratio(intervals->p99_ns / intervals->p50_ns).text);
}

static void write_none(const struct writing *w)
{
    str_append(w->out, "Nobody stands out: no function has more than ");
    write_percent(w, w->report->of->threshold);
    str_append(w->out, " of the latency variance of ");
    write_target(w);
    str_append_char(w->out, '.');
}

/* ---- where a few intervals own the variance ---- */

static const struct ledger_line *first_of_tail(const struct root_ledger *ledger)
{
    const struct ledger_line *first = NULL;
    for (uint32_t i = 0; i < ledger->count; i++)
        if (!first || ledger->lines[i].all.tail_share > first->all.tail_share)
            first = &ledger->lines[i];
    return first;
}

/* What some save, others may lose again: a part may be more than the whole. */
static void write_tail_line(const struct writing *w, const struct ledger_line *line)
{
    double part = line->all.tail_share;
    if (what_is_so(w, line->kind)) {
        str_append(w->out, ": ");
        write_percent(w, fmin(part, 1));
        str_append(w->out, " of it ");
        str_append(w->out, what_is_so(w, line->kind));
        return;
    }
    str_append(w->out, " because of ");
    ledger_write_who(line, w->columns, w->utf8, w->out);
    write_way(w, line);
    if (part >= ALL_OF_IT)
        return;
    str_append(w->out, ", which has ");
    write_percent(w, part);
    str_append(w->out, " of it");
}

/* The percentiles are those of all intervals, as beside the headline; the tail's ledger is that of
 * the others. */
static void write_tail(const struct writing *w, const struct variance_report *others)
{
    const struct interval_summary *intervals = &w->report->tree->intervals;
    const struct ledger_line *line = first_of_tail(others->roots);
    str_append(w->out, "The slowest 1 % of ");
    write_target(w);
    str_printf(w->out, " (p99 %s, ", number_ns(intervals->p99_ns, w->utf8).text);
    str_printf(w->out, "%s p50) are slow",
               number_ratio(intervals->p99_ns / intervals->p50_ns).text);
    if (line && line->all.tail_share > 0)
        write_tail_line(w, line);
    str_append_char(w->out, '.');
}

static void write_apart(const struct writing *w)
{
    const struct variance_report of_others = *w->report->others;
    write_tail(w, &of_others);
    str_append(w->out, " Apart from that, ");
    outliers_write(w->report, w->columns, w->utf8, w->out);
    str_append_char(w->out, '.');
}

void headline_write(const struct variance_report *report, size_t columns, bool utf8,
                    struct str *out)
{
    struct writing w = {report, columns, utf8, out};
    const struct root_ledger *ledger = report->roots;
    if (write_nothing(&w))
        return;
    bool any = ledger->count && ledger->lines[0].all.share >= report->of->threshold;
    if (any && report->of->functions_timed == 0 && ledger->lines[0].kind == OWNER_OUTSIDE) {
        write_untimed(&w);
    } else if (report->others) {
        write_apart(&w);
    } else if (any) {
        write_first(&w, &ledger->lines[0]);
        write_next(&w, ledger);
        write_pair(&w);
    } else {
        write_none(&w);
    }
}
