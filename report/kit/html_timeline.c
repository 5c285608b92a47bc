/* An interval stands as a timeline on a scale of its own: a lane for each thread, arrows for who let whom go on.
 *
 *     thread 4711   ==========================           worked for the interval
 *                   |-serve-----------------|
 *                     |-blocked: lock-------|
 *                                         ^
 *     thread 4712   |-compact-------------|--            hatched: what the waker did
 */
#include "report/kit/html_parts.h"

#include <math.h>

#include "base/memory.h"
#include "base/number.h"
#include "interval/track.h"
#include "report/kit/axis.h"

enum {
    MOST_DEPTH = 6,
    ROW_PIXELS = 19,
    BAND_PIXELS = 6, /* says when the thread worked for the interval */
    GAP_PIXELS = 22, /* between lanes, for arrows */
    AXIS_PIXELS = 22
};

#define LEFT 15.0 /* percent of the width: the names of the lanes */
#define WIDTH 83.5
#define LEAST_NAMED 3.0 /* percent: a narrower call has no name */
#define LEAST_TOLD 12.0 /* an arrow that is as long says how long */

struct lane {
    struct track_span *spans;
    size_t count;
    uint32_t rows;
    double top; /* pixels */
};

struct drawing {
    const struct track_view *view;
    struct axis axis;
    struct lane *lanes;
    double height;
    uint32_t too_deep;
    bool processes; /* several */
    struct str *out;
};

static double x_of(const struct drawing *d, int64_t ns)
{
    return LEFT + WIDTH * axis_at(&d->axis, (double)ns);
}

static void drawing_init(struct drawing *d, const struct track_view *view, double scale_ns,
                         struct str *out)
{
    *d = (struct drawing){.view = view, .axis = {0, scale_ns, false}, .out = out};
    d->lanes = memory_zeroed(sizeof *d->lanes * (view->track_count + 1));
    d->height = 4;
    for (uint32_t i = 0; i < view->track_count; i++) {
        struct lane *lane = &d->lanes[i];
        lane->spans = track_spans(&view->tracks[i], &lane->count);
        lane->rows = 1;
        for (size_t k = 0; k < lane->count; k++) {
            uint32_t depth = lane->spans[k].depth;
            d->too_deep += depth >= MOST_DEPTH;
            if (depth < MOST_DEPTH && depth + 1 > lane->rows)
                lane->rows = depth + 1;
        }
        lane->top = d->height;
        d->height += BAND_PIXELS + lane->rows * ROW_PIXELS + GAP_PIXELS;
        d->processes = d->processes || view->tracks[i].pid != view->tracks[0].pid;
    }
    d->height += AXIS_PIXELS - GAP_PIXELS;
}

static void drawing_release(struct drawing *d)
{
    for (uint32_t i = 0; i < d->view->track_count; i++)
        memory_free(d->lanes[i].spans);
    memory_free(d->lanes);
}

static double lane_bottom(const struct lane *lane)
{
    return lane->top + BAND_PIXELS + lane->rows * ROW_PIXELS;
}

static void write_lane_name(const struct drawing *d, const struct track *track)
{
    if (d->processes && track->pid == track->tid)
        str_printf(d->out, "process %u", track->pid);
    else if (d->processes)
        str_printf(d->out, "process %u, thread %u", track->pid, track->tid);
    else
        str_printf(d->out, "thread %u", track->tid);
}

static void draw_grid(struct drawing *d)
{
    struct axis_tick ticks[AXIS_TICKS];
    uint32_t count = axis_ticks(&d->axis, 10, true, ticks);
    double bottom = d->height - AXIS_PIXELS + 4;
    for (uint32_t i = 0; i < count; i++) {
        double x = LEFT + WIDTH * axis_at(&d->axis, ticks[i].ns);
        str_printf(d->out,
                   "<line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" y2=\"%.0f\"/>"
                   "<text x=\"%.2f%%\" y=\"%.0f\" class=\"middle%s\">%s</text>\n",
                   x, x, bottom, x, bottom + 13, i % 2 ? " minor" : "", ticks[i].label.text);
    }
    double end = x_of(d, d->view->latency_ns);
    str_printf(d->out, "<line class=\"mark\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" y2=\"%.0f\"/>\n",
               end, end, bottom);
}

/* A span is for the interval where most of it lies within a time in which the thread worked for
 * it. */
static bool for_interval(const struct track *track, const struct track_span *span)
{
    int64_t inside = 0;
    for (size_t i = 0; i < track->worked_count; i++) {
        int64_t lo = track->worked[i].start_ns, hi = track->worked[i].end_ns;
        lo = lo > span->start_ns ? lo : span->start_ns;
        hi = hi < span->end_ns ? hi : span->end_ns;
        inside += hi > lo ? hi - lo : 0;
    }
    return 2 * inside > span->end_ns - span->start_ns;
}

/* A span's class tells how the call stands to the interval. */
static const char *span_class(const struct track *track, const struct track_span *span)
{
    bool inside = for_interval(track, span);
    if (track->worked_count == 0)
        return span->blocked ? "wait waker" : "call waker";
    return span->blocked ? inside ? "wait" : "wait aside" : inside ? "call" : "call aside";
}

static void draw_span(struct drawing *d, const struct track *track, const struct lane *lane,
                      const struct track_span *span)
{
    double x = x_of(d, span->start_ns), width = x_of(d, span->end_ns) - x;
    const char *class = span_class(track, span);
    str_printf(d->out,
               "<svg x=\"%.3f%%\" y=\"%.0f\" width=\"%.3f%%\" height=\"%d\" class=\"%s\"><title>",
               x, lane->top + BAND_PIXELS + span->depth * ROW_PIXELS, fmax(width, 0.08),
               ROW_PIXELS - 1, class);
    html_short(d->out, span->name, 120);
    str_printf(d->out, ": %s,", number_ns((double)(span->end_ns - span->start_ns), true).text);
    str_printf(d->out, " from %s</title><rect width=\"100%%\" height=\"100%%\" rx=\"2\"/>",
               number_ns((double)span->start_ns, true).text);
    if (track->worked_count == 0)
        str_append(d->out, "<line class=\"hatch\" x2=\"100%\" y1=\"9\" y2=\"9\"/>");
    if (width >= LEAST_NAMED) {
        str_append(d->out, "<text x=\"5\" y=\"13\">");
        html_short(d->out, span->name, (size_t)(width * 1.8));
        str_append(d->out, "</text>");
    }
    str_append(d->out, "</svg>\n");
}

static void draw_lane(struct drawing *d, uint32_t index)
{
    const struct track *track = &d->view->tracks[index];
    const struct lane *lane = &d->lanes[index];
    str_printf(d->out, "<text x=\"0\" y=\"%.0f\">", lane->top + BAND_PIXELS + 13);
    write_lane_name(d, track);
    str_printf(d->out,
               "</text>\n<rect class=\"lane\" x=\"%.2f%%\" y=\"%.0f\" width=\"%.2f%%\" "
               "height=\"%.0f\"/>\n",
               LEFT, lane->top + BAND_PIXELS, x_of(d, d->view->latency_ns) - LEFT,
               lane_bottom(lane) - lane->top - BAND_PIXELS);
    for (size_t i = 0; i < track->worked_count; i++) {
        double x = x_of(d, track->worked[i].start_ns);
        str_printf(d->out,
                   "<rect class=\"worked\" x=\"%.3f%%\" y=\"%.0f\" width=\"%.3f%%\" "
                   "height=\"%d\"><title>works for the interval</title></rect>\n",
                   x, lane->top, fmax(x_of(d, track->worked[i].end_ns) - x, 0.15), BAND_PIXELS - 2);
    }
    for (size_t i = 0; i < lane->count; i++)
        if (lane->spans[i].depth < MOST_DEPTH)
            draw_span(d, track, lane, &lane->spans[i]);
}

/* An arrow meets its target at the wait that it ends, else at the lane's edge. */
static double arrow_end(const struct drawing *d, const struct track_arrow *arrow, bool down)
{
    const struct lane *lane = &d->lanes[arrow->to];
    for (size_t i = 0; i < lane->count && !arrow->task; i++) {
        const struct track_span *span = &lane->spans[i];
        if (span->blocked && span->end_ns == arrow->to_ns && span->depth < MOST_DEPTH)
            return lane->top + BAND_PIXELS + span->depth * ROW_PIXELS + (down ? 0 : ROW_PIXELS - 1);
    }
    return down ? lane->top + BAND_PIXELS : lane_bottom(lane);
}

static void write_line(struct str *out, const char *class, double x, double y, double to_x,
                       double to_y)
{
    str_printf(out, "<line class=\"%s\" x1=\"%.3f%%\" y1=\"%.1f\" x2=\"%.3f%%\" y2=\"%.1f\"/>",
               class, x, y, to_x, to_y);
}

/* An arrow leaves its lane, runs along the gap beside the target's lane, and ends in that one. */
static void draw_arrow(struct drawing *d, const struct track_arrow *arrow)
{
    bool down = d->lanes[arrow->to].top > d->lanes[arrow->from].top;
    const struct lane *from = &d->lanes[arrow->from], *to = &d->lanes[arrow->to];
    const char *class = arrow->task ? "arrow task" : "arrow";
    struct number took = number_ns((double)(arrow->to_ns - arrow->from_ns), true);
    double x = x_of(d, arrow->from_ns), to_x = x_of(d, arrow->to_ns);
    double y = down ? lane_bottom(from) : from->top, end = arrow_end(d, arrow, down);
    double bend = down ? to->top - 7 : lane_bottom(to) + 8;
    str_printf(d->out, "<g><title>%s after %s</title>", arrow->task ? "task picked up" : "woken up",
               took.text);
    write_line(d->out, class, x, y, x, bend);
    write_line(d->out, class, x, bend, to_x, bend);
    write_line(d->out, class, to_x, bend, to_x, down ? end - 4 : end + 4);
    str_printf(d->out,
               "<svg class=\"head\" x=\"%.3f%%\" y=\"%.1f\"><path d=\"M0,0l-4,%dh8z\"/></svg>",
               to_x, end, down ? -7 : 7);
    if (to_x - x >= LEAST_TOLD)
        str_printf(d->out, "<text class=\"middle\" x=\"%.2f%%\" y=\"%.1f\">%s %s</text>",
                   (x + to_x) / 2, bend - 4, arrow->task ? "in the queue" : "until it ran",
                   took.text);
    str_append(d->out, "</g>\n");
}

static void draw(struct drawing *d)
{
    const struct track_view *view = d->view;
    str_printf(d->out,
               "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"timeline\"><svg "
               "class=\"drawing timeline\" height=\"%.0f\" role=\"img\" aria-label=\"Timeline of ",
               d->height);
    html_short(d->out, view->name, 80);
    str_printf(d->out, ": %u thread%s, %u wake-up%s and tasks; the table below says the same\">\n",
               view->track_count, number_plural(view->track_count), view->arrow_count,
               number_plural(view->arrow_count));
    draw_grid(d);
    for (uint32_t i = 0; i < view->track_count; i++)
        draw_lane(d, i);
    for (uint32_t i = 0; i < view->arrow_count; i++)
        draw_arrow(d, &view->arrows[i]);
    str_append(d->out, "</svg></div>\n");
}

static void write_span_row(struct drawing *d, uint32_t index, const struct track_span *span)
{
    double took = (double)(span->end_ns - span->start_ns);
    str_append(d->out, "<tr><td>");
    write_lane_name(d, &d->view->tracks[index]);
    str_printf(d->out, "</td><td class=\"name\" style=\"--depth:%u\">",
               span->depth < 24 ? span->depth : 24);
    html_short(d->out, span->name, 100);
    str_append(d->out, "</td>");
    html_number_cell(d->out, number_ns((double)span->start_ns, true).text, (double)span->start_ns);
    html_number_cell(d->out, number_ns(took, true).text, took);
    str_append(d->out, "<td></td></tr>\n");
}

static void write_arrow_row(struct drawing *d, const struct track_arrow *arrow)
{
    str_append(d->out, "<tr><td>");
    write_lane_name(d, &d->view->tracks[arrow->from]);
    str_printf(d->out, "</td><td class=\"name\">%s</td>", arrow->task ? "task queued" : "wake-up");
    html_number_cell(d->out, number_ns((double)arrow->from_ns, true).text, (double)arrow->from_ns);
    html_number_cell(d->out, number_ns((double)(arrow->to_ns - arrow->from_ns), true).text,
                     (double)(arrow->to_ns - arrow->from_ns));
    str_append(d->out, "<td>\u2192 ");
    write_lane_name(d, &d->view->tracks[arrow->to]);
    str_append(d->out, "</td></tr>\n");
}

static void write_table(struct drawing *d)
{
    str_append(d->out,
               "<details><summary>As a table</summary><div class=\"wide\"><table><thead><tr>"
               "<th>thread</th><th>what</th><th class=\"n\">from</th><th class=\"n\">took"
               "</th><th>to</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < d->view->track_count; i++)
        for (size_t k = 0; k < d->lanes[i].count; k++)
            write_span_row(d, i, &d->lanes[i].spans[k]);
    for (uint32_t i = 0; i < d->view->arrow_count; i++)
        write_arrow_row(d, &d->view->arrows[i]);
    str_append(d->out, "</tbody></table></div></details>\n");
}

static void write_left_out(const struct drawing *d)
{
    const struct track_view *view = d->view;
    struct str text = {0};
    if (view->left_out)
        str_printf(&text, "%s call%s or block%s below %s", number_count(view->left_out).text,
                   number_plural(view->left_out), number_plural(view->left_out),
                   number_ns((double)view->least_ns, true).text);
    if (d->too_deep)
        str_printf(&text, "%s%u calls that are deeper", text.length ? ", " : "", d->too_deep);
    if (view->left_out_tracks)
        str_printf(&text, "%s%u thread%s", text.length ? ", " : "", view->left_out_tracks,
                   number_plural(view->left_out_tracks));
    if (text.length)
        str_printf(d->out, " <small>\u00b7 not drawn: %s</small>", text.data);
    str_release(&text);
}

static void write_what(const struct track_view *view, struct str *out)
{
    html_escape(out, view->what);
    str_printf(out, " <span>%s</span> <small>\u00b7 interval %u",
               number_ns((double)view->latency_ns, true).text, view->number);
    if (view->type && view->type[0]) {
        str_append(out, ", type ");
        html_short(out, view->type, 60);
    }
    str_append(out, "</small>");
}

/* The first is open, the others are folded. */
static void write_view(const struct track_view *view, bool open, struct str *out)
{
    struct drawing d;
    drawing_init(&d, view, fmax((double)view->latency_ns, 1), out);
    str_append(out, open ? "<h3>" : "<details><summary><h3>");
    write_what(view, out);
    write_left_out(&d);
    str_append(out, open ? "</h3>\n" : "</h3></summary>\n");
    draw(&d);
    write_table(&d);
    str_append(out, open ? "" : "</details>\n");
    drawing_release(&d);
}

/* They come as a typical one, a slow one, the slowest: a slow one is told first. */
void html_timelines(const struct report *report, struct str *out)
{
    uint32_t first = report->timeline_count > 1;
    if (report->timeline_count == 0)
        return;
    str_append(out, "<section class=\"timelines\"><h2>A slow interval, thread by thread</h2><p "
                    "class=\"sub\">A lane is a thread; black above it: it works for the interval; "
                    "grey: not for it. Outlined: blocked, until another thread lets it go on "
                    "(arrow). Striped: what that one did meanwhile. Who was waited for stands "
                    "where the arrows come from. Dashed: a task in a queue.</p>\n");
    write_view(&report->timelines[first], true, out);
    for (uint32_t i = 0; i < report->timeline_count; i++)
        if (i != first)
            write_view(&report->timelines[i], false, out);
    str_append(out, "</section>\n");
}
