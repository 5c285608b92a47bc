#include <string.h>

#include "base/number.h"
#include "report/waits/replay_report.h"
#include "report/waits/waits_report.h"
#include "waits/replay_choice.h"

enum { MOST_TOLD = 4 }; /* edges of a circle */

static const char *kind_words(enum vertex_kind kind)
{
    static const char *const words[] = {[VERTEX_TIMER] = "a timer",
                                        [VERTEX_NETWORK] = "the network",
                                        [VERTEX_INTERRUPT] = "an interrupt",
                                        [VERTEX_UNKNOWN] = "what is not known"};
    return words[kind];
}

void waits_group_name(const struct waits *waits, uint32_t group, struct str *out)
{
    const struct wait_group *g = &waits->graph.groups[group];
    if (g->kind == VERTEX_DEVICE) {
        str_printf(out, "disk %s", g->name);
        return;
    }
    if (g->kind != VERTEX_THREAD) {
        str_append(out, kind_words(g->kind));
        return;
    }
    bool named = strcmp(g->process, g->name) != 0;
    if (!named && !g->main)
        str_printf(out, "thread%s of ", g->members == 1 ? "" : "s");
    str_append(out, g->name[0] ? g->name : "(no name)");
    if (g->process[0] && named && !g->main)
        str_printf(out, " of %s", g->process);
    if (g->parted)
        str_printf(out, " (%c)", 'a' + (char)g->part);
    if (g->members > 1)
        str_printf(out, " x %u", g->members);
}

void waits_write_name(const struct waits *waits, uint32_t group, size_t width,
                      struct terminal *terminal)
{
    struct str name = {0};
    waits_group_name(waits, group, &name);
    terminal_left(terminal, str_text(&name), width);
    terminal_text(terminal, " ");
    str_release(&name);
}

static void append_edge(const struct waits *waits, const struct wait_edge *edge, bool first,
                        struct str *out)
{
    str_append(out, first ? "" : ", ");
    waits_group_name(waits, edge->from, out);
    str_append(out, first ? " waits for " : " for ");
    waits_group_name(waits, edge->to, out);
    str_printf(out, " %s%s", number_percent_short(edge->raw_share.value).text,
               first ? " of the time" : "");
}

/* Where it waits for what does not wait itself: there the time goes. */
static void append_place(const struct waits *waits, const struct wait_edge *edge, struct str *out)
{
    uint32_t index = (uint32_t)(edge - waits->graph.edges);
    const struct stack_sum *stack = waits_edge_stack(waits, index, STACK_OF_WAIT);
    const char *function = stack ? stack_sum_function(stack) : "";
    if (waits->graph.groups[edge->to].kind != VERTEX_THREAD && *function)
        str_printf(out, ", below %s", function);
}

/* Edges stand by their share: the first one found is the heaviest. */
static const struct wait_edge *heaviest_to(const struct waits *waits, uint32_t group,
                                           const struct wait_edge *but)
{
    for (uint32_t e = 0; e < waits->graph.edge_count; e++) {
        const struct wait_edge *edge = &waits->graph.edges[e];
        if (waits->counts[e] && edge->to == group && (!but || edge->from != but->to))
            return edge;
    }
    return NULL;
}

struct waits_chain waits_chain_to(const struct waits *waits, uint32_t sink)
{
    struct waits_chain chain = {.last = heaviest_to(waits, sink, NULL)};
    if (chain.last)
        chain.before = heaviest_to(waits, chain.last->from, chain.last);
    return chain;
}

static void append_chain(const struct waits *waits, uint32_t sink, struct str *out)
{
    struct waits_chain chain = waits_chain_to(waits, sink);
    if (chain.before)
        append_edge(waits, chain.before, true, out);
    if (chain.last)
        append_edge(waits, chain.last, !chain.before, out);
    if (chain.last)
        append_place(waits, chain.last, out);
    str_append(out, ".");
}

static void append_circle(const struct waits *waits, const struct knot *knot, struct str *out)
{
    for (uint32_t i = 0; i < knot->edge_count && i < MOST_TOLD; i++)
        append_edge(waits, &waits->graph.edges[knot->edges[i]], i == 0, out);
    str_printf(out, "%s: a knot that nothing outside resolves.",
               knot->edge_count > MOST_TOLD ? " ..." : "");
    double least = 1;
    for (uint32_t i = 0; i < knot->edge_count; i++)
        if (waits->support[knot->edges[i]] < least)
            least = waits->support[knot->edges[i]];
    if (least < SUPPORT_CERTAIN)
        str_printf(out,
                   " It is not certain: it comes out of %s of the times that windows of the run "
                   "are drawn. A longer "
                   "run may tell.",
                   number_percent_short(least).text);
}

double waits_within_share(const struct waits *waits, uint32_t group)
{
    return wait_graph_within(&waits->graph, group, waits->list.recorded);
}

bool waits_group_in_knot(const struct waits *waits, uint32_t group)
{
    const struct knot *knot = waits->knots.items;
    for (uint32_t i = 0; waits->knots.count && i < knot->group_count; i++)
        if (knot->groups[i] == group)
            return true;
    return false;
}

bool waits_is_told(const struct waits *waits, uint32_t group)
{
    const struct knot *knot = waits->knots.items;
    if (!waits->knots.count)
        return waits->graph.groups[group].of_run;
    if (knot->group_count > 1)
        return waits_group_in_knot(waits, group);
    struct waits_chain chain = waits_chain_to(waits, knot->groups[0]);
    return (chain.last && chain.last->from == group) ||
           (chain.before && chain.before->from == group);
}

/* Members of a group may wait for each other, as for a lock, longer than they do for any other group. */
static void append_each_other(const struct waits *waits, struct str *out)
{
    for (uint32_t g = 0; g < waits->graph.group_count; g++) {
        double share = waits_within_share(waits, g);
        bool more = share >= WITHIN_LEAST && waits_is_told(waits, g);
        for (uint32_t e = 0; more && e < waits->graph.edge_count; e++)
            more = !waits->counts[e] || waits->graph.edges[e].from != g ||
                   waits->graph.edges[e].raw_share.value < share;
        if (!more)
            continue;
        str_append(out, out->length ? " Members of " : "Members of ");
        waits_group_name(waits, g, out);
        str_printf(out, " wait for each other %s of the time.", number_percent_short(share).text);
    }
}

/* A group that waits for a client is not busy: more requests would have been served. */
static void append_unsaturated(const struct waits *waits, struct str *out)
{
    uint32_t group = waits->arrivals.unsaturated;
    const struct arrival_group *arrival = &waits->arrivals.groups[group];
    bool network = waits->graph.groups[arrival->client].kind == VERTEX_NETWORK;
    str_append(out, "Not saturated: ");
    waits_group_name(waits, group, out);
    str_append(out, " waits for ");
    waits_group_name(waits, arrival->client, out);
    str_printf(out, "%s %s of the time, so who sends sets the throughput. ",
               network ? "" : ", which is not of the run,",
               number_percent_short(arrival->share.value).text);
}

/* None of them caps anything. */
static void append_within(const struct waits *waits, const struct knot *knot, struct str *out)
{
    const struct wait_edge *last =
        knot->group_count == 1 ? heaviest_to(waits, knot->groups[0], NULL) : NULL;
    if (!last && !knot->edge_count)
        return;
    str_append(out, "Within the run, ");
    append_edge(waits, last ? last : &waits->graph.edges[knot->edges[0]], true, out);
    for (uint32_t i = 1; i < knot->edge_count && i < MOST_TOLD; i++)
        append_edge(waits, &waits->graph.edges[knot->edges[i]], false, out);
    str_append(out, ", which caps nothing yet.");
}

void waits_headline(const struct waits *waits, struct str *out)
{
    if (!waits->wakers_known) {
        str_append(
            out,
            "Whom the threads waited for is not known: only their own switches were recorded.");
        return;
    }
    const struct knot *knot = waits->knots.count ? &waits->knots.items[0] : NULL;
    if (waits->arrivals.unsaturated != ARRIVAL_NONE) {
        append_unsaturated(waits, out);
        if (knot)
            append_within(waits, knot, out);
        return;
    }
    if (knot && knot->group_count > 1)
        append_circle(waits, knot, out);
    else if (knot)
        append_chain(waits, knot->groups[0], out);
    append_each_other(waits, out);
    if (!out->length)
        str_append(out, "No thread surely waits for another for more than 1 % of the time.");
    replay_append_sentence(waits, out);
}

void waits_background(const struct waits *waits, const struct background_part *part,
                      struct str *out)
{
    str_append(out, "Set aside as background: ");
    for (uint32_t i = 0; i < part->group_count; i++) {
        str_append(out, i ? ", " : "");
        waits_group_name(waits, part->groups[i], out);
    }
    if (part->reason == BACKGROUND_SLEEPS)
        str_append(out, ", which sleeps until a time comes");
    else
        str_append(out, ", who wait for each other and for no disk or client");
    str_printf(out, "; nobody else waits for it, and it runs %s of the time.",
               number_percent_short(part->ran).text);
}
