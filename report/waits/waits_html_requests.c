/* What waits are worth, and what requests wait for: two sections of the page. */
#include "base/memory.h"
#include "base/number.h"
#include "report/waits/request_report.h"
#include "report/waits/waits_html_parts.h"

static void titles(const char *const *names, const char *const *meanings, struct str *out)
{
    str_append(out, "<div class=\"wide tall\"><table class=\"sortable\"><thead><tr>");
    for (size_t i = 0; names[i]; i++) {
        str_printf(out, "<th%s title=\"", i && meanings[i][0] ? " class=\"n\"" : "");
        html_escape(out, meanings[i]);
        str_printf(out, "\">%s</th>", names[i]);
    }
    str_append(out, "</tr></thead><tbody>\n");
}

/* ---- what a wait is worth ---- */

static void speedup_cell(const struct replay_effect *effect, struct str *out)
{
    struct str text = {0};
    str_printf(&text, "%s%s", number_ratio(effect->speedup).text, effect->processors ? "*" : "");
    html_number_cell(out, text.data, effect->speedup);
    str_release(&text);
}

static void replay_row(const struct waits *waits, const struct replay *replay, struct str *out)
{
    str_append(out, "<tr>");
    html_waits_group_cell(waits, replay->pair.from, out);
    if (replay->pair.edge == REPLAY_WITHIN)
        str_append(out, "<td>each other</td>");
    else
        html_waits_group_cell(waits, replay->pair.to, out);
    speedup_cell(&replay->gone, out);
    speedup_cell(&replay->halved, out);
    if (waits->replays.intervals)
        html_number_cell(out, number_ns(replay->gone.p99_ns, true).text, replay->gone.p99_ns);
    str_append(out, "</tr>\n");
}

void html_waits_worth(const struct waits_page *page, struct str *out)
{
    const struct replays *replays = &page->waits->replays;
    const char *const names[] = {"without the waits of",
                                 "for",
                                 "at most",
                                 "halved",
                                 replays->intervals ? "p99" : NULL,
                                 NULL};
    const char *const meanings[] = {"", "", "so many times as fast",
                                    "with half of each wait, so many times as fast",
                                    "of a request without them"};
    if (!replays->count)
        return;
    str_printf(out,
               "<section id=\"worth\"><h2>What a wait is worth</h2><p class=\"sub\">The run once "
               "more without an edge's waits, in the recorded order of all else: a bound on %s.",
               replays->intervals ? "the requests a second" : "how much sooner it is done");
    if (replays->intervals)
        str_printf(out, " The p99 was %s.", number_ns(replays->as_it_was.p99_ns, true).text);
    str_append(out, "</p>");
    titles(names, meanings, out);
    for (uint32_t i = 0; i < replays->count; i++)
        replay_row(page->waits, &replays->items[i], out);
    str_append(out, "</tbody></table></div><p class=\"note\">* All that the processors can do that "
                    "the run had.</p></section>\n");
}

/* ---- by request ---- */

static void ns_cell(double ns, struct str *out)
{
    html_number_cell(out, number_ns(ns, true).text, ns);
}

static void interval_cell(const struct wait_share *share, struct str *out)
{
    struct str text = {0};
    str_printf(&text, "%s \u2026 %s", number_points(share->ci95[0]).text,
               number_points(share->ci95[1]).text);
    html_number_cell(out, text.data, share->ci95[0]);
    str_release(&text);
}

static void part_row(const struct waits *waits, const struct request_part *part, bool leaf,
                     struct str *out)
{
    struct str name = {0};
    request_part_name(waits, part, leaf, &name);
    str_append(out, "<tr>");
    html_waits_name_cell(name.data, out);
    ns_cell(part->mean_ns.value, out);
    html_number_cell(out, number_percent(part->share).text, part->share);
    html_number_cell(out, number_percent(part->of_variance.value).text, part->of_variance.value);
    interval_cell(&part->of_variance, out);
    ns_cell(part->slow_ns, out);
    ns_cell(part->slower_ns.value, out);
    str_append(out, "</tr>\n");
    str_release(&name);
}

static void parts_table(const struct waits *waits, const struct request_parts *parts, bool leaf,
                        struct str *out)
{
    enum { MOST = 100 };
    const char *const names[] = {leaf ? "whose time it is" : "a wait that the path followed",
                                 "a request",
                                 "share",
                                 "variance",
                                 "95 % interval, %",
                                 "a slow one",
                                 "slower by",
                                 NULL};
    const char *const meanings[] = {"",
                                    "on average",
                                    "of all requests' time",
                                    "Cov(part, latency) / Var(latency)",
                                    "of the part of the variance",
                                    "of those of at least the 99th percentile",
                                    "than one of all"};
    const struct request_part **sorted = request_parts_by_weight(parts, waits->requests.slow_first);
    titles(names, meanings, out);
    for (uint32_t i = 0; i < parts->count && i < MOST; i++)
        part_row(waits, sorted[i], leaf, out);
    str_append(out, "</tbody></table></div>");
    memory_free(sorted);
}

void html_waits_requests(const struct waits_page *page, struct str *out)
{
    const struct by_request *requests = &page->waits->requests;
    if (!requests->count)
        return;
    str_printf(
        out,
        "<section id=\"requests\"><h2>By request</h2><p class=\"sub\">%s requests of %s, p99 "
        "%s. Whose time the critical path of a request was: all parts add up to the latency, "
        "and their shares of the variance to 100\u00a0%%.</p>",
        number_count(requests->count).text, number_ns(requests->latency.mean_ns.value, true).text,
        number_ns(requests->p99_ns, true).text);
    parts_table(page->waits, &requests->leaves, true, out);
    if (requests->edges.count) {
        str_append(out, "<p class=\"sub\">The same time once more, by the waits on the way to "
                        "it.</p>");
        parts_table(page->waits, &requests->edges, false, out);
    }
    str_append(out, "</section>\n");
}
