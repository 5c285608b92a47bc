/* Dumbbells: a ring for A, a disc for B, and about B the interval of the change. Each metric has a
 * scale of its own that its rows share, so a function's length is a part of the latency's.
 *
 *     latency    ·······O=========[--●--]      the band about A is what the margin allows
 *     lock       ····O==[●]
 */
#include "report/variance/compare_html.h"

#include <math.h>

#include "report/kit/axis.h"

enum { NAME_COLUMNS = 60, MOST_TICKS = 6 };

/* The scale goes so far beyond the greatest value, and cuts longer intervals. */
#define ROOM 1.25
#define CLOSE 15 /* percent: labels would overlap */

struct scale {
    enum metric metric;
    double from, to;
    double whole; /* A's latency, that a factor's change is a part of */
};

static double place(const struct scale *scale, double value)
{
    return 100 * fmin(fmax((value - scale->from) / (scale->to - scale->from), 0), 1);
}

/* The value that B would have, were the change this one. */
static double value_of(const struct scale *scale, const struct change *change, double apart)
{
    return change->a + apart * scale->whole;
}

static bool is_drawn(const struct change *change)
{
    return change->applies && isfinite(change->a) && isfinite(change->b);
}

static bool scale_init(struct scale *scale, const struct comparison *comparison, enum metric metric)
{
    double least = 0, most = 0;
    for (uint32_t r = 0; r < comparison->row_count; r++) {
        const struct change *change = &comparison->rows[r].changes[metric];
        if (!is_drawn(change))
            continue;
        least = fmin(least, fmin(change->a, change->b));
        most = fmax(most, fmax(change->a, change->b));
    }
    *scale =
        (struct scale){metric, ROOM * least, ROOM * most, comparison->rows[0].changes[metric].a};
    return scale->to > scale->from;
}

static void draw_span(const struct scale *scale, const char *kind, double from, double to,
                      struct str *out)
{
    double left = place(scale, fmin(from, to)), right = place(scale, fmax(from, to));
    str_printf(out, "<i class=\"%s%s\" style=\"left:%.3f%%;width:%.3f%%\"></i>", kind,
               fmax(from, to) > scale->to ? " cut" : "", left, right - left);
}

static void draw_dumbbell(const struct scale *scale, const struct change *change, struct str *out)
{
    const double *interval = change_shown(change);
    str_append(out, "<div class=\"bell\">");
    if (change->verdict)
        draw_span(scale, "margin", value_of(scale, change, change->margins[0]),
                  value_of(scale, change, change->margins[1]), out);
    draw_span(scale, "bond", change->a, change->b, out);
    if (change->gap == GAP_NONE)
        draw_span(scale, "ci95", value_of(scale, change, interval[0]),
                  value_of(scale, change, interval[1]), out);
    str_printf(out,
               "<i class=\"dot a\" style=\"left:%.3f%%\"></i><i class=\"dot b\" "
               "style=\"left:%.3f%%\"></i></div>",
               place(scale, change->a), place(scale, change->b));
}

static void write_range(const struct change *change, enum metric metric, struct str *out)
{
    struct str text = {0};
    str_printf(&text, "%s (", change_number(change->change).text);
    if (change->gap == GAP_NONE)
        change_write_range(change, true, &text);
    else
        change_write_gap(change, metric, &text);
    str_append_char(&text, ')');
    html_tied(out, str_text(&text));
    str_release(&text);
}

static void draw_row(const struct scale *scale, const struct comparison_row *row, struct str *out)
{
    const struct change *change = &row->changes[scale->metric];
    const char *key = verdict_key(change->verdict);
    struct str name = {0};
    if (!is_drawn(change))
        return;
    row_write_name(row, NAME_COLUMNS, true, &name);
    str_append(out, "<tr><td class=\"name\">");
    html_escape(out, str_text(&name));
    str_append(out, "</td><td class=\"flow\">");
    draw_dumbbell(scale, change, out);
    str_append(out, "</td><td class=\"n\">");
    write_range(change, scale->metric, out);
    str_printf(out, "</td><td class=\"%s\">%s</td></tr>\n", key ? key : "",
               key ? verdict_name(change->verdict) : "");
    str_release(&name);
}

/* Ticks of a variance would be of squares: its scale has the two ends of A's alone. */
static void draw_axis(const struct scale *scale, struct str *out)
{
    struct axis axis = {scale->from, scale->to, false};
    struct axis_tick ticks[AXIS_TICKS];
    bool squared = scale->metric == METRIC_VARIANCE;
    uint32_t count = squared ? 0 : axis_ticks(&axis, MOST_TICKS, true, ticks);
    str_append(out, "<tr class=\"ticks\"><td></td><td class=\"flow\"><div class=\"bell\">");
    for (uint32_t i = 0; i < count; i++)
        str_printf(out, "<span style=\"left:%.3f%%\">%s</span>", place(scale, ticks[i].ns),
                   ticks[i].label.text);
    if (squared)
        str_printf(out, "<span style=\"left:%.3f%%\">0</span>", place(scale, 0));
    if (squared && place(scale, scale->whole) > place(scale, 0) + CLOSE)
        str_printf(out, "<span style=\"left:%.3f%%\">A's: 100\u00a0%%</span>",
                   place(scale, scale->whole));
    str_append(out, "</div></td><td></td><td></td></tr>\n");
}

void html_compare_dumbbells(const struct comparison *comparison, struct str *out)
{
    static const char *const titles[] = {"mean", "variance", "p99"};
    str_append(out, "<section class=\"dumbbells\"><h2>From A to B</h2><p class=\"sub\">"
                    "<i class=\"dot a\"></i>A <i class=\"dot b\"></i>B, with the 95\u00a0% "
                    "interval of the change. The band about A is what the margin allows. A "
                    "function's change is a part of the latency's.</p>\n");
    for (enum metric m = 0; m < METRIC_JUDGED; m++) {
        struct scale scale;
        if (!scale_init(&scale, comparison, m))
            continue;
        str_printf(out, "<div class=\"wide\"><table class=\"bells\"><caption>%s</caption><tbody>\n",
                   titles[m]);
        for (uint32_t r = 0; r < comparison->row_count; r++)
            draw_row(&scale, &comparison->rows[r], out);
        draw_axis(&scale, out);
        str_append(out, "</tbody></table></div>\n");
    }
    str_append(out, "</section>\n");
}
