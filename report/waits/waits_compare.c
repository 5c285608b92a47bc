#include "report/waits/waits_compare.h"

#include <math.h>

#include "base/number.h"
#include "report/kit/json_parts.h"
#include "report/waits/waits_report.h"
#include "waits/wait_change.h"

enum { NAME = 25, SHARE = 9, CHANGE = 9, INTERVAL = 18, MOST_ROWS = 20 };

static void find(struct wait_changes *changes, const struct waits *a, const struct waits *b)
{
    const struct wait_side sides[2] = {{&a->graph, &a->cascade, a->counts},
                                       {&b->graph, &b->cascade, b->counts}};
    wait_changes_find(changes, sides);
}

/* Whose name for the group is taken: B's where both sides have it. */
static int naming_side(const uint32_t groups[2])
{
    return groups[1] != WAIT_NONE;
}

static void group_name(const struct waits *const sides[2], const uint32_t groups[2],
                       struct str *out)
{
    int side = naming_side(groups);
    waits_group_name(sides[side], groups[side], out);
}

static void append_signed(struct str *out, double share)
{
    str_append(out, share > 0 ? "+" : "");
    str_append(out, number_points(share).text);
}

static void compare_headline(const struct wait_changes *changes, const struct waits *const sides[2],
                             struct str *out)
{
    if (!changes->freedom) {
        str_append(out, "The runs are too short to compare: a longer one tells more.");
        return;
    }
    if (!changes->changed) {
        str_printf(out, "No wait surely changed, of %u.", changes->count);
        return;
    }
    const struct wait_change *first = &changes->items[0];
    str_printf(out, "%u of %u waits surely changed: ", changes->changed, changes->count);
    group_name(sides, first->from, out);
    str_append(out, " for ");
    group_name(sides, first->to, out);
    str_printf(out, " %s of the time,", number_percent_short(first->share[0]).text);
    str_printf(out, " now %s.", number_percent_short(first->share[1]).text);
}

/* ---- the terminal ---- */

static void write_head(struct terminal *terminal)
{
    terminal_paint(terminal, PAINT_FAINT);
    terminal_left(terminal, "  who", NAME + 3);
    terminal_left(terminal, "waits for", NAME + 1);
    terminal_right(terminal, "A", SHARE);
    terminal_right(terminal, "B", SHARE);
    terminal_right(terminal, "change", CHANGE);
    terminal_right(terminal, "95 % interval", INTERVAL);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
}

static void write_name(const struct waits *const sides[2], const uint32_t groups[2],
                       struct terminal *terminal)
{
    int side = naming_side(groups);
    waits_write_name(sides[side], groups[side], NAME, terminal);
}

static void write_interval(const struct wait_change *change, struct terminal *terminal)
{
    struct str text = {0};
    if (isfinite(change->ci95[0])) {
        append_signed(&text, change->ci95[0]);
        str_append(&text, " .. ");
        append_signed(&text, change->ci95[1]);
    }
    terminal_right(terminal, str_text(&text), INTERVAL);
    str_release(&text);
}

static void write_row(const struct wait_change *change, const struct waits *const sides[2],
                      struct terminal *terminal)
{
    struct str text = {0};
    append_signed(&text, change->change);
    terminal_paint(terminal, change->surely ? PAINT_STRONG : PAINT_PLAIN);
    terminal_text(terminal, change->surely ? "! " : "  ");
    write_name(sides, change->from, terminal);
    write_name(sides, change->to, terminal);
    terminal_right(terminal, number_percent(change->share[0]).text, SHARE);
    terminal_right(terminal, number_percent(change->share[1]).text, SHARE);
    terminal_right(terminal, text.data, CHANGE);
    write_interval(change, terminal);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    str_release(&text);
}

static void write_side(const char *name, const struct waits *waits, struct terminal *terminal)
{
    struct str headline = {0};
    waits_headline(waits, &headline);
    terminal_wrap(terminal, name, str_text(&headline));
    str_release(&headline);
}

void waits_compare_text(const struct waits *a, const struct waits *b, struct terminal *terminal)
{
    const struct waits *const sides[2] = {a, b};
    struct wait_changes changes;
    struct str headline = {0};
    find(&changes, a, b);
    compare_headline(&changes, sides, &headline);
    terminal_paint(terminal, PAINT_STRONG);
    terminal_wrap(terminal, "", headline.data);
    terminal_paint(terminal, PAINT_PLAIN);
    write_side("A: ", a, terminal);
    write_side("B: ", b, terminal);
    terminal_end_line(terminal);
    if (changes.count)
        write_head(terminal);
    for (uint32_t i = 0; i < changes.count && i < MOST_ROWS; i++)
        write_row(&changes.items[i], sides, terminal);
    terminal_end_line(terminal);
    terminal_wrap(terminal, "  ",
                  "Points of the time of one thread of the waiting group. ! marks what surely "
                  "changed: where nothing did, at most one comparison in twenty marks any.");
    wait_changes_release(&changes);
    str_release(&headline);
}

/* ---- JSON ---- */

static json_t *json_group(const struct waits *const sides[2], const uint32_t groups[2])
{
    struct str name = {0};
    int side = groups[1] != WAIT_NONE;
    const struct wait_group *group = &sides[side]->graph.groups[groups[side]];
    json_t *object = json_object();
    group_name(sides, groups, &name);
    json_set(object, "called", json_text(str_text(&name)));
    json_set(object, "process", json_text(group->process));
    json_set(object, "name", json_text(group->name));
    str_release(&name);
    return object;
}

static json_t *json_edge_number(uint32_t edge)
{
    return edge == WAIT_NONE ? json_null() : json_count(edge);
}

static json_t *json_change(const struct wait_change *change, const struct waits *const sides[2])
{
    json_t *object = json_object();
    json_set(object, "from", json_group(sides, change->from));
    json_set(object, "to", json_group(sides, change->to));
    json_set(object, "edge_a", json_edge_number(change->edge[0]));
    json_set(object, "edge_b", json_edge_number(change->edge[1]));
    json_set(object, "a", json_number(change->share[0]));
    json_set(object, "b", json_number(change->share[1]));
    json_set(object, "change", json_number(change->change));
    json_set(object, "ci95", json_interval95(change->ci95));
    json_set(object, "surely", json_boolean(change->surely));
    return object;
}

static json_t *json_side(const struct waits *waits)
{
    json_t *object = json_object(), *knots = json_array();
    struct str text = {0};
    waits_headline(waits, &text);
    json_set(object, "headline", json_text(str_text(&text)));
    json_set(object, "recorded_ns", json_count((uint64_t)waits->list.recorded));
    for (uint32_t k = 0; k < waits->knots.count; k++) {
        json_t *groups = json_array();
        for (uint32_t g = 0; g < waits->knots.items[k].group_count; g++) {
            str_clear(&text);
            waits_group_name(waits, waits->knots.items[k].groups[g], &text);
            json_push(groups, json_text(str_text(&text)));
        }
        json_push(knots, groups);
    }
    json_set(object, "knots", knots);
    str_release(&text);
    return object;
}

void waits_compare_json(const struct waits *a, const struct waits *b, json_t *into)
{
    const struct waits *const sides[2] = {a, b};
    struct wait_changes changes;
    struct str headline = {0};
    json_t *edges = json_array();
    find(&changes, a, b);
    compare_headline(&changes, sides, &headline);
    for (uint32_t i = 0; i < changes.count; i++)
        json_push(edges, json_change(&changes.items[i], sides));
    json_set(into, "schema", json_text(WAITS_COMPARE_SCHEMA));
    json_set(into, "headline", json_text(headline.data));
    json_set(into, "a", json_side(a));
    json_set(into, "b", json_side(b));
    json_set(into, "changed", json_count(changes.changed));
    json_set(into, "edges", edges);
    wait_changes_release(&changes);
    str_release(&headline);
}
