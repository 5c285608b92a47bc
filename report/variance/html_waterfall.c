/* The waterfall leads from the mean interval to a slow one, line by line of the root ledger: every
 * bar starts where the last one stopped. */
#include "report/kit/interval_words.h"
#include "report/variance/html_parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "report/variance/ledger_words.h"
#include "stats/exact_moments.h"

enum { MOST_PARTS = 10, BAR_PIXELS = 24, THICK = 14 };

#define LEAST_PART 0.01 /* of what the slow ones are slower by */
#define LEAST_GAP 0.25  /* of the mean: else the scale does not begin at 0 */

struct step {
    uint32_t line; /* of the ledger */
    double share;
    int64_t from_ns, to_ns;
};

struct waterfall {
    const struct variance_tree *tree;
    const struct root_ledger *ledger;
    struct step *steps; /* the largest first, either way */
    int64_t mean_ns, slow_ns;
    double from, to; /* of the scale, ns */
    struct str *out;
};

static int step_order(const void *a, const void *b)
{
    const struct step *s = a, *t = b;
    double x = fabs(s->share), y = fabs(t->share);
    return x != y ? (x < y ? 1 : -1) : s->line < t->line ? -1 : s->line > t->line;
}

/* The total after some lines is what these take of a slow interval and the others of a mean one. */
static void set_steps(struct waterfall *w)
{
    uint64_t n = w->tree->intervals.count, slow = w->tree->intervals.tail_count;
    __int128 others = w->tree->nodes[0].moments.sum, tail = 0;
    for (uint32_t i = 0; i < w->ledger->count; i++)
        w->steps[i] = (struct step){.line = i, .share = w->ledger->lines[i].all.tail_share};
    if (w->ledger->count)
        qsort(w->steps, w->ledger->count, sizeof *w->steps, step_order);
    w->mean_ns = w->slow_ns = llround(exact_mean(n, others));
    for (uint32_t i = 0; i < w->ledger->count; i++) {
        const struct ledger_line *line = &w->ledger->lines[w->steps[i].line];
        others -= line->all.sum;
        tail += line->all.tail;
        w->steps[i].from_ns = w->slow_ns;
        w->steps[i].to_ns = llround(exact_mean(n, others) + exact_mean(slow, tail));
        w->slow_ns = w->steps[i].to_ns;
    }
}

static double x_of(const struct waterfall *w, double ns)
{
    return fmin(fmax((ns - w->from) / (w->to - w->from) * 100, 0), 100);
}

static uint32_t steps_shown(const struct waterfall *w)
{
    uint32_t shown = 0;
    while (shown < w->ledger->count && shown < MOST_PARTS &&
           fabs(w->steps[shown].share) >= LEAST_PART)
        shown++;
    return shown + 1 == w->ledger->count ? w->ledger->count : shown;
}

static void set_scale(struct waterfall *w)
{
    double least = (double)w->mean_ns, most = least;
    for (uint32_t i = 0; i < w->ledger->count; i++) {
        least = fmin(least, (double)w->steps[i].to_ns);
        most = fmax(most, (double)w->steps[i].to_ns);
    }
    w->to = most;
    if (most - least < LEAST_GAP * (double)w->mean_ns)
        w->from = fmax(least - (most - least) / 2, 0);
}

/* A hair line leads from the row above, and to the row below. */
static void write_bar(struct waterfall *w, const char *kind, double from, double to, bool last)
{
    double x = x_of(w, fmin(from, to)), right = x_of(w, fmax(from, to)), end = x_of(w, to);
    double y = (BAR_PIXELS - THICK) / 2.0;
    str_printf(w->out,
               "<td class=\"flow\"><svg class=\"drawing\" height=\"%d\" aria-hidden=\"true\">",
               BAR_PIXELS);
    if (!last)
        str_printf(w->out,
                   "<line class=\"flow\" x1=\"%.3f%%\" x2=\"%.3f%%\" y1=\"%.0f\" y2=\"%d\"/>", end,
                   end, y, BAR_PIXELS);
    if (from != w->from)
        str_printf(w->out,
                   "<line class=\"flow\" x1=\"%.3f%%\" x2=\"%.3f%%\" y1=\"0\" y2=\"%.0f\"/>",
                   x_of(w, from), x_of(w, from), y + THICK);
    str_printf(
        w->out,
        "<rect class=\"%s\" x=\"%.3f%%\" y=\"%.0f\" width=\"%.3f%%\" height=\"%d\"/></svg></td>",
        kind, x, y, fmax(right - x, 0.15), THICK);
}

static void write_signed(struct waterfall *w, int64_t ns)
{
    str_printf(w->out, "<td class=\"n\" title=\"%lld ns\">%s%s</td>", (long long)ns,
               ns > 0   ? "+"
               : ns < 0 ? "-"
                        : "",
               number_ns(fabs((double)ns), true).text);
}

static void write_total(struct waterfall *w, const char *name, uint64_t intervals, int64_t ns,
                        bool last)
{
    str_printf(w->out, "<tr class=\"total\"><td class=\"part\">%s <small>mean of %s</small></td>",
               name, number_count(intervals).text);
    str_printf(w->out, "<td class=\"n\" title=\"%lld ns\">%s</td><td></td>", (long long)ns,
               number_ns((double)ns, true).text);
    write_bar(w, "total", w->from, (double)ns, last);
    str_append(w->out, "</tr>\n");
}

static void write_step(struct waterfall *w, int64_t from_ns, int64_t to_ns, double share)
{
    write_signed(w, to_ns - from_ns);
    html_number_cell(w->out, number_percent_short(share).text, share);
    write_bar(w, to_ns < from_ns ? "less" : "more", (double)from_ns, (double)to_ns, false);
    str_append(w->out, "</tr>\n");
}

static void write_line(struct waterfall *w, const struct step *step)
{
    str_printf(w->out, "<tr><td class=\"part\"><i class=\"swatch w%u\"></i> ",
               ledger_shade(w->ledger, step->line));
    ledger_write_name(&w->ledger->lines[step->line], w->out);
    str_append(w->out, "</td>");
    write_step(w, step->from_ns, step->to_ns, step->share);
}

static void write_rest(struct waterfall *w, uint32_t shown)
{
    uint32_t left = w->ledger->count - shown;
    double share = 0;
    if (!left)
        return;
    for (uint32_t i = shown; i < w->ledger->count; i++)
        share += w->steps[i].share;
    str_printf(w->out, "<tr><td class=\"part\"><i class=\"swatch w0\"></i> %u more</td>", left);
    write_step(w, w->steps[shown].from_ns, w->slow_ns, share);
}

static void write_rows(struct waterfall *w)
{
    const struct interval_summary *intervals = &w->tree->intervals;
    uint32_t shown = steps_shown(w);
    struct str slow = {0};
    tail_write_name(intervals, &slow);
    write_total(w, "all intervals", intervals->count, w->mean_ns, false);
    for (uint32_t i = 0; i < shown; i++)
        write_line(w, &w->steps[i]);
    write_rest(w, shown);
    write_total(w, slow.data, intervals->tail_count, w->slow_ns, true);
    str_release(&slow);
}

static void write_section(struct waterfall *w)
{
    double slower_ns = (double)(w->slow_ns - w->mean_ns);
    set_scale(w);
    str_printf(w->out,
               "<section id=\"waterfall\"><h2>What makes a slow interval slow</h2><p class=\"sub\">"
               "100&nbsp;%% is the %s that a slow one takes longer than the mean. ",
               number_ns(slower_ns, true).text);
    str_append(w->out, "Each line of the root ledger starts where the one before it stopped, and "
                       "they add up to the ns. Dashed: shorter in slow ones.");
    if (w->from > 0)
        str_printf(w->out, " The scale begins at %s.", number_ns(w->from, true).text);
    str_append(w->out,
               "</p>\n<div class=\"wide\"><table class=\"waterfall\"><thead><tr><th>who</th>"
               "<th class=\"n\">slower by</th><th class=\"n\">of it all</th><th></th></tr>"
               "</thead><tbody>\n");
    write_rows(w);
    str_append(w->out, "</tbody></table></div></section>\n");
}

void html_waterfall(const struct variance_report *report, struct str *out)
{
    struct waterfall w = {.tree = report->tree, .ledger = report->roots, .out = out};
    if (!report->roots || !report->roots->count)
        return;
    w.steps = memory_zeroed(sizeof *w.steps * w.ledger->count);
    set_steps(&w);
    if (w.slow_ns > w.mean_ns)
        write_section(&w);
    memory_free(w.steps);
}
