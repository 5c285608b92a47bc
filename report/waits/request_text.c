#include <math.h>

#include "base/memory.h"
#include "base/number.h"
#include "report/waits/request_report.h"
#include "report/waits/waits_report.h"

enum { PART = 44, TIME = 9, SHARE = 8, CI = 15, SLOWER = 9, CI_NS = 22, MOST_PARTS = 10 };

/* Below so much of the time, of the variance and of what slow ones are slower by, it is not shown. */
#define LEAST 0.01

/* ---- words ---- */

static void append_two(const struct waits *waits, const struct request_part *part,
                       const char *between, struct str *out)
{
    if (part->from != NO_GROUP)
        waits_group_name(waits, part->from, out);
    str_append(out, between);
    if (part->to != NO_GROUP)
        waits_group_name(waits, part->to, out);
}

static void append_wanted(const struct waits *waits, const struct request_part *part,
                          struct str *out)
{
    waits_group_name(waits, part->from, out);
    str_append(out, " wants a processor");
    if (part->to == waits->graph.group_of[TASK_IDLE])
        str_append(out, " (idle)");
    else if (part->to != NO_GROUP)
        append_two(waits, &(struct request_part){.from = NO_GROUP, .to = part->to}, " of ", out);
}

static void append_leaf(const struct waits *waits, const struct request_part *part, struct str *out)
{
    switch (part->kind) {
    case TIME_RUNS:
        append_two(waits, part, " runs", out);
        return;
    case TIME_PROCESSOR:
        append_wanted(waits, part, out);
        return;
    case TIME_WAKES:
        append_two(waits, part, " is let go on", out);
        return;
    case TIME_WAITS:
        append_two(waits, part, " waits for ", out);
        return;
    case TIME_QUEUE:
        append_two(waits, part, " is yet to begin", out);
        return;
    case TIME_UNEXPLAINED:
        str_append(out, "unexplained");
        return;
    }
}

void request_part_name(const struct waits *waits, const struct request_part *part, bool leaf,
                       struct str *out)
{
    if (leaf)
        append_leaf(waits, part, out);
    else
        append_two(waits, part, part->from == NO_GROUP ? "the request waits for " : " waits for ",
                   out);
}

static struct number ns(const struct terminal *terminal, double value)
{
    return number_ns(value, terminal->style.utf8);
}

/* ---- the first sentence: who does it ---- */

static const struct request_part *most_of_variance(const struct request_parts *parts)
{
    const struct request_part *most = NULL;
    for (uint32_t i = 0; i < parts->count; i++)
        if (!most || parts->items[i].of_variance.value > most->of_variance.value)
            most = &parts->items[i];
    return most;
}

static void append_time(const struct waits *waits, const struct terminal *terminal,
                        const struct request_part *part, struct str *out)
{
    request_part_name(waits, part, true, out);
    str_printf(out, ", %s of a request (%s)", ns(terminal, part->mean_ns.value).text,
               number_percent_short(part->share).text);
}

static void append_variance(const struct terminal *terminal, const struct request_part *part,
                            struct str *out)
{
    (void)terminal;
    str_printf(out, " %s of the variance (%s .. %s)",
               number_percent_short(part->of_variance.value).text,
               number_points(part->of_variance.ci95[0]).text,
               number_points(part->of_variance.ci95[1]).text);
}

static void append_slower(const struct waits *waits, const struct terminal *terminal,
                          const struct request_part *part, struct str *out)
{
    str_printf(out, "The slowest %s take%s %s, by %s more than one of all; most of it: ",
               number_count(waits->requests.slow_count).text,
               waits->requests.slow_count == 1 ? "s" : "",
               ns(terminal, waits->requests.latency.slow_ns).text,
               ns(terminal, waits->requests.latency.slower_ns.value).text);
    request_part_name(waits, part, true, out);
    str_printf(out, ", %s.", ns(terminal, part->slower_ns.value).text);
}

static void write_sentence(const struct waits *waits, const struct request_part *first,
                           struct terminal *terminal)
{
    const struct by_request *requests = &waits->requests;
    const struct request_part *variance = most_of_variance(&requests->leaves);
    const struct request_part *time = &requests->leaves.items[0];
    struct str text = {0};
    str_append(&text, "By request: ");
    if (requests->slow_first) {
        append_slower(waits, terminal, first, &text);
    } else if (variance->of_variance.value <= 0) {
        append_time(waits, terminal, time, &text);
        str_append(&text, ".");
    } else {
        append_time(waits, terminal, variance, &text);
        str_append(&text, ", has");
        append_variance(terminal, variance, &text);
        if (time != variance) {
            str_append(&text, "; most of the time: ");
            append_time(waits, terminal, time, &text);
        }
        str_append(&text, ".");
    }
    terminal_paint(terminal, PAINT_STRONG);
    terminal_wrap(terminal, "", text.data);
    terminal_paint(terminal, PAINT_PLAIN);
    str_release(&text);
}

/* ---- the tables ---- */

static void write_head(const struct by_request *requests, bool leaves, struct terminal *terminal)
{
    terminal_paint(terminal, PAINT_FAINT);
    terminal_left(terminal, leaves ? "  whose time" : "  behind which wait", PART + 2);
    terminal_right(terminal, requests->slow_first ? "a slow one" : "a request", TIME);
    terminal_right(terminal, "share", SHARE);
    terminal_right(terminal, "variance", SHARE + 1);
    terminal_right(terminal, "95 % interval", CI);
    terminal_right(terminal, "slower", SLOWER);
    terminal_right(terminal, "95 % interval", CI_NS);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
}

static void write_interval_ns(const double ci95[2], struct terminal *terminal)
{
    struct str interval = {0};
    if (isfinite(ci95[0]))
        str_printf(&interval, "%s .. %s", ns(terminal, ci95[0]).text, ns(terminal, ci95[1]).text);
    else
        str_append(&interval, "not known");
    terminal_right(terminal, interval.data, CI_NS);
    str_release(&interval);
}

static void write_part(const struct waits *waits, const struct request_part *part, bool leaf,
                       struct terminal *terminal)
{
    const struct by_request *requests = &waits->requests;
    double slow = requests->latency.slow_ns;
    bool of_slow = requests->slow_first;
    struct str name = {0}, interval = {0};
    request_part_name(waits, part, leaf, &name);
    str_printf(&interval, "%s .. %s", number_points(part->of_variance.ci95[0]).text,
               number_points(part->of_variance.ci95[1]).text);
    terminal_text(terminal, "  ");
    terminal_left(terminal, name.data, PART);
    terminal_right(terminal, ns(terminal, of_slow ? part->slow_ns : part->mean_ns.value).text,
                   TIME);
    terminal_right(
        terminal,
        number_percent(of_slow ? (slow > 0 ? part->slow_ns / slow : 0) : part->share).text, SHARE);
    terminal_right(terminal, number_percent(part->of_variance.value).text, SHARE + 1);
    terminal_right(terminal, interval.data, CI);
    terminal_right(terminal, ns(terminal, part->slower_ns.value).text, SLOWER);
    write_interval_ns(part->slower_ns.ci95, terminal);
    terminal_end_line(terminal);
    str_release(&name);
    str_release(&interval);
}

static bool matters(const struct by_request *requests, const struct request_part *part)
{
    double slower = fabs(requests->latency.slower_ns.value);
    return part->share > LEAST || fabs(part->of_variance.value) > LEAST ||
           (slower > 0 && fabs(part->slower_ns.value) > LEAST * slower);
}

static void write_parts(const struct waits *waits, bool leaves, struct terminal *terminal)
{
    const struct by_request *requests = &waits->requests;
    const struct request_parts *parts = leaves ? &requests->leaves : &requests->edges;
    const struct request_part **order = request_parts_by_weight(parts, requests->slow_first);
    uint32_t shown = 0;
    if (leaves)
        write_sentence(waits, order[0], terminal);
    if (parts->count)
        write_head(requests, leaves, terminal);
    for (uint32_t i = 0; i < parts->count && shown < MOST_PARTS; i++)
        if (matters(requests, order[i])) {
            write_part(waits, order[i], leaves, terminal);
            shown++;
        }
    memory_free(order);
}

static void write_note(const struct by_request *requests, struct terminal *terminal)
{
    struct str text = {0};
    str_printf(&text, "%s request%s", number_count(requests->count).text,
               number_plural(requests->count));
    if (requests->type)
        str_printf(&text, " of type %s", requests->type);
    str_printf(
        &text,
        ": mean %s, sd %s, p99 %s. Whose time: all add up to the latency and to 100 %% of "
        "its variance; behind which wait: that time once more, by the waits on the way to it.",
        ns(terminal, requests->latency.mean_ns.value).text, ns(terminal, requests->sd_ns).text,
        ns(terminal, requests->p99_ns).text);
    terminal_wrap(terminal, "  ", text.data);
    str_release(&text);
}

void requests_write_text(const struct waits *waits, struct terminal *terminal)
{
    if (!waits->requests.count || !waits->requests.leaves.count)
        return;
    terminal_end_line(terminal);
    write_parts(waits, true, terminal);
    write_parts(waits, false, terminal);
    write_note(&waits->requests, terminal);
}
