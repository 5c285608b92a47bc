#include "report/variance/text_parts.h"

#include <math.h>

#include "base/number.h"
#include "report/variance/factor_words.h"
#include "report/variance/outline.h"

enum { RANK = 3, KIND = 10, PERCENT = 8, RANGE = 17, HEIGHT = 6, SITES = 5, MOST_ROWS = 10 };

static bool with_range(const struct terminal *terminal)
{
    return terminal->style.columns >= 76;
}

static bool with_details(const struct terminal *terminal)
{
    return terminal->style.columns >= 90;
}

static size_t name_columns(const struct terminal *terminal)
{
    size_t used = 2 + RANK + 2 + 2 + PERCENT + 1 + PERCENT + 1 + PERCENT;
    if (with_range(terminal))
        used += 2 + RANGE;
    if (with_details(terminal))
        used += 2 + KIND + 1 + HEIGHT + 1 + SITES;
    return terminal->style.columns - used;
}

static void field(struct terminal *terminal, const char *gap, const char *text, size_t columns)
{
    terminal_text(terminal, gap);
    terminal_right(terminal, text, columns);
}

/* Covariances that take variance away are last in the ranking: text_pairs tells of them. */
static bool worth_a_row(const struct factor *factor)
{
    return fabs(factor->contribution) >= TEXT_LEAST &&
           (factor->kind == FACTOR_VARIANCE || factor->contribution > 0);
}

static void draw_titles(struct terminal *terminal)
{
    bool wide = with_details(terminal);
    terminal_text(terminal, "  ");
    terminal_paint(terminal, PAINT_STRONG);
    terminal_left(terminal, "FACTORS", RANK + 2 + name_columns(terminal));
    terminal_paint(terminal, PAINT_PLAIN);
    if (wide) {
        terminal_text(terminal, "  ");
        terminal_left(terminal, "kind", KIND);
    }
    field(terminal, "  ", "contrib.", PERCENT);
    if (with_range(terminal))
        field(terminal, "  ", "95 % interval", RANGE);
    field(terminal, " ", "share", PERCENT);
    field(terminal, " ", "of tail", PERCENT);
    if (wide) {
        field(terminal, " ", "height", HEIGHT);
        field(terminal, " ", "sites", SITES);
    }
    terminal_end_line(terminal);
}

static void draw_range(struct terminal *terminal, const struct variance_report *report,
                       const struct factor *factor)
{
    struct str range = {0};
    if (factors_steady(report) && isfinite(factor->ci95[0]) && isfinite(factor->ci95[1]))
        str_printf(&range, "%s %s %s%s", number_points(factor->ci95[0]).text,
                   terminal_either(terminal, "\u2026", ".."), number_points(factor->ci95[1]).text,
                   factor_doubtful(factor) ? " ?" : "  ");
    field(terminal, "  ", range.length ? range.data : "-  ", RANGE);
    str_release(&range);
}

static void draw_factor(struct terminal *terminal, const struct variance_report *report,
                        const struct factor *factor)
{
    char text[24];
    struct str name = {0};
    bool wide = with_details(terminal), doubtful = factor_doubtful(factor);
    snprintf(text, sizeof text, "%u", factor->rank);
    field(terminal, "  ", text, RANK);
    terminal_text(terminal, "  ");
    factor_write_name(factor, name_columns(terminal), terminal->style.utf8, &name);
    terminal_paint(terminal, doubtful                          ? PAINT_FAINT
                             : factor_selected(report, factor) ? PAINT_STRONG
                                                               : PAINT_PLAIN);
    terminal_left(terminal, str_text(&name), name_columns(terminal));
    if (wide) {
        terminal_text(terminal, "  ");
        terminal_left(terminal, factor->kind == FACTOR_VARIANCE ? "variance" : "covariance", KIND);
    }
    terminal_paint(terminal, PAINT_PLAIN);
    field(terminal, "  ", number_percent(factor->contribution).text, PERCENT);
    if (with_range(terminal))
        draw_range(terminal, report, factor);
    bool pair = factor->kind == FACTOR_COVARIANCE; /* its shares are those of the two functions */
    field(terminal, " ", pair ? "-" : number_percent(factor->share).text, PERCENT);
    field(terminal, " ", pair ? "-" : number_percent(factor->tail_share).text, PERCENT);
    if (wide) {
        snprintf(text, sizeof text, "%u", factor->height);
        field(terminal, " ", text, HEIGHT);
        field(terminal, " ", number_count(factor->site_count).text, SITES);
    }
    terminal_end_line(terminal);
    str_release(&name);
}

/* One sentence for each factor that was experimented with. */
static void draw_mendings(struct terminal *terminal, const struct variance_report *report)
{
    bool any = false;
    for (uint32_t i = 0; i < factor_count(report); i++) {
        const struct factor *factor = &report->factors->factors[i];
        const char *mending = factor_mending(report, factor);
        if (!mending)
            continue;
        if (!any)
            terminal_wrap(terminal, "  ", "What mending a factor would bring (vprofiler causal):");
        struct str text = {0};
        str_printf(&text, "%u  %s", factor->rank, mending);
        terminal_wrap(terminal, "    ", text.data);
        str_release(&text);
        any = true;
    }
    if (any)
        terminal_end_line(terminal);
}

void text_factors(const struct variance_report *report, struct terminal *terminal)
{
    uint32_t count = factor_count(report), rows = 0, left = 0;
    bool doubt = false;
    if (count == 0 || !outline_varies(report->tree))
        return;
    draw_titles(terminal);
    for (uint32_t i = 0; i < count; i++) {
        const struct factor *factor = &report->factors->factors[i];
        bool worth = worth_a_row(factor);
        if (i < report->of->top || (rows < MOST_ROWS && worth)) {
            draw_factor(terminal, report, factor);
            doubt = doubt || factor_doubtful(factor);
            rows++;
        } else {
            left += worth;
        }
    }
    struct str note = {0};
    if (left)
        str_printf(&note, "%u more of at least 1 %% in report.json.", left);
    if (doubt)
        str_printf(&note, "%s? the interval holds 0: this may be noise.", left ? "  " : "");
    if (note.length)
        terminal_wrap(terminal, "     ", note.data);
    terminal_end_line(terminal);
    draw_mendings(terminal, report);
    str_release(&note);
}
