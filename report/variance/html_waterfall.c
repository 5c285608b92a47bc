/* The waterfall leads from the mean interval to a slow one, part by part: every bar starts where
 * the last one stopped. */
#include "report/kit/interval_words.h"
#include "report/variance/html_parts.h"

#include <math.h>

#include "base/number.h"
#include "report/variance/factor_words.h"

enum { MOST_PARTS = 10, BAR_PIXELS = 24, THICK = 14 };

#define LEAST_PART 0.01 /* of what the slow ones are slower by */
#define LEAST_GAP 0.25  /* of the mean: else the scale does not begin at 0 */

struct waterfall {
    const struct tail_ledger *ledger;
    double from, to; /* of the scale, ns */
    struct str *out;
};

static double x_of(const struct waterfall *w, double ns)
{
    return fmin(fmax((ns - w->from) / (w->to - w->from) * 100, 0), 100);
}

static uint32_t parts_shown(const struct tail_ledger *ledger)
{
    uint32_t shown = 0;
    while (shown < ledger->count && shown < MOST_PARTS &&
           fabs(ledger->parts[shown].share) >= LEAST_PART)
        shown++;
    return shown + 1 == ledger->count ? ledger->count : shown;
}

static void set_scale(struct waterfall *w)
{
    double least = (double)w->ledger->mean_ns, most = least;
    for (uint32_t i = 0; i < w->ledger->count; i++) {
        least = fmin(least, (double)w->ledger->parts[i].to_ns);
        most = fmax(most, (double)w->ledger->parts[i].to_ns);
    }
    w->to = most;
    if (most - least < LEAST_GAP * (double)w->ledger->mean_ns)
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

static void write_part(struct waterfall *w, const struct variance_tree *tree,
                       const struct tail_part *part)
{
    struct str where = {0};
    node_write_place(&tree->nodes[part->node], &where);
    str_append(w->out, "<tr><td class=\"part\"><code>");
    html_short(w->out, part->name, 48);
    str_append(w->out, "</code> <small>");
    html_short(w->out, str_text(&where), 40);
    if (part->places > 1)
        str_printf(w->out, "%s%u places", where.length ? ", " : "", part->places);
    str_append(w->out, "</small></td>");
    write_step(w, part->from_ns, part->to_ns, part->share);
    str_release(&where);
}

static void write_rest(struct waterfall *w, uint32_t shown)
{
    const struct tail_ledger *ledger = w->ledger;
    double share = 0;
    if (shown == ledger->count)
        return;
    for (uint32_t i = shown; i < ledger->count; i++)
        share += ledger->parts[i].share;
    str_printf(w->out, "<tr><td class=\"part\">everything else <small>%u parts</small></td>",
               ledger->count - shown);
    write_step(w, ledger->parts[shown].from_ns, ledger->slow_ns, share);
}

static void write_rows(struct waterfall *w, const struct variance_report *report)
{
    const struct interval_summary *intervals = &report->tree->intervals;
    uint32_t shown = parts_shown(w->ledger);
    struct str slow = {0};
    tail_write_name(intervals, &slow);
    write_total(w, "all intervals", intervals->count, w->ledger->mean_ns, false);
    for (uint32_t i = 0; i < shown; i++)
        write_part(w, report->tree, &w->ledger->parts[i]);
    write_rest(w, shown);
    write_total(w, slow.data, intervals->tail_count, w->ledger->slow_ns, true);
    str_release(&slow);
}

void html_waterfall(const struct variance_report *report, struct str *out)
{
    const struct tail_ledger *ledger = report->tail;
    if (!ledger || ledger->count == 0 || ledger->slow_ns <= ledger->mean_ns)
        return;
    struct waterfall w = {.ledger = ledger, .out = out};
    set_scale(&w);
    str_printf(out,
               "<section><h2>What makes a slow interval slow</h2><p class=\"sub\">A slow one takes "
               "%s longer than the mean. ",
               number_ns((double)(ledger->slow_ns - ledger->mean_ns), true).text);
    str_append(out, "Each part starts where the one before it stopped, and they add up to the ns; "
                    "what a function waits for is its own. Dashed: shorter in slow ones.");
    if (w.from > 0)
        str_printf(out, " The scale begins at %s.", number_ns(w.from, true).text);
    str_append(out, "</p>\n<div class=\"wide\"><table class=\"waterfall\"><thead><tr><th>part</th>"
                    "<th class=\"n\">slower by</th><th class=\"n\">of it all</th><th></th></tr>"
                    "</thead><tbody>\n");
    write_rows(&w, report);
    str_append(out, "</tbody></table></div></section>\n");
}
