/* Tables of the page: a column is a title, what it means, and who writes its cells. */
#include <math.h>

#include "base/memory.h"
#include "base/number.h"
#include "report/waits/waits_html_parts.h"

void html_waits_name_cell(const char *name, struct str *out)
{
    str_append(out, "<td class=\"name\">");
    html_short(out, name, 120);
    str_append(out, "</td>");
}

void html_waits_group_cell(const struct waits *waits, uint32_t group, struct str *out)
{
    struct str name = {0};
    if (group == NO_GROUP)
        str_append(&name, "(records are missing)");
    else
        waits_group_name(waits, group, &name);
    html_waits_name_cell(str_text(&name), out);
    str_release(&name);
}

static void percent_cell(double share, struct str *out)
{
    html_number_cell(out, number_percent(share).text, share);
}

static void time_cell(time_ns time, struct str *out)
{
    html_number_cell(out, number_ns((double)time, true).text, (double)time);
}

static void count_cell(uint64_t count, struct str *out)
{
    html_number_cell(out, number_count(count).text, (double)count);
}

static void interval_cell(const struct wait_share *share, struct str *out)
{
    struct str interval = {0};
    str_printf(&interval, "%s \u2026 %s", number_points(share->ci95[0]).text,
               number_points(share->ci95[1]).text);
    html_number_cell(out, interval.data, share->ci95[0]);
    str_release(&interval);
}

struct column {
    const char *title, *meaning;
    bool number;
    void (*write)(const struct waits_page *page, uint32_t row, struct str *out);
    bool (*there)(const struct waits_page *page); /* NULL: always */
};

static bool is_there(const struct column *column, const struct waits_page *page)
{
    return !column->there || column->there(page);
}

/* The last of the columns has no title. */
static void write_titles(const struct waits_page *page, const struct column *columns,
                         struct str *out)
{
    str_append(out, "<thead><tr>");
    for (; columns->title; columns++) {
        if (!is_there(columns, page))
            continue;
        str_printf(out, "<th%s title=\"", columns->number ? " class=\"n\"" : "");
        html_escape(out, columns->meaning);
        str_printf(out, "\">%s</th>", columns->title);
    }
    str_append(out, "</tr></thead>");
}

static void write_cells(const struct waits_page *page, const struct column *columns, uint32_t row,
                        struct str *out)
{
    for (; columns->title; columns++)
        if (is_there(columns, page))
            columns->write(page, row, out);
    str_append(out, "</tr>\n");
}

/* ---- edges ---- */

#define EDGE_CELL(name, cell)                                                                      \
    static void edge_##name(const struct waits_page *page, uint32_t row, struct str *out)          \
    {                                                                                              \
        const struct wait_edge *edge = &page->waits->graph.edges[row];                             \
        cell;                                                                                      \
    }

EDGE_CELL(from, html_waits_group_cell(page->waits, edge->from, out))
EDGE_CELL(to, html_waits_group_cell(page->waits, edge->to, out))
EDGE_CELL(share, percent_cell(edge->raw_share.value, out))
EDGE_CELL(interval, interval_cell(&edge->raw_share, out))
EDGE_CELL(cascaded, percent_cell(edge->cascaded_share.value, out))
EDGE_CELL(raw_time, time_cell(cascade_sum(edge->raw), out))
EDGE_CELL(cascaded_time, time_cell(cascade_sum(edge->cascaded), out))
EDGE_CELL(leaf_time, time_cell(cascade_sum(edge->leaf), out))
EDGE_CELL(count, count_cell(edge->count, out))
EDGE_CELL(longest, time_cell(edge->longest, out))

static void edge_support(const struct waits_page *page, uint32_t row, struct str *out)
{
    percent_cell(page->waits->support[row], out);
}

static bool has_replays(const struct waits_page *page)
{
    return page->waits->replays.count;
}

/* Of an edge that was not replayed nothing is known. */
static void edge_worth(const struct waits_page *page, uint32_t row, struct str *out)
{
    const struct replays *replays = &page->waits->replays;
    for (uint32_t i = 0; i < replays->count; i++)
        if (replays->items[i].pair.edge == row) {
            double speedup = replays->items[i].gone.speedup;
            html_number_cell(out, number_ratio(speedup).text, speedup);
            return;
        }
    html_number_cell(out, "", NAN);
}

static bool has_requests(const struct waits_page *page)
{
    return page->waits->requests.count;
}

/* NULL where no request waited for it. */
static const struct request_part *part_of_edge(const struct waits_page *page, uint32_t row)
{
    const struct wait_edge *edge = &page->waits->graph.edges[row];
    const struct request_parts *parts = &page->waits->requests.edges;
    for (uint32_t i = 0; i < parts->count; i++)
        if (parts->items[i].from == edge->from && parts->items[i].to == edge->to)
            return &parts->items[i];
    return NULL;
}

static void request_time_cell(const double *ns, struct str *out)
{
    html_number_cell(out, ns ? number_ns(*ns, true).text : "", ns ? *ns : NAN);
}

static void edge_request(const struct waits_page *page, uint32_t row, struct str *out)
{
    const struct request_part *part = part_of_edge(page, row);
    request_time_cell(part ? &part->mean_ns.value : NULL, out);
}

static void edge_variance(const struct waits_page *page, uint32_t row, struct str *out)
{
    const struct request_part *part = part_of_edge(page, row);
    if (part)
        percent_cell(part->of_variance.value, out);
    else
        html_number_cell(out, "", NAN);
}

static void edge_slower(const struct waits_page *page, uint32_t row, struct str *out)
{
    const struct request_part *part = part_of_edge(page, row);
    request_time_cell(part ? &part->slower_ns.value : NULL, out);
}

static const struct column edge_columns[] = {
    {"who", "the group that waits", false, edge_from, NULL},
    {"waits for", "the group, or what is no thread, that it waits for", false, edge_to, NULL},
    {"share", "of the recorded time, that one thread of the group spent in this wait", true,
     edge_share, NULL},
    {"95 % interval, %", "of the share, from 20 windows of time", true, edge_interval, NULL},
    {"cascaded", "the share, with all who waited behind it (wPerf)", true, edge_cascaded, NULL},
    {"without it", "how much faster at most: the run once more without these waits", true,
     edge_worth, has_replays},
    {"a request", "of a request's latency, the time behind this wait", true, edge_request,
     has_requests},
    {"of variance", "of the latency's: Cov(wait, latency) / Var(latency)", true, edge_variance,
     has_requests},
    {"slower by", "what it adds to the slowest 1 % of the requests, against a mean one", true,
     edge_slower, has_requests},
    {"waited", "by all threads of the group together", true, edge_raw_time, NULL},
    {"cascaded, in all", "times the threads that waited behind it", true, edge_cascaded_time, NULL},
    {"leaf", "of what was waited, while the other one did not wait itself", true, edge_leaf_time,
     NULL},
    {"times", "how often", true, edge_count, NULL},
    {"longest", "the longest one", true, edge_longest, NULL},
    {"support", "how often it lies in the first knot, of 200 draws of windows of the run", true,
     edge_support, NULL},
    {0}};

static void edge_row(const struct waits_page *page, uint32_t e, struct str *out)
{
    const struct wait_edge *edge = &page->waits->graph.edges[e];
    bool knot = waits_edge_in_knot(page->waits, e), counts = page->waits->counts[e];
    str_printf(out, "<tr data-edge=\"%u\" data-from=\"%u\" data-to=\"%u\"%s>", e, edge->from,
               edge->to,
               knot      ? " class=\"selected\""
               : !counts ? " class=\"doubtful\""
                         : "");
    write_cells(page, edge_columns, e, out);
}

/* Edges stand by their share; the last ones are waits of others that nobody of the run was behind. */
static uint32_t edges_that_weigh(const struct wait_graph *graph)
{
    uint32_t count = graph->edge_count;
    while (count > 0 && cascade_sum(graph->edges[count - 1].raw) == 0)
        count--;
    return count;
}

void html_waits_edges(const struct waits_page *page, struct str *out)
{
    uint32_t edges = edges_that_weigh(&page->waits->graph);
    uint32_t rows = edges < WAITS_MOST_ROWS ? edges : WAITS_MOST_ROWS;
    str_append(out, "<section id=\"edges\"><h2>All edges</h2><p class=\"sub\">Bold: of the first "
                    "knot. Grey: not surely above 1\u00a0% of the time.");
    if (rows < edges)
        str_printf(out, " The %s with the largest shares, of %s; waits.json has more.",
                   number_count(rows).text, number_count(edges).text);
    str_append(out, "</p><div class=\"tools\" hidden><label>Filter <input type=\"search\" "
                    "id=\"filter\"></label><label><input type=\"checkbox\" id=\"grey\"> with those "
                    "in grey</label><output id=\"filtered\"></output></div>"
                    "<div class=\"wide tall\"><table class=\"sortable\" id=\"edge-table\">");
    write_titles(page, edge_columns, out);
    str_append(out, "<tbody>\n");
    for (uint32_t e = 0; e < rows; e++)
        edge_row(page, e, out);
    str_append(out, "</tbody></table></div></section>\n");
}

/* ---- groups ---- */

static const char *kind_words(const struct wait_group *group)
{
    static const char *const words[] = {[VERTEX_TIMER] = "timer",
                                        [VERTEX_NETWORK] = "network",
                                        [VERTEX_INTERRUPT] = "interrupt",
                                        [VERTEX_UNKNOWN] = "not known",
                                        [VERTEX_DEVICE] = "disk"};
    if (group->kind != VERTEX_THREAD)
        return words[group->kind];
    return group->of_run ? group->main ? "first thread" : "threads" : "of another program";
}

static void text_cell(const char *text, struct str *out)
{
    str_append(out, "<td>");
    html_short(out, text, 120);
    str_append(out, "</td>");
}

#define GROUP_CELL(name, cell)                                                                     \
    static void group_##name(const struct waits_page *page, uint32_t row, struct str *out)         \
    {                                                                                              \
        const struct wait_group *group = &page->waits->graph.groups[row];                          \
        cell;                                                                                      \
    }

GROUP_CELL(kind, text_cell(kind_words(group), out))
GROUP_CELL(process, text_cell(group->process, out))
GROUP_CELL(members, count_cell(group->members, out))
GROUP_CELL(blamed, time_cell(group->blamed, out))
GROUP_CELL(within, time_cell(group->within, out))
GROUP_CELL(unfinished, time_cell(group->unfinished, out))

static void group_name(const struct waits_page *page, uint32_t row, struct str *out)
{
    html_waits_group_cell(page->waits, row, out);
}

static void group_runs(const struct waits_page *page, uint32_t row, struct str *out)
{
    percent_cell(page->waits->running.groups[row].share.value, out);
}

static void group_gapp(const struct waits_page *page, uint32_t row, struct str *out)
{
    percent_cell(page->waits->running.groups[row].gapp.value, out);
}

static const struct column group_columns[] = {
    {"group", "threads of one process and one name, or what is no thread", false, group_name, NULL},
    {"what it is", "threads of the run, of another program, or none", false, group_kind, NULL},
    {"process", "named by its first thread", false, group_process, NULL},
    {"members", "how many threads", true, group_members, NULL},
    {"runs", "of the recorded time, that one of its threads ran; only of the run's threads", true,
     group_runs, NULL},
    {"GAPP", "of the recorded time, its part of each moment, which those that run share evenly",
     true, group_gapp, NULL},
    {"blamed", "how long others were behind it, however far, while it did not wait itself", true,
     group_blamed, NULL},
    {"each other", "how long its members waited for each other", true, group_within, NULL},
    {"unfinished", "how long they had waited when the recording ended, and nobody had ended that",
     true, group_unfinished, NULL},
    {0}};

/* Who neither waited nor was waited for says nothing. */
static bool *groups_of_edges(const struct waits_page *page, uint32_t *count, bool *told)
{
    const struct wait_graph *graph = &page->waits->graph;
    for (uint32_t e = 0; e < edges_that_weigh(graph); e++)
        told[graph->edges[e].from] = told[graph->edges[e].to] = true;
    *count = 0;
    for (uint32_t g = 0; g < graph->group_count; g++) {
        told[g] = told[g] || graph->groups[g].within || graph->groups[g].unfinished;
        *count += told[g];
    }
    return told;
}

/* Threads of other programs, and of the kernel, stand last. */
static bool is_others(const struct wait_group *group)
{
    return group->kind == VERTEX_THREAD && !group->of_run;
}

static void group_row(const struct waits_page *page, uint32_t g, struct str *out)
{
    str_printf(out, "<tr data-group=\"%u\"%s>", g,
               waits_group_in_knot(page->waits, g) ? " class=\"selected\"" : "");
    write_cells(page, group_columns, g, out);
}

void html_waits_groups(const struct waits_page *page, struct str *out)
{
    const struct wait_graph *graph = &page->waits->graph;
    uint32_t count, rows = 0;
    bool *told = groups_of_edges(page, &count, memory_zeroed(graph->group_count + 1));
    str_append(out,
               "<section id=\"groups\"><h2>Groups</h2><p class=\"sub\">What all are blamed for "
               "adds up to what all have waited.");
    if (count > WAITS_MOST_GROUPS)
        str_printf(out, " The first %s of %s; waits.json has all.",
                   number_count(WAITS_MOST_GROUPS).text, number_count(count).text);
    str_append(out, "</p><div class=\"wide tall\"><table class=\"sortable\" id=\"group-table\">");
    write_titles(page, group_columns, out);
    str_append(out, "<tbody>\n");
    for (int others = 0; others < 2; others++)
        for (uint32_t g = 0; g < graph->group_count && rows < WAITS_MOST_GROUPS; g++) {
            if (!told[g] || is_others(&graph->groups[g]) != (others == 1))
                continue;
            group_row(page, g, out);
            rows++;
        }
    str_append(out, "</tbody></table></div></section>\n");
    memory_free(told);
}

/* ---- processors ---- */

#define CHARGE_CELL(name, cell)                                                                    \
    static void charge_##name(const struct waits_page *page, uint32_t row, struct str *out)        \
    {                                                                                              \
        const struct run_queue_charge *charge = &page->waits->queue.charges[row];                  \
        cell;                                                                                      \
    }

CHARGE_CELL(who, html_waits_group_cell(page->waits, charge->who, out))
CHARGE_CELL(had, html_waits_group_cell(page->waits, charge->had, out))
CHARGE_CELL(share, percent_cell(charge->share.value, out))
CHARGE_CELL(interval, interval_cell(&charge->share, out))
CHARGE_CELL(time, time_cell(charge->time, out))

static const struct column charge_columns[] = {
    {"who wants a processor", "the group", false, charge_who, NULL},
    {"which has meanwhile", "who ran on the processor that it came back to", false, charge_had,
     NULL},
    {"share", "of the recorded time of one thread of the group", true, charge_share, NULL},
    {"95 % interval, %", "of the share, from 20 windows of time", true, charge_interval, NULL},
    {"in all", "by all threads of the group together", true, charge_time, NULL},
    {0}};

void html_waits_processor(const struct waits_page *page, struct str *out)
{
    enum { MOST = 200 };
    const struct run_queue *queue = &page->waits->queue;
    if (!queue->count)
        return;
    str_append(out,
               "<section id=\"processor\"><h2>Who had the processor</h2><p class=\"sub\">While "
               "threads could have run and had none.");
    if (queue->count > MOST)
        str_printf(out, " The %d with the largest shares, of %s; waits.json has more.", MOST,
                   number_count(queue->count).text);
    str_append(out, "</p><div class=\"wide tall\"><table class=\"sortable\">");
    write_titles(page, charge_columns, out);
    str_append(out, "<tbody>\n");
    for (uint32_t i = 0; i < queue->count && i < MOST; i++) {
        str_append(out, queue->charges[i].share.ci95[0] > EDGE_LEAST ? "<tr>"
                                                                     : "<tr class=\"doubtful\">");
        write_cells(page, charge_columns, i, out);
    }
    str_append(out, "</tbody></table></div></section>\n");
}

/* ---- knots ---- */

enum { MOST_KNOTS = 20, MOST_STEPS = 100, MOST_REMOVED = 12 };

static void edge_words(const struct waits *waits, uint32_t e, struct str *out)
{
    struct str words = {0};
    const struct wait_edge *edge = &waits->graph.edges[e];
    waits_group_name(waits, edge->from, &words);
    str_append(&words, " \u2192 ");
    waits_group_name(waits, edge->to, &words);
    str_printf(out, "<a href=\"#graph\" data-edge=\"%u\">", e);
    html_short(out, words.data, 160);
    str_printf(out, "</a> <small>%s</small>", number_percent_short(edge->raw_share.value).text);
    str_release(&words);
}

static void edge_list(const struct waits *waits, const uint32_t *edges, uint32_t count,
                      struct str *out)
{
    for (uint32_t i = 0; i < count && i < MOST_REMOVED; i++) {
        str_append(out, i ? ", " : "");
        edge_words(waits, edges[i], out);
    }
    if (count > MOST_REMOVED)
        str_printf(out, " and %s more", number_count(count - MOST_REMOVED).text);
}

static void write_steps(const struct waits *waits, const struct knot *knot, struct str *out)
{
    if (!knot->step_count)
        return;
    str_printf(out, "<details><summary>%u step%s of refinement</summary><ol class=\"steps\">",
               knot->step_count, number_plural(knot->step_count));
    for (uint32_t s = 0; s < knot->step_count && s < MOST_STEPS; s++) {
        str_printf(out, "<li>without those of at most %s, cascaded: ",
                   number_percent(knot->steps[s].weight).text);
        edge_list(waits, knot->steps[s].removed, knot->steps[s].removed_count, out);
        str_append(out, "</li>\n");
    }
    str_append(out, "</ol></details>");
}

static void write_knot(const struct waits *waits, const struct knot *knot, struct str *out)
{
    struct str name = {0};
    str_append(out, "<li>");
    if (knot->group_count > 1) {
        edge_list(waits, knot->edges, knot->edge_count, out);
    } else {
        waits_group_name(waits, knot->groups[0], &name);
        str_printf(out, "<a href=\"#graph\" data-group=\"%u\">", knot->groups[0]);
        html_short(out, str_text(&name), 120);
        str_append(out, "</a>, which waits for none");
    }
    write_steps(waits, knot, out);
    str_append(out, "</li>\n");
    str_release(&name);
}

void html_waits_knots(const struct waits_page *page, struct str *out)
{
    const struct knot_list *knots = &page->waits->knots;
    if (!knots->count)
        return;
    str_append(out,
               "<section id=\"knots\"><h2>Knots and sinks</h2><p class=\"sub\">A knot waits for "
               "nothing outside of it; a sink waits for nothing. First who most waiting was "
               "behind.");
    if (knots->count > MOST_KNOTS)
        str_printf(out, " The first %d of %s.", MOST_KNOTS, number_count(knots->count).text);
    str_append(out, "</p><ol class=\"knots\">\n");
    for (uint32_t k = 0; k < knots->count && k < MOST_KNOTS; k++)
        write_knot(page->waits, &knots->items[k], out);
    str_append(out, "</ol></section>\n");
}
