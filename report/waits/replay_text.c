#include "base/number.h"
#include "report/waits/replay_report.h"
#include "report/waits/waits_report.h"

enum { NAME = 26, SPEEDUP = 10, TIME = 22 };

/* ---- the sentence ---- */

static bool is_edge_of(const struct knot *knot, uint32_t edge)
{
    for (uint32_t i = 0; i < knot->edge_count; i++)
        if (knot->edges[i] == edge)
            return true;
    return false;
}

/* Of a sink: a wait for it, or the one that is told before it. That others are waited for which wait
 * for work themselves is no more than the same once more. */
static bool leads_to(const struct waits *waits, uint32_t sink, const struct wait_edge *edge)
{
    return edge->to == sink || edge == waits_chain_to(waits, sink).before;
}

/* Its waits are some that the first sentence tells of. */
static bool is_told(const struct waits *waits, const struct replay_pair *pair)
{
    const struct knot *knot = waits->knots.count ? &waits->knots.items[0] : NULL;
    if (pair->edge == REPLAY_WITHIN)
        return waits_is_told(waits, pair->from);
    if (knot && knot->group_count == 1)
        return leads_to(waits, knot->groups[0], &waits->graph.edges[pair->edge]);
    return knot && is_edge_of(knot, pair->edge);
}

static const struct replay *best_that_is_told(const struct waits *waits)
{
    for (uint32_t i = 0; i < waits->replays.count; i++)
        if (is_told(waits, &waits->replays.items[i].pair))
            return &waits->replays.items[i];
    return NULL;
}

void replay_append_sentence(const struct waits *waits, struct str *out)
{
    const struct replay *best = best_that_is_told(waits);
    if (!best || best->gone.speedup < REPLAY_LEAST)
        return;
    str_append(out, " Without the waits of ");
    waits_group_name(waits, best->pair.from, out);
    str_append(out, " for ");
    if (best->pair.edge == REPLAY_WITHIN)
        str_append(out, "each other");
    else
        waits_group_name(waits, best->pair.to, out);
    str_printf(out, " at most %s as fast%s.", number_ratio(best->gone.speedup).text,
               best->gone.processors ? ", which is all that the processors can do" : "");
}

/* ---- the table ---- */

static void write_head(const struct replays *replays, struct terminal *terminal)
{
    terminal_paint(terminal, PAINT_FAINT);
    terminal_left(terminal, "  without the waits of", NAME + 3);
    terminal_left(terminal, "for", NAME + 1);
    terminal_right(terminal, "at most", SPEEDUP);
    terminal_right(terminal, "halved", SPEEDUP);
    if (replays->intervals)
        terminal_right(terminal, "p99", TIME);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
}

static void write_speedup(const struct replay_effect *effect, struct terminal *terminal)
{
    struct str text = {0};
    str_printf(&text, "%s%s", number_ratio(effect->speedup).text, effect->processors ? "*" : "");
    terminal_right(terminal, text.data, SPEEDUP);
    str_release(&text);
}

static void write_replay(const struct waits *waits, const struct replay *replay,
                         struct terminal *terminal)
{
    bool utf8 = terminal->style.utf8;
    terminal_text(terminal, "  ");
    waits_write_name(waits, replay->pair.from, NAME, terminal);
    if (replay->pair.edge == REPLAY_WITHIN)
        terminal_left(terminal, "each other", NAME + 1);
    else
        waits_write_name(waits, replay->pair.to, NAME, terminal);
    write_speedup(&replay->gone, terminal);
    write_speedup(&replay->halved, terminal);
    if (waits->replays.intervals) {
        struct str text = {0};
        str_printf(&text, "%s -> %s", number_ns(waits->replays.as_it_was.p99_ns, utf8).text,
                   number_ns(replay->gone.p99_ns, utf8).text);
        terminal_right(terminal, text.data, TIME);
        str_release(&text);
    }
    terminal_end_line(terminal);
}

static bool any_at_processors(const struct replays *replays)
{
    for (uint32_t i = 0; i < replays->count; i++)
        if (replays->items[i].gone.processors || replays->items[i].halved.processors)
            return true;
    return false;
}

void replay_write_text(const struct waits *waits, struct terminal *terminal)
{
    const struct replays *replays = &waits->replays;
    struct str note = {0};
    if (!replays->count)
        return;
    terminal_end_line(terminal);
    write_head(replays, terminal);
    for (uint32_t i = 0; i < replays->count; i++)
        write_replay(waits, &replays->items[i], terminal);
    str_printf(&note, "Replayed without them, in the recorded order: a bound on %s.",
               replays->intervals ? "the requests a second" : "how much sooner it is done");
    if (any_at_processors(replays))
        str_append(&note, " * All that the processors can do that it had.");
    if (replays->unknown)
        str_printf(&note, " Waits of %s that nobody is known to have ended are kept.",
                   number_ns((double)replays->unknown, terminal->style.utf8).text);
    terminal_wrap(terminal, "  ", note.data);
    str_release(&note);
}
