/* The root strip is the root ledger as one bar: all of the variance, by who does it.
 *
 *     |#### collect_stats 78 % ####|== parse 12 % ==|- 5 more 10 % -|
 */
#include "report/variance/html_parts.h"

#include <math.h>

#include "base/number.h"
#include "base/utf8.h"
#include "report/variance/factor_words.h"
#include "report/variance/ledger_words.h"
#include "report/variance/outline.h"

enum { MOST_PARTS = 7, NAME_COLUMNS = 60, WAY_COLUMNS = 60 };

struct strip {
    const struct variance_report *report;
    const struct root_ledger *ledger;
    uint32_t shown;  /* so many lines have a part of their own */
    double rest;     /* share of the others together */
    double positive; /* share of all parts that are wider than nothing */
    struct str *out;
};

uint32_t ledger_shade(const struct root_ledger *ledger, uint32_t line)
{
    uint32_t shade = 1;
    if (line >= ledger->count || ledger_line_doubtful(&ledger->lines[line]) ||
        ledger->lines[line].all.share < LEDGER_FOLDED)
        return 0;
    for (uint32_t i = 0; i < line; i++)
        shade += !ledger_line_doubtful(&ledger->lines[i]);
    return shade <= LEDGER_SHADES ? shade : 0;
}

static void strip_init(struct strip *strip, const struct variance_report *report, struct str *out)
{
    const struct root_ledger *ledger = report->roots;
    *strip = (struct strip){.report = report, .ledger = ledger, .out = out};
    while (strip->shown < ledger->count && strip->shown < MOST_PARTS &&
           ledger->lines[strip->shown].all.share >= LEDGER_FOLDED)
        strip->positive += ledger->lines[strip->shown++].all.share;
    for (uint32_t i = strip->shown; i < ledger->count; i++)
        strip->rest += ledger->lines[i].all.share;
    strip->positive += fmax(strip->rest, 0);
}

static void write_range(const struct strip *strip, const struct ledger_line *line, struct str *out)
{
    if (!factors_steady(strip->report) || !isfinite(line->ci95[0]) || !isfinite(line->ci95[1]))
        return;
    str_printf(out, " (95 %% interval %s \u2026 ", number_points(line->ci95[0]).text);
    str_printf(out, "%s%s)", number_percent(line->ci95[1]).text,
               ledger_line_doubtful(line) ? ": it may be noise" : "");
}

static bool is_told(const struct ledger_part *part)
{
    return ledger_part_is_told(part) && fabs(part->sums.share) >= LEDGER_FOLDED;
}

static uint32_t count_told(const struct ledger_line *line)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < line->part_count; i++)
        count += is_told(&line->parts[i]);
    return count;
}

static void write_wait(const struct strip *strip, const struct ledger_line *line,
                       const struct ledger_part *part, struct str *out)
{
    if (part->taker) {
        str_printf(out, "while %.60s has it", part->taker);
        return;
    }
    str_append(out, "while requests ");
    ledger_write_wait(strip->report->tree, part, NAME_COLUMNS, true, out);
    ledger_write_ending(strip->report->tree, line, part, NAME_COLUMNS, true, out);
    if (part->type)
        str_printf(out, ", for %.60s", part->type);
}

/* Writes "32 % own, 46 % while requests wait for table_lock, which it holds; calling usleep". */
static void write_how(const struct strip *strip, const struct ledger_line *line, struct str *out)
{
    const struct ledger_way *way = ledger_line_way(line);
    const char *between = "";
    uint32_t told = count_told(line);
    bool processor = line->kind == OWNER_PROCESSOR;
    bool waits = processor || fabs(line->waits.share) >= LEDGER_FOLDED;
    bool mixed = !processor && ledger_line_is_mixed(line);
    if (waits && mixed) {
        str_printf(out, "%s own", number_percent_short(line->own.share).text);
        between = ", ";
    } else if (!waits && line->kind == OWNER_FUNCTION) {
        str_append(out, "in requests themselves");
        between = ", ";
    }
    for (uint32_t i = 0; waits && i < line->part_count; i++) {
        if (!is_told(&line->parts[i]))
            continue;
        str_append(out, between);
        if (mixed || told > 1)
            str_printf(out, "%s ", number_percent_short(line->parts[i].sums.share).text);
        write_wait(strip, line, &line->parts[i], out);
        between = ", ";
    }
    if (waits && !told) {
        str_printf(out, "%s%s while requests wait for it", between,
                   number_percent_short(line->waits.share).text);
        between = ", ";
    }
    if (way) {
        str_append(out, *between ? "; " : "");
        ledger_write_way(way, WAY_COLUMNS, true, out);
    }
}

/* The tooltip has a line for each fact; without the script it is the browser's own. */
static void write_tip(const struct strip *strip, const struct ledger_line *line)
{
    struct str tip = {0};
    ledger_write_who(line, 2 * NAME_COLUMNS, true, &tip);
    str_printf(&tip, "\n%s of the variance", number_percent(line->all.share).text);
    write_range(strip, line, &tip);
    str_append(&tip, "\n");
    write_how(strip, line, &tip);
    str_printf(&tip, "\n%s of what slow ones are slower by",
               number_percent(line->all.tail_share).text);
    html_escape(strip->out, tip.data);
    str_release(&tip);
}

static void write_label(const struct strip *strip, const char *name, double share, bool doubtful)
{
    str_append(strip->out, "\"><b>");
    html_short(strip->out, name, NAME_COLUMNS);
    str_printf(strip->out, "</b> <span>%s%s</span></button>\n", number_percent_short(share).text,
               doubtful ? "&nbsp;?" : "");
}

static void open_part(const struct strip *strip, const char *name, uint32_t shade, double share)
{
    str_printf(strip->out,
               "<button type=\"button\" class=\"part w%u\" style=\"width:%.4f%%\" aria-label=\"",
               shade, 100 * share / strip->positive);
    html_short(strip->out, name, NAME_COLUMNS);
    str_printf(strip->out, ", %s\" title=\"", number_percent_short(share).text);
}

static void write_rest_name(const struct strip *strip, struct str *name)
{
    uint32_t left = strip->ledger->count - strip->shown;
    str_printf(name, "%u more", left);
    if (strip->rest < 0)
        str_append(name, left == 1 ? ", which cancels" : ", which cancel");
}

static void write_bar(const struct strip *strip)
{
    str_append(strip->out, "<div class=\"strip\" id=\"strip\" role=\"group\" aria-label=\"Who does "
                           "it\">");
    for (uint32_t i = 0; i < strip->shown; i++) {
        const struct ledger_line *line = &strip->ledger->lines[i];
        open_part(strip, line->name, ledger_shade(strip->ledger, i), line->all.share);
        write_tip(strip, line);
        write_label(strip, line->name, line->all.share, ledger_line_doubtful(line));
    }
    if (strip->rest > 0) {
        struct str name = {0};
        write_rest_name(strip, &name);
        open_part(strip, name.data, 0, strip->rest);
        str_append(strip->out, "they stand below, in numbers");
        write_label(strip, name.data, strip->rest, false);
        str_release(&name);
    }
    str_append(strip->out, "</div>\n");
}

static void write_place(struct str *out, const struct ledger_line *line)
{
    struct str place = {0};
    if (!line->file[0] || line->kind == OWNER_OUTSIDE)
        return;
    str_append(&place, line->file);
    if (line->line)
        str_printf(&place, ":%u", line->line);
    html_place(out, place.data);
    str_release(&place);
}

void ledger_write_name(const struct ledger_line *line, struct str *out)
{
    bool in_code = line->kind == OWNER_FUNCTION;
    str_append(out, in_code ? "<b>" : "<strong>");
    html_short(out, line->name, NAME_COLUMNS);
    str_append(out, in_code ? "</b>" : "</strong>");
    write_place(out, line);
}

static void write_key_line(const struct strip *strip, uint32_t index)
{
    const struct ledger_line *line = &strip->ledger->lines[index];
    struct str how = {0};
    str_printf(strip->out, "<li><i class=\"swatch w%u\"></i><span class=\"n\">%s%s</span><span>",
               ledger_shade(strip->ledger, index), number_percent_short(line->all.share).text,
               ledger_line_doubtful(line) ? "&nbsp;?" : "");
    ledger_write_name(line, strip->out);
    write_how(strip, line, &how);
    str_append(strip->out, how.length ? " <small>" : "");
    html_escape(strip->out, str_text(&how));
    str_append(strip->out, how.length ? "</small></span></li>\n" : "</span></li>\n");
    str_release(&how);
}

static void write_key(const struct strip *strip)
{
    str_append(strip->out, "<ul class=\"key\">\n");
    for (uint32_t i = 0; i < strip->shown; i++)
        write_key_line(strip, i);
    if (strip->shown < strip->ledger->count) {
        struct str name = {0};
        write_rest_name(strip, &name);
        str_printf(strip->out,
                   "<li><i class=\"swatch w0\"></i><span class=\"n\">%s</span><span>%s</span></li>"
                   "\n",
                   number_percent_short(strip->rest).text, name.data);
        str_release(&name);
    }
    str_append(strip->out, "</ul>\n");
}

void html_strip(const struct variance_report *report, uint32_t without, struct str *out)
{
    struct strip strip;
    if (!report->roots || !report->roots->count || !outline_varies(report->tree))
        return;
    strip_init(&strip, report, out);
    if (!(strip.positive > 0))
        return;
    str_append(out, "<section class=\"roots\" id=\"roots\"><h2>Who does it</h2><p class=\"sub\">"
                    "100&nbsp;% is the variance of the latency");
    if (without == 1)
        str_append(out, " without the slowest interval");
    else if (without)
        str_printf(out, " without the %u slowest intervals", without);
    str_append(out, ", by the function that it goes back to.</p>\n");
    write_bar(&strip);
    write_key(&strip);
    str_append(out, "</section>\n");
}
