/* The page's table of functions that were measured call by call. */
#include <string.h>

#include "base/number.h"
#include "report/stacks/stacks_html_parts.h"
#include "report/stacks/stacks_proof.h"

static void length_cell(double ns, bool known, struct str *out)
{
    html_number_cell(out, known ? number_ns(ns, true).text : "", ns);
}

static void part_cell(double part, bool known, struct str *out)
{
    html_number_cell(out, known ? number_percent_short(part).text : "", part);
}

static void write_function(const struct proven_function *proven, struct str *out)
{
    bool known = proven->fates[CALL_RETURNED] > 0;
    double guess = stacks_proof_guess(proven), seconds = (double)proven->counted * 1e-9;
    double rate = seconds > 0 ? (double)proven->calls / seconds : 0;
    struct str about = {0}, notes = {0};
    stacks_proof_name(proven, &about);
    stacks_proof_notes(proven, &notes);
    str_append(out, "<tr><td class=\"name\">");
    html_short(out, about.data, 160);
    str_append(out, "</td>");
    html_number_cell(out, number_count(proven->calls).text, (double)proven->calls);
    html_number_cell(out, number_count((uint64_t)(rate + 0.5)).text, rate);
    str_clear(&about);
    str_printf(&about, "%s%s", known ? "" : "\u2248 ",
               number_ns(known ? proven->mean : guess, true).text);
    html_number_cell(out, known || guess > 0 ? about.data : "", known ? proven->mean : guess);
    length_cell(proven->p50, known, out);
    length_cell(proven->p95, known, out);
    length_cell(proven->p99, known, out);
    length_cell((double)proven->most, known, out);
    part_cell(proven->seconds, proven->measured > 0, out);
    part_cell(proven->estimate, proven->frame != CONTEXT_NONE, out);
    str_append(out, "</tr>\n");
    if (notes.length) {
        str_append(out, "<tr class=\"note\"><td colspan=\"10\">");
        html_tied(out, notes.data);
        str_append(out, "</td></tr>\n");
    }
    str_release(&about);
    str_release(&notes);
}

static void write_refused(const struct proof *proof, struct str *out)
{
    if (!*proof->refused)
        return;
    str_append(out, "<p class=\"note\">Not measured: ");
    for (const char *line = proof->refused, *end; *line; line = *end ? end + 1 : end) {
        struct str text = {0};
        end = line + strcspn(line, "\n");
        str_append_bytes(&text, line, (size_t)(end - line));
        str_append(out, line == proof->refused ? "" : "<br>");
        html_escape(out, str_text(&text));
        str_release(&text);
    }
    str_append(out, "</p>\n");
}

void html_stacks_proof(const struct stacks_page *page, struct str *out)
{
    static const char *const titles[][2] = {
        {"calls", "that began"},
        {"a second", "of the time in which they were counted"},
        {"mean", "from call to return; \u2248: by the time that stacks tell"},
        {"50 %", "took no longer"},
        {"95 %", "took no longer"},
        {"99 %", "took no longer"},
        {"longest", "of all"},
        {"time", "what threads ran and were blocked in it, of each second"},
        {"by stacks", "the same, of the recording before"}};
    const struct proof *proof = page->stacks->proof;
    if (!proof)
        return;
    str_append(out,
               "<section id=\"proof\"><h2>Measured call by call</h2><p class=\"sub\">By points at "
               "where these functions begin and return, after stacks had named them.</p>"
               "<div class=\"wide\"><table id=\"proof-table\"><thead><tr><th>function</th>");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        str_append(out, "<th class=\"n\" title=\"");
        html_escape(out, titles[i][1]);
        str_printf(out, "\">%s</th>", titles[i][0]);
    }
    str_append(out, "</tr></thead><tbody>\n");
    for (uint32_t i = 0; i < proof->count; i++)
        write_function(&proof->items[i], out);
    str_append(out, "</tbody></table></div>\n");
    write_refused(proof, out);
    str_append(out, "</section>\n");
}
