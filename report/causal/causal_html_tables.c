/* The table of targets, and those of the levels of one. */
#include <math.h>

#include "base/number.h"
#include "report/causal/causal_html_parts.h"

/* ---- which brings most ---- */

/* More is better: what is not told is 0, and what is not known comes last. */
static double benefit(const struct causal_change *change, enum causal_shown shown)
{
    if (!change->known || change->withheld)
        return -1e9;
    double gain = shown == SHOWN_THROUGHPUT ? change->value : -change->value;
    return change->differs ? fmin(gain, 1e9) : 0;
}

static void write_change(const struct causal *causal, const struct causal_part *part,
                         uint32_t level, enum causal_shown shown, struct str *out)
{
    struct causal_change change = causal_change_of(causal, part, level, shown);
    struct str text = {0}, reason = {0};
    bool drawn = causal_is_told(&change);
    causal_append_cell(&change, &text);
    causal_append_reason(causal, part, level, shown, &reason);
    str_printf(out, "<span class=\"%s\" title=\"",
               !drawn           ? "unknown"
               : change.differs ? "told"
                                : "untold");
    html_escape(out, reason.length ? reason.data : change.differs ? "" : "not told from 0");
    str_append(out, "\">");
    html_tied(out, text.data);
    str_append(out, "</span>");
    str_release(&text);
    str_release(&reason);
}

/* All levels lie in the cell; the script shows one of them, and half where there is none. */
static void write_cell(const struct causal *causal, const struct causal_part *part,
                       enum causal_shown shown, struct str *out)
{
    uint32_t first = causal_level_near(part, 0.5);
    struct causal_change change = {.known = false};
    if (first)
        change = causal_change_of(causal, part, first, shown);
    str_printf(out, "<td class=\"n change\" data-v=\"%.9g\">", benefit(&change, shown));
    for (uint32_t l = 1; l < part->samples.level_count; l++) {
        change = causal_change_of(causal, part, l, shown);
        str_printf(out, "<span data-level=\"%u\" data-benefit=\"%.9g\"%s>", l,
                   benefit(&change, shown), l == first ? "" : " hidden");
        write_change(causal, part, l, shown, out);
        str_append(out, "</span>");
    }
    str_append(out, "</td>");
}

static void write_target(const struct causal_page *page, uint32_t t, struct str *out)
{
    const struct causal *causal = page->causal;
    const struct causal_target *target = &causal->targets[t];
    struct str what = {0};
    causal_append_what(target, &what);
    str_printf(out, "<tr data-target=\"%u\"><td class=\"name\"><a href=\"#target-%u\">", t, t);
    html_short(out, what.data, 120);
    str_append(out, "</a></td>");
    html_number_cell(out, target->call_ns > 0 ? number_ns(target->call_ns, true).text : "",
                     target->call_ns);
    html_number_cell(out, number_percent_short(target->processors).text, target->processors);
    for (int s = 0; s < SHOWN_COUNT; s++)
        if (causal_is_shown(causal, s))
            write_cell(causal, &target->parts[0], s, out);
    str_append(out, "</tr>\n");
    str_release(&what);
}

static void write_levels_tool(const struct causal_part *part, struct str *out)
{
    uint32_t first = causal_level_near(part, 0.5);
    str_append(out, "<div class=\"tools\" id=\"levels\" hidden><span>faster by</span>");
    for (uint32_t l = 1; l < part->samples.level_count; l++)
        str_printf(out,
                   "<button type=\"button\" data-level=\"%u\" aria-pressed=\"%s\">%.0f\u00a0%%"
                   "</button>",
                   l, l == first ? "true" : "false", 100 * part->samples.levels[l].share);
    str_append(out, "</div>\n");
}

static void write_heads(const struct causal *causal, struct str *out)
{
    str_append(out, "<thead><tr><th>if this were faster</th>"
                    "<th class=\"n\" title=\"its mean, without a delay\">each</th>"
                    "<th class=\"n\" title=\"of one processor, or of the time, that it takes "
                    "without a delay\">busy</th>");
    for (int s = 0; s < SHOWN_COUNT; s++)
        if (causal_is_shown(causal, s))
            str_printf(out,
                       "<th class=\"n\" title=\"its change, with the 95 %% interval; the best "
                       "first\">%s</th>",
                       causal_shown_names[s]);
    str_append(out, "</tr></thead>");
}

void html_causal_targets(const struct causal_page *page, struct str *out)
{
    const struct causal *causal = page->causal;
    const struct causal_part *part = &causal->targets[0].parts[0];
    uint32_t level = causal_level_near(part, 0.5);
    str_append(out, "<section id=\"targets\"><h2>What would bring most</h2><p class=\"sub\">");
    str_printf(out,
               "What would change if it took <span id=\"level\">%.0f\u00a0%%</span> less time. "
               "Grey: not told from 0, or not known. A click on a head sorts, the curves too.</p>",
               level ? 100 * part->samples.levels[level].share : 50.0);
    write_levels_tool(part, out);
    str_append(out, "<div class=\"wide\"><table class=\"sortable\" id=\"target-table\">");
    write_heads(causal, out);
    str_append(out, "<tbody>\n");
    for (uint32_t t = 0; t < causal->target_count - causal->left_out; t++)
        write_target(page, t, out);
    str_append(out, "</tbody></table></div></section>\n");
}

/* ---- the levels of one ---- */

static void write_level(const struct causal *causal, const struct causal_part *part, uint32_t l,
                        struct str *out)
{
    const struct causal_level *level = &part->samples.levels[l];
    struct str share = {0};
    str_printf(&share, "%.0f %%", 100 * level->share);
    str_append(out, "<tr>");
    html_number_cell(out, share.data, level->share);
    html_number_cell(out, number_percent(level->dose).text, level->dose);
    html_number_cell(out, number_count(level->experiments).text, level->experiments);
    if (causal->intervals)
        html_number_cell(out, number_count(level->first[part->samples.blocks]).text,
                         (double)level->first[part->samples.blocks]);
    for (int s = 0; s < SHOWN_COUNT; s++) {
        if (!causal_is_shown(causal, s))
            continue;
        str_append(out, "<td class=\"n change\">");
        if (l)
            write_change(causal, part, l, s, out);
        else {
            struct str base = {0};
            causal_append_base(part, s, true, &base);
            html_escape(out, base.data);
            str_release(&base);
        }
        str_append(out, "</td>");
    }
    str_append(out, "</tr>\n");
    str_release(&share);
}

void html_causal_levels(const struct causal *causal, const struct causal_part *part,
                        struct str *out)
{
    str_append(out, "<details class=\"levels\"><summary>All levels in numbers</summary>"
                    "<div class=\"wide\"><table><thead><tr><th class=\"n\">faster by</th>"
                    "<th class=\"n\" title=\"of its time that really was gone\">really</th>"
                    "<th class=\"n\">experiments</th>");
    if (causal->intervals)
        str_append(out, "<th class=\"n\">intervals</th>");
    for (int s = 0; s < SHOWN_COUNT; s++)
        if (causal_is_shown(causal, s))
            str_printf(out, "<th class=\"n\">%s</th>", causal_shown_names[s]);
    str_append(out, "</tr></thead><tbody>\n");
    for (uint32_t l = 0; l < part->samples.level_count; l++)
        write_level(causal, part, l, out);
    str_append(out, "</tbody></table></div></details>\n");
}
