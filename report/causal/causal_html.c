#include "base/number.h"
#include "report/causal/causal_html_parts.h"
#include "report/causal/causal_report.h"
#include "report/causal/causal_second.h"
#include "report/causal/causal_trust.h"

enum { TICKS = 8 };

static const char *command_of(const struct causal_page *page)
{
    return page->origin.command ? page->origin.command : "vprofiler causal";
}

static void write_headline(const struct causal_page *page, struct str *out)
{
    const struct causal *causal = page->causal;
    struct str seen = {0}, text = {0};
    str_printf(&seen, "%s experiment%s in %.0f s", number_count(causal->experiments).text,
               number_plural(causal->experiments), causal->seconds);
    causal_headline(causal, &text);
    html_header(command_of(page), seen.data, str_text(&text), page->doubts, out);
    str_release(&seen);
    str_release(&text);
}

/* ---- scales ---- */

/* The rate has a scale of its own; latencies share one, over all targets, so that they can be compared. */
struct scales {
    struct drawn_scale rate, latency;
};

static struct drawn_scale scale_of(const struct causal *causal, bool rate)
{
    struct drawn_scale all = {0, 0, 0};
    for (uint32_t t = 0; t < causal->target_count - causal->left_out; t++)
        for (int s = 0; s < SHOWN_COUNT; s++) {
            if ((s == SHOWN_THROUGHPUT) != rate)
                continue;
            struct drawn_curve curve = drawn_curve_of(causal, &causal->targets[t].parts[0], s);
            struct drawn_scale one = drawn_scale_of(&curve, 1, TICKS);
            drawn_scale_join(&all, &one, TICKS);
        }
    return all;
}

/* ---- a target ---- */

static void write_curves(const struct causal *causal, const struct causal_part *part,
                         const struct scales *scales, struct str *out)
{
    str_append(out, "<div class=\"curves\">\n");
    for (int s = 0; s < SHOWN_COUNT; s++) {
        if (!causal_is_shown(causal, s))
            continue;
        struct drawn_curve curve = drawn_curve_of(causal, part, s);
        html_causal_curve(causal, part, &curve,
                          s == SHOWN_THROUGHPUT ? &scales->rate : &scales->latency, out);
    }
    str_append(out, "</div>\n");
    html_causal_levels(causal, part, out);
}

static void write_type(const struct causal *causal, const struct causal_part *part,
                       const struct scales *scales, struct str *out)
{
    const struct causal_samples *samples = &part->samples;
    uint64_t count = 0;
    for (uint32_t l = 0; l < samples->level_count; l++)
        count += samples->levels[l].first[samples->blocks];
    str_append(out, "<details class=\"type\"><summary>of type <b>");
    html_short(out, part->type, 80);
    str_printf(out, "</b>, %s interval%s</summary>\n", number_count(count).text,
               number_plural(count));
    write_curves(causal, part, scales, out);
    str_append(out, "</details>\n");
}

static bool hurts(const struct causal_target *target)
{
    for (int m = 0; m < CAUSAL_METRICS; m++)
        if (target->parts[0].hurts[m])
            return true;
    return false;
}

static void write_shape(const struct causal *causal, const struct causal_target *target,
                        struct str *out)
{
    struct str shape = {0};
    causal_append_shape(causal, target, &shape);
    if (shape.length) {
        str_printf(out, "<p class=\"shape%s\">", hurts(target) ? " hurts" : "");
        html_tied(out, shape.data);
        str_append(out, "</p>\n");
    }
    str_release(&shape);
}

static void write_second(const struct causal *causal, const struct causal_target *target,
                         struct str *out)
{
    struct str text = {0};
    causal_append_second(causal, target, &text);
    if (text.length) {
        str_append(out, "<p class=\"second\">");
        html_tied(out, text.data);
        str_append(out, "</p>\n");
    }
    str_release(&text);
}

static void write_target(const struct causal_page *page, uint32_t t, const struct scales *scales,
                         struct str *out)
{
    const struct causal_target *target = &page->causal->targets[t];
    struct str name = {0};
    causal_append_target(target, &name);
    str_printf(out, "<section class=\"target\" id=\"target-%u\" data-target=\"%u\"><h2>", t, t);
    html_tied(out, name.data);
    if (page->places && page->places[t]) {
        str_append_char(out, ' ');
        html_place(out, page->places[t]);
    }
    str_append(out, "</h2>\n");
    write_shape(page->causal, target, out);
    write_second(page->causal, target, out);
    write_curves(page->causal, &target->parts[0], scales, out);
    for (uint32_t p = 1; p < target->part_count; p++)
        write_type(page->causal, &target->parts[p], scales, out);
    str_append(out, "</section>\n");
    str_release(&name);
}

/* ---- the whole ---- */

static void write_key(const struct causal *causal, struct str *out)
{
    str_append(out,
               "<p class=\"note\" id=\"key\">Across: the part of its time that is gone; up: the "
               "change. Filled points differ from 0 (<i class=\"better\"></i> better, "
               "<i class=\"worse\"></i> worse), hollow ones are not told from 0. "
               "<i class=\"band\"></i> 95\u00a0% intervals; the line is fitted. "
               "<i class=\"kink\"></i> where it bends: something else takes over from there. "
               "<i class=\"again\"></i> the recorded run, worked out again. ");
    str_append(out,
               causal->intervals ? "Latencies of all targets have one scale.</p>\n" : "</p>\n");
}

static void write_made(const struct causal_page *page, struct str *out)
{
    struct str text = {0};
    causal_append_made(page->causal, &text);
    str_append(out, "<section><h2>How it was found</h2><p>");
    html_tied(out, text.data);
    str_append(out, "</p><p class=\"note\">While a target ran, everything else was slowed down: "
                    "what is left of the time is as if the target had been faster. "
                    "<code>profile.coz</code> beside this page opens in Coz's own viewer.</p>"
                    "</section>\n");
    str_release(&text);
}

/* What a choice among many targets left out. */
static void write_left_out(const struct causal *causal, struct str *out)
{
    struct str text = {0};
    for (uint32_t t = causal->target_count - causal->left_out; t < causal->target_count; t++) {
        str_clear(&text);
        causal_append_left_out(causal, &causal->targets[t], &text);
        str_append(out, "<p class=\"left\">");
        html_tied(out, text.data);
        str_append(out, "</p>\n");
    }
    str_release(&text);
}

void causal_write_html(const struct causal_page *page, struct str *out)
{
    const char *const styles[] = {report_css, drawings_css, causal_css, NULL};
    const char *const scripts[] = {report_js, causal_js, NULL};
    struct scales scales = {scale_of(page->causal, true), scale_of(page->causal, false)};
    html_page_begin(out, command_of(page), styles);
    write_headline(page, out);
    html_causal_targets(page, out);
    write_key(page->causal, out);
    str_printf(out, "<div id=\"all\"%s>\n", page->causal->intervals ? "" : " class=\"rate\"");
    for (uint32_t t = 0; t < page->causal->target_count - page->causal->left_out; t++)
        write_target(page, t, &scales, out);
    str_append(out, "</div>\n");
    write_left_out(page->causal, out);
    write_made(page, out);
    html_paper_doubts(page->doubts->items, page->doubts->count, out);
    html_origin(&page->origin, "causal", out);
    html_page_end(out, scripts);
}
