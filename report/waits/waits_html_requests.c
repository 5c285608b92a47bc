/* Whose the time of requests is: leaves that add up to it, and to its variance. */
#include "base/memory.h"
#include "base/number.h"
#include "report/waits/request_report.h"
#include "report/waits/waits_html_parts.h"

enum { MOST = 60 };

static void interval_cell(const struct wait_share *estimate, bool of_time, struct str *out)
{
    struct str text = {0};
    if (of_time) {
        str_printf(&text, "%s \u2026 ", number_ns(estimate->ci95[0], true).text);
        str_append(&text, number_ns(estimate->ci95[1], true).text);
    } else {
        str_printf(&text, "%s \u2026 %s", number_points(estimate->ci95[0]).text,
                   number_points(estimate->ci95[1]).text);
    }
    html_number_cell(out, str_text(&text), estimate->ci95[0]);
    str_release(&text);
}

static void write_leaf(const struct waits *waits, const struct request_part *part, struct str *out)
{
    struct str words = {0};
    request_append_part(waits, part, true, &words);
    str_append(out, "<tr><td class=\"name\">");
    html_short(out, str_text(&words), 160);
    str_append(out, "</td>");
    html_number_cell(out, number_ns(part->mean_ns.value, true).text, part->mean_ns.value);
    html_number_cell(out, number_percent(part->share).text, part->share);
    html_number_cell(out, number_percent(part->of_variance.value).text, part->of_variance.value);
    interval_cell(&part->of_variance, false, out);
    html_number_cell(out, number_ns(part->slower_ns.value, true).text, part->slower_ns.value);
    interval_cell(&part->slower_ns, true, out);
    str_append(out, "</tr>\n");
    str_release(&words);
}

void html_waits_requests(const struct waits_page *page, struct str *out)
{
    const struct by_request *requests = &page->waits->requests;
    if (!requests->count)
        return;
    const struct request_part **leaves =
        request_parts_by_weight(&requests->leaves, requests->slow_first);
    str_printf(out,
               "<section id=\"requests\"><h2>Whose the requests' time is</h2><p class=\"sub\">%s "
               "requests: mean %s,",
               number_count(requests->count).text,
               number_ns(requests->latency.mean_ns.value, true).text);
    str_printf(out, " p99 %s.", number_ns(requests->p99_ns, true).text);
    str_append(out,
               " All rows add up to the latency, and to 100\u00a0% of its variance. Slower by: "
               "what it adds to the slowest 1\u00a0%, against a mean one.");
    if (requests->leaves.count > MOST)
        str_printf(out, " The first %d of %u.", MOST, requests->leaves.count);
    str_append(out, "</p><div class=\"wide tall\"><table class=\"sortable\"><thead><tr><th>whose "
                    "time</th><th class=\"n\">a request</th><th class=\"n\">share</th><th "
                    "class=\"n\">of variance</th><th class=\"n\">95 % interval, %</th><th "
                    "class=\"n\">slower by</th><th class=\"n\">95 % interval</th></tr></thead>"
                    "<tbody>\n");
    for (uint32_t i = 0; i < requests->leaves.count && i < MOST; i++)
        write_leaf(page->waits, leaves[i], out);
    str_append(out, "</tbody></table></div></section>\n");
    memory_free(leaves);
}
