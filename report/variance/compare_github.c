/* What GitHub's workflows show of a comparison. A command is a line of stdout:
 *
 *     ::error file=src/server.c,line=40,title=vprofiler compare::B is worse: mean +8.0 %25, ...
 *
 * In its message %, CR and LF are written as %25, %0D and %0A, in its properties ":" and "," as
 * well (GitHub's toolkit, command.ts). Ten of a kind are shown of each step.
 */
#include "report/variance/compare_report.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "report/kit/html_parts.h"
#include "report/variance/compare_words.h"

enum { MOST_DOUBTS = 9, NAME_COLUMNS = 120 };

/* ---- commands ---- */

/* Every character that is not printed on a line of its own is one: no text begins a command. */
static void append_escaped(struct str *out, const char *text, const char *more)
{
    for (uint32_t point; (point = utf8_next(&text)) != 0;) {
        bool line = point == '\n' || point == '\r';
        if (line || point == '%' || (point < 128 && strchr(more, (int)point)))
            str_printf(out, "%%%02X", point);
        else
            utf8_append(out, utf8_shown(point));
    }
}

static void append_property(struct str *out, const char *key, const char *value)
{
    str_printf(out, "%s%s=", out->data[out->length - 1] == ' ' ? "" : ",", key);
    append_escaped(out, value, ":,");
}

static void append_message(struct str *out, const char *message)
{
    str_append(out, "::");
    append_escaped(out, message, "");
    str_append_char(out, '\n');
}

/* The place is that of whom it goes back to, else of the factor that grew. */
static const char *find_place(const struct comparison *comparison, uint32_t *line)
{
    enum metric metric;
    enum difference_way way;
    const struct root_change *who = comparison_who(comparison, 1, &way);
    const struct comparison_row *row = comparison_where(comparison, 1, &metric);
    if (!who && !row)
        return "";
    *line = who ? who->line : row->line;
    const char *file = who ? who->file : row->file;
    return file ? file : "";
}

static void append_place(struct str *out, const struct comparison *comparison)
{
    char text[16];
    uint32_t line = 0;
    const char *file = find_place(comparison, &line);
    if (comparison->verdict != VERDICT_WORSE || !*file)
        return;
    append_property(out, "file", file);
    snprintf(text, sizeof text, "%u", line);
    if (line)
        append_property(out, "line", text);
}

/* What ends the step with a failure is an error. */
static const char *level(const struct compare_report *report)
{
    const struct comparison *comparison = report->comparison;
    if (comparison->verdict == VERDICT_WORSE || (report->strict && comparison->may_be_worse))
        return "error";
    return comparison->verdict == VERDICT_INCONCLUSIVE || comparison->may_be_worse ? "warning"
                                                                                   : "notice";
}

void compare_write_annotations(const struct compare_report *report, struct str *out)
{
    struct str headline = {0};
    comparison_write_headline(report->comparison, true, &headline);
    str_printf(out, "::%s ", level(report));
    append_place(out, report->comparison);
    append_property(out, "title", "vprofiler compare");
    append_message(out, str_text(&headline));
    for (uint32_t i = 0; i < report->warning_count && i < MOST_DOUBTS; i++) {
        str_append(out, "::warning ");
        append_property(out, "title", report->warnings[i].code);
        append_message(out, report->warnings[i].message);
    }
    str_release(&headline);
}

void compare_write_failed_annotation(const char *message, struct str *out)
{
    str_append(out, "::error ");
    append_property(out, "title", "vprofiler compare");
    append_message(out, message);
}

/* ---- the summary ---- */

/* Whatever Markdown could take for its own becomes an entity: no name is a mark, a mention, a
 * formula or a link. Texts do not stand at the beginning of a line. */
static void append_markdown(struct str *out, const char *text)
{
    for (const char *at = text; *at;) {
        bool link = strncmp(at, "://", 3) == 0 || strncasecmp(at, "www.", 4) == 0;
        uint32_t point = utf8_shown(utf8_next(&at));
        if (link || (point < 128 && strchr("\\`*_[]<>#|&~@$", (int)point)))
            str_printf(out, "&#%u;", point);
        else
            utf8_append(out, point);
    }
}

static void append_code(struct str *out, const char *text)
{
    struct str fitted = {0};
    utf8_fit(&fitted, text, NAME_COLUMNS, true);
    str_append(out, "<code>");
    append_markdown(out, str_text(&fitted));
    str_append(out, "</code>");
    str_release(&fitted);
}

static void append_sides(const struct compare_report *report, struct str *out)
{
    const struct comparison *comparison = report->comparison;
    str_append(out, "| | command | recorded in | intervals | runs |\n|---|---|---|--:|--:|\n");
    for (int s = 0; s < 2; s++) {
        str_printf(out, "| **%c** | ", "AB"[s]);
        append_code(out, report->commands[s] ? report->commands[s] : "unknown");
        str_append(out, " | ");
        append_code(out, report->names[s]);
        str_printf(out, " | %s", number_count(comparison->intervals[s]).text);
        str_printf(out, " | %s |\n", number_count(comparison->runs[s]).text);
    }
}

static void append_change(const struct comparison_row *row, enum metric metric, struct str *out)
{
    const struct change *change = &row->changes[metric];
    const char *verdict = verdict_name(change->verdict);
    bool claim = change->verdict == VERDICT_WORSE || change->verdict == VERDICT_BETTER;
    struct str name = {0}, range = {0};
    row_write_name(row, 60, true, &name);
    if (change->gap == GAP_NONE)
        change_write_range(change, true, &range);
    else
        change_write_gap(change, metric, &range);
    str_append(out, "| ");
    append_code(out, str_text(&name));
    str_printf(out, " | %s", metric_name(metric));
    str_printf(out, " | %s", change_value(change->a, metric, true).text);
    str_printf(out, " | %s | ", change_value(change->b, metric, true).text);
    append_markdown(out, change_number(change->change).text);
    str_append(out, " | ");
    append_markdown(out, str_text(&range));
    str_printf(out, claim ? " | **%s** |\n" : " | %s |\n", verdict ? verdict : "");
    str_release(&name);
    str_release(&range);
}

static void append_row(const struct comparison_row *row, struct str *out)
{
    struct str text = {0};
    if (row->blind[0] || row->blind[1]) {
        row_write_name(row, 60, true, &text);
        str_append(out, "| ");
        append_code(out, str_text(&text));
        str_clear(&text);
        row_write_blind(row, &text);
        str_append(out, " | | | | | ");
        append_markdown(out, str_text(&text));
        str_append(out, " | not compared |\n");
    }
    for (enum metric m = 0; m < METRIC_COUNT; m++)
        if (row->changes[m].applies)
            append_change(row, m, out);
    str_release(&text);
}

static void append_doubts(const struct compare_report *report, struct str *out)
{
    for (uint32_t i = 0; i < report->warning_count; i++) {
        str_append(out, i ? "- " : "\n- ");
        append_code(out, report->warnings[i].code);
        str_append_char(out, ' ');
        append_markdown(out, report->warnings[i].message);
        str_append_char(out, '\n');
    }
}

void compare_write_summary(const struct compare_report *report, struct str *out)
{
    const struct comparison *comparison = report->comparison;
    struct str text = {0};
    comparison_write_headline(comparison, true, &text);
    str_append(out, "### ");
    append_markdown(out, str_text(&text));
    str_append(out, "\n\n");
    append_sides(report, out);
    str_append(out, "\n| of | metric | A | B | change | 95 % interval | verdict |\n"
                    "|---|---|--:|--:|--:|:-:|---|\n");
    for (uint32_t r = 0; r < comparison->row_count; r++)
        append_row(&comparison->rows[r], out);
    append_doubts(report, out);
    str_clear(&text);
    comparison_write_rule(comparison, &text);
    str_append(out, "\n<sub>");
    append_markdown(out, str_text(&text));
    str_append(out, " Changes are parts of A's latency.</sub>\n");
    str_release(&text);
}
