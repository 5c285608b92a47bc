#include "base/memory.h"
#include "base/number.h"
#include "report/kit/text_parts.h"
#include "report/waits/replay_report.h"
#include "report/waits/request_report.h"
#include "report/waits/waits_report.h"

enum {
    NAME = 26,
    SHARE = 8,
    CI = 16,
    CASCADED = 10,
    COUNT = 11,
    LONGEST = 10,
    WANTED = 20,
    MOST_EDGES = 20,
    MOST_WITHIN = 8,
    MOST_CHARGES = 8,
    MOST_GROUPS = 8,
    MOST_BACKGROUND = 3
};

static void write_head(struct terminal *terminal)
{
    terminal_paint(terminal, PAINT_FAINT);
    terminal_left(terminal, "  who", NAME + 3);
    terminal_left(terminal, "waits for", NAME + 1);
    terminal_right(terminal, "share", SHARE);
    terminal_right(terminal, "95 % interval", CI);
    terminal_right(terminal, "cascaded", CASCADED);
    terminal_right(terminal, "times", COUNT);
    terminal_right(terminal, "longest", LONGEST);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
}

static void write_share(struct terminal *terminal, const struct wait_share *share)
{
    struct str interval = {0};
    str_printf(&interval, "%s .. %s", number_points(share->ci95[0]).text,
               number_points(share->ci95[1]).text);
    terminal_right(terminal, number_percent(share->value).text, SHARE);
    terminal_right(terminal, interval.data, CI);
    str_release(&interval);
}

static void write_edge(const struct waits *waits, struct terminal *terminal,
                       const struct wait_edge *edge)
{
    terminal_text(terminal, "  ");
    waits_write_name(waits, edge->from, NAME, terminal);
    waits_write_name(waits, edge->to, NAME, terminal);
    write_share(terminal, &edge->raw_share);
    terminal_right(terminal, number_percent(edge->cascaded_share.value).text, CASCADED);
    terminal_right(terminal, number_count(edge->count).text, COUNT);
    terminal_right(terminal, number_ns((double)edge->longest, terminal->style.utf8).text, LONGEST);
    terminal_end_line(terminal);
}

/* What is not told one by one. */
static void write_more(struct terminal *terminal, uint32_t count, const char *of_what)
{
    if (!count)
        return;
    struct str text = {0};
    str_printf(&text, "and %s more %s", number_count(count).text, of_what);
    terminal_wrap(terminal, "  ", text.data);
    str_release(&text);
}

/* Of a group's members, who wait for each other: the groups that do so for the longest. */
static void write_within(const struct waits *waits, struct terminal *terminal)
{
    uint32_t groups = waits->graph.group_count, count = 0;
    bool *told = memory_zeroed(groups + 1);
    for (uint32_t g = 0; g < groups; g++)
        count += waits_within_share(waits, g) > EDGE_LEAST;
    for (uint32_t i = 0; i < count && i < MOST_WITHIN; i++) {
        uint32_t most = NO_GROUP;
        for (uint32_t g = 0; g < groups; g++)
            if (!told[g] && (most == NO_GROUP ||
                             waits_within_share(waits, g) > waits_within_share(waits, most)))
                most = g;
        told[most] = true;
        terminal_text(terminal, "  ");
        waits_write_name(waits, most, NAME, terminal);
        terminal_left(terminal, "each other", NAME + 1);
        terminal_right(terminal, number_percent(waits_within_share(waits, most)).text, SHARE);
        terminal_end_line(terminal);
    }
    write_more(terminal, count > MOST_WITHIN ? count - MOST_WITHIN : 0,
               "whose threads wait for each other");
    memory_free(told);
}

/* Where it is not known who woke whom. */
static void write_times(const struct waits *waits, struct terminal *terminal)
{
    uint32_t shown = 0, count = 0;
    terminal_paint(terminal, PAINT_FAINT);
    terminal_left(terminal, "  who", NAME + 3);
    terminal_right(terminal, "ran", SHARE);
    terminal_right(terminal, "wanted a processor", WANTED);
    terminal_right(terminal, "waited", SHARE + 2);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    for (uint32_t g = 0; g < waits->graph.group_count; g++) {
        const struct group_time *time = &waits->times[g];
        double all = (double)waits->list.recorded * waits->graph.groups[g].members;
        if (!waits->graph.groups[g].of_run || all <= 0 || count++ >= MOST_EDGES)
            continue;
        shown++;
        terminal_text(terminal, "  ");
        waits_write_name(waits, g, NAME, terminal);
        terminal_right(terminal, number_percent((double)waits->running.groups[g].ran / all).text,
                       SHARE);
        terminal_right(terminal, number_percent((double)time->runnable / all).text, WANTED);
        terminal_right(terminal, number_percent((double)time->blocked / all).text, SHARE + 2);
        terminal_end_line(terminal);
    }
    write_more(terminal, count - shown, "groups of threads");
}

/* Those that surely wait so long that they count. */
static void write_edges(const struct waits *waits, struct terminal *terminal)
{
    uint32_t shown = 0, count = 0;
    for (uint32_t e = 0; e < waits->graph.edge_count; e++) {
        if (!waits->counts[e])
            continue;
        if (count++ >= MOST_EDGES)
            continue;
        write_edge(waits, terminal, &waits->graph.edges[e]);
        shown++;
    }
    write_more(terminal, count - shown, "that wait for less");
}

static void write_charge(const struct waits *waits, struct terminal *terminal,
                         const struct run_queue_charge *charge)
{
    terminal_text(terminal, "  ");
    waits_write_name(waits, charge->who, NAME, terminal);
    if (charge->had == NO_GROUP)
        terminal_left(terminal, "(records are missing)", NAME + 1);
    else
        waits_write_name(waits, charge->had, NAME, terminal);
    write_share(terminal, &charge->share);
    terminal_end_line(terminal);
}

static void write_queue(const struct waits *waits, struct terminal *terminal)
{
    const struct run_queue *queue = &waits->queue;
    if (!queue->count || queue->charges[0].share.ci95[0] <= EDGE_LEAST)
        return;
    terminal_end_line(terminal);
    terminal_paint(terminal, PAINT_FAINT);
    terminal_left(terminal, "  who wants a processor", NAME + 3);
    terminal_left(terminal, "which has meanwhile", NAME + 1);
    terminal_right(terminal, "share", SHARE);
    terminal_right(terminal, "95 % interval", CI);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    for (uint32_t i = 0; i < queue->count && i < MOST_CHARGES; i++)
        if (queue->charges[i].share.ci95[0] > EDGE_LEAST)
            write_charge(waits, terminal, &queue->charges[i]);
}

static bool is_told(const struct waits *waits, uint32_t group)
{
    return waits->running.groups[group].gapp.value > EDGE_LEAST ||
           waits->graph.groups[group].blamed_part > EDGE_LEAST;
}

/* GAPP's number first; of what does not run, the blame. */
static bool stands_before(const struct waits *waits, uint32_t a, uint32_t b)
{
    double gapp_a = waits->running.groups[a].gapp_ns, gapp_b = waits->running.groups[b].gapp_ns;
    if (gapp_a != gapp_b)
        return gapp_a > gapp_b;
    return waits->graph.groups[a].blamed > waits->graph.groups[b].blamed;
}

/* The first ones that are told; the result is how many. */
static uint32_t first_groups(const struct waits *waits, uint32_t *first)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < waits->graph.group_count; g++) {
        if (!is_told(waits, g))
            continue;
        uint32_t at = count < MOST_GROUPS ? count++ : MOST_GROUPS;
        if (at == MOST_GROUPS && !stands_before(waits, g, first[--at]))
            continue;
        for (; at > 0 && stands_before(waits, g, first[at - 1]); at--)
            first[at] = first[at - 1];
        first[at] = g;
    }
    return count;
}

static void write_groups(const struct waits *waits, struct terminal *terminal)
{
    uint32_t first[MOST_GROUPS];
    uint32_t count = first_groups(waits, first);
    if (!count)
        return;
    terminal_end_line(terminal);
    terminal_paint(terminal, PAINT_FAINT);
    terminal_left(terminal, "  who", NAME + 3);
    terminal_right(terminal, "runs", SHARE);
    terminal_right(terminal, "GAPP", SHARE);
    terminal_right(terminal, "blamed", SHARE);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    for (uint32_t i = 0; i < count; i++) {
        const struct group_running *running = &waits->running.groups[first[i]];
        terminal_text(terminal, "  ");
        waits_write_name(waits, first[i], NAME, terminal);
        terminal_right(terminal, number_percent(running->share.value).text, SHARE);
        terminal_right(terminal, number_percent(running->gapp.value).text, SHARE);
        terminal_right(terminal, number_percent(waits->graph.groups[first[i]].blamed_part).text,
                       SHARE);
        terminal_end_line(terminal);
    }
}

/* The first one with its reason. */
static void write_background(const struct waits *waits, struct terminal *terminal)
{
    const struct background *background = &waits->background;
    struct str text = {0};
    if (!background->count)
        return;
    waits_background(waits, &background->parts[0], &text);
    for (size_t i = 1; i < background->count && i < MOST_BACKGROUND; i++) {
        str_append(&text, i == 1 ? " So are " : ", ");
        waits_group_name(waits, background->parts[i].groups[0], &text);
    }
    if (background->count > MOST_BACKGROUND)
        str_printf(&text, " and %s more", number_count(background->count - MOST_BACKGROUND).text);
    str_append(&text, background->count > 1 ? "." : "");
    terminal_end_line(terminal);
    terminal_wrap(terminal, "  ", text.data);
    str_release(&text);
}

/* "handler x 2" may be many. */
static void append_shorts(const struct waits *waits, struct str *text)
{
    uint32_t merged = waits->shorts.merged, virtual_count = 0;
    for (uint32_t g = 0; g < waits->graph.group_count; g++)
        virtual_count += waits->graph.groups[g].threads - waits->graph.groups[g].members;
    if (merged)
        str_printf(text,
                   " %s threads that lived shortly, one after the other, are told as %s; between, "
                   "these wait for the thread that makes them.",
                   number_count(merged).text, number_count(merged - virtual_count).text);
}

static void append_in_vain(const struct waits *waits, struct str *text)
{
    if (waits->in_vain)
        str_printf(
            text,
            " %s time%s a thread was woken in vain and waited again: that is one wait, for who "
            "woke it at last.",
            number_count(waits->in_vain).text, number_plural(waits->in_vain));
}

static void write_recorded(const struct waits *waits, struct terminal *terminal)
{
    const struct wait_list *list = &waits->list;
    struct str text = {0};
    str_printf(&text, "%s waits of %s", number_count(list->count).text,
               number_ns((double)list->recorded, terminal->style.utf8).text);
    if (list->recorded < list->until - list->from)
        str_printf(&text, ", recorded in windows within %s",
                   number_ns((double)(list->until - list->from), terminal->style.utf8).text);
    str_append(&text,
               waits->wakers_known
                   ? ". A share is of the time of one thread of the waiting group; cascaded, "
                     "with all who waited behind it."
                   : ". A share is of the time of one thread of the group.");
    append_shorts(waits, &text);
    append_in_vain(waits, &text);
    terminal_end_line(terminal);
    terminal_wrap(terminal, "  ", text.data);
    str_release(&text);
}

/* Without doubts there is nothing to say. */
static void write_doubts(const struct doubts *doubts, struct terminal *terminal)
{
    if (!doubts->count)
        return;
    terminal_end_line(terminal);
    text_trust("Warnings:", doubts->items, doubts->count, terminal);
}

static void write_all(const struct waits *waits, struct terminal *terminal)
{
    write_head(terminal);
    write_edges(waits, terminal);
    write_within(waits, terminal);
    write_queue(waits, terminal);
    waits_write_stacks(waits, terminal);
    write_groups(waits, terminal);
    write_background(waits, terminal);
    replay_write_text(waits, terminal);
    requests_write_text(waits, terminal);
}

void waits_write_text(const struct waits *waits, const struct doubts *doubts,
                      struct terminal *terminal)
{
    struct str headline = {0};
    waits_headline(waits, &headline);
    terminal_paint(terminal, PAINT_STRONG);
    terminal_wrap(terminal, "", headline.data);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    if (waits->wakers_known)
        write_all(waits, terminal);
    else
        write_times(waits, terminal);
    write_recorded(waits, terminal);
    write_doubts(doubts, terminal);
    str_release(&headline);
}
