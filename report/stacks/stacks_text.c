#include <math.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "report/kit/text_parts.h"
#include "report/stacks/context_lines.h"
#include "report/stacks/stacks_proof.h"
#include "report/stacks/stacks_report.h"

enum {
    MARGIN = 2,
    LEVEL = 2,
    PERCENT = 8, /* with the blank before it */
    SHORT = 7,
    BAR = 10,
    REASON = 22,
    LEAST_FOR_REASON = 88, /* columns */
    LEAST_FOR_BAR = 70,
    LEAST_FOR_ALL = 112, /* with the time a request */
    REQUEST = 10,
    HALF = 9,
    MOST_GROUPS = 5,
    MOST_LINES = 28,
    MOST_LINES_LATER = 12,
    MOST_FUNCTIONS = 12,
    MOST_BY_RAN = 8,
    TIME = 10,
    OBJECT = 18
};
/* A group that has less of what all ran, and of what they were off, has no tree (chosen). */
#define LEAST_GROUP 0.01
/* A function whose own time is less of all is not listed (chosen). */
#define LEAST_FUNCTION 0.005

struct view {
    const struct stacks *stacks;
    const struct context_times *times;
    struct terminal *terminal;
    struct child_order order;
    bool open[CONTEXT_LINES_DEPTH + 2]; /* by level: siblings follow */
    size_t name;
    bool with_bar, with_reason, with_request;
};

static double part(time_ns some, time_ns all)
{
    return all > 0 ? (double)some / (double)all : 0;
}

/* ---- one line of the tree ---- */

static void draw_branch(struct view *view, const struct context_line *line)
{
    struct terminal *terminal = view->terminal;
    terminal_paint(terminal, PAINT_FAINT);
    for (uint32_t level = 1; level < line->depth; level++)
        terminal_text(terminal,
                      view->open[level] ? terminal_either(terminal, "\u2502 ", "| ") : "  ");
    if (line->depth)
        terminal_text(terminal, line->last ? terminal_either(terminal, "\u2514\u2574", "`-")
                                           : terminal_either(terminal, "\u251c\u2574", "|-"));
    terminal_paint(terminal, PAINT_PLAIN);
    view->open[line->depth] = !line->last;
}

/* What has no name tells nothing within a chain. */
static bool tells(const struct view *view, const struct context_line *line, uint32_t node)
{
    const struct context_tree *tree = &view->times->fold.tree;
    return node == line->node || tree->frames[tree->nodes[node].frame].function[0] != '[';
}

static void put_before(struct str *names, const char *first, const char *link)
{
    struct str joined = {0};
    str_printf(&joined, "%s%s%s", first, link, str_text(names));
    str_release(names);
    *names = joined;
}

static bool is_kernel(const struct view *view, uint32_t node)
{
    const struct context_tree *tree = &view->times->fold.tree;
    return tree->frames[tree->nodes[node].frame].kind == FRAME_KERNEL;
}

/* The chain's last names, as many as there is room for. */
static void chain_names(const struct view *view, const struct context_line *line, size_t room,
                        struct str *out)
{
    bool utf8 = view->terminal->style.utf8;
    const char *link = utf8 ? " \u203a " : " > ", *dots = utf8 ? "\u2026" : "..";
    stacks_node_name(view->stacks, line->node, utf8, out);
    for (uint32_t n = line->node; n != line->first;) {
        n = view->times->fold.tree.nodes[n].parent;
        if (!tells(view, line, n))
            continue;
        struct str name = {0}, fitted = {0};
        stacks_node_name(view->stacks, n, utf8, &name);
        utf8_fit(&fitted, name.data, room, utf8);
        size_t more = n == line->first ? 0 : 5;
        bool fits =
            utf8_columns(str_text(&fitted)) + utf8_columns(str_text(out)) + 3 + more <= room;
        put_before(out, fits ? name.data : dots, link);
        str_release(&name);
        str_release(&fitted);
        if (!fits)
            break;
    }
}

static void draw_name(const struct view *view, const struct context_line *line)
{
    size_t room = view->name - LEVEL * line->depth;
    bool kernel = is_kernel(view, line->node);
    struct str name = {0};
    if (line->more)
        str_printf(&name, "%s more", number_count(line->more).text);
    else
        chain_names(view, line, room, &name);
    terminal_paint(view->terminal, !line->depth           ? PAINT_STRONG
                                   : line->more || kernel ? PAINT_FAINT
                                                          : PAINT_PLAIN);
    terminal_left(view->terminal, name.data, room);
    terminal_paint(view->terminal, PAINT_PLAIN);
    str_release(&name);
}

/* What ran is solid, what was off hatched. */
static void draw_bar(const struct view *view, double ran, double off)
{
    struct terminal *terminal = view->terminal;
    int solid = (int)lround(ran * BAR), both = (int)lround((ran + off) * BAR);
    terminal_text(terminal, " ");
    terminal_paint(terminal, PAINT_WARM);
    for (int i = 0; i < BAR; i++)
        terminal_text(terminal, i < solid  ? terminal_either(terminal, "\u2588", "#")
                                : i < both ? terminal_either(terminal, "\u2591", ":")
                                           : " ");
    terminal_paint(terminal, PAINT_PLAIN);
}

static void draw_percent(const struct view *view, double fraction, bool known)
{
    bool none = !known || fraction < NUMBER_LEAST_PERCENT;
    terminal_right(view->terminal, none ? "-" : number_percent_short(fraction).text, SHORT);
}

/* What it was off for, mostly. */
static void draw_reason(const struct view *view, const struct context_line *line)
{
    size_t count;
    const struct context_reason *reasons = context_reasons_of(view->times, line->node, &count);
    if (line->more || !line->depth || !count || 2 * reasons->total < line->off ||
        4 * line->off < line->all)
        return;
    struct str text = {0};
    str_append(&text, "  ");
    stacks_reason_name(view->stacks, reasons->reason, &text);
    terminal_paint(view->terminal, PAINT_FAINT);
    terminal_left(view->terminal, text.data, REASON);
    terminal_paint(view->terminal, PAINT_PLAIN);
    str_release(&text);
}

/* What it takes a request, and how sure that is. */
static void draw_request(const struct view *view, const struct context_line *line)
{
    const struct request_times *requests = &view->stacks->requests;
    bool utf8 = view->terminal->style.utf8;
    double mean = (double)(line->ran + line->off) / (double)requests->requests;
    double half = line->more ? INFINITY : requests->items[line->node].half_ns;
    struct str sure = {0};
    if (mean > 0 && !isinf(half))
        str_printf(&sure, "%s%s", terminal_either(view->terminal, "\u00b1", "+-"),
                   number_ns(half, utf8).text);
    terminal_right(view->terminal, mean > 0 ? number_ns(mean, utf8).text : "-", REQUEST);
    terminal_paint(view->terminal, PAINT_FAINT);
    terminal_right(view->terminal, str_text(&sure), HALF);
    terminal_paint(view->terminal, PAINT_PLAIN);
    str_release(&sure);
}

static void draw_line(struct view *view, const struct context_line *line, time_ns whole)
{
    const struct context_sum *sum = &view->times->sums[line->node];
    terminal_left(view->terminal, "", MARGIN);
    draw_branch(view, line);
    draw_name(view, line);
    if (view->with_bar)
        draw_bar(view, part(line->ran, whole), part(line->off, whole));
    draw_percent(view, part(line->all, whole), true);
    draw_percent(view, part(line->ran, whole), true);
    draw_percent(view, part(line->off, whole), true);
    draw_percent(view, part(context_time_own(sum), whole), !line->more && line->depth);
    if (view->with_request)
        draw_request(view, line);
    if (view->with_reason)
        draw_reason(view, line);
    terminal_end_line(view->terminal);
}

/* ---- the trees ---- */

static void draw_titles(const struct view *view)
{
    struct terminal *terminal = view->terminal;
    terminal_left(terminal, "", MARGIN);
    terminal_paint(terminal, PAINT_STRONG);
    terminal_left(terminal, "WHERE THE TIME OF THREADS WENT", view->name);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_left(terminal, "", view->with_bar ? BAR + 1 : 0);
    terminal_right(terminal, "time", SHORT);
    terminal_right(terminal, "ran", SHORT);
    terminal_right(terminal, "off", SHORT);
    terminal_right(terminal, "own", SHORT);
    if (view->with_request) {
        terminal_right(terminal, "a request", REQUEST);
        terminal_right(terminal, "", HALF);
    }
    terminal_text(terminal, view->with_reason ? "  waits for" : "");
    terminal_end_line(terminal);
}

static void draw_group(struct view *view, uint32_t node, uint32_t most)
{
    struct context_lines lines;
    context_lines_init(&lines, view->times, &view->order, node, most);
    for (size_t i = 0; i < lines.count; i++)
        draw_line(view, &lines.items[i], lines.whole);
    context_lines_release(&lines);
}

static bool matters(const struct view *view, uint32_t node)
{
    const struct context_sum *group = &view->times->sums[node],
                             *all = &view->times->sums[CONTEXT_ROOT];
    uint32_t first = view->stacks->heaviest.first.node;
    return part(group->total[TIME_RAN], all->total[TIME_RAN]) >= LEAST_GROUP ||
           part(group->total[TIME_OFF], all->total[TIME_OFF]) >= LEAST_GROUP ||
           (first != CONTEXT_NONE &&
            context_group_of(view->times, first) == context_group_of(view->times, node));
}

static void tell_more(const struct view *view, uint32_t groups)
{
    struct str text = {0};
    if (!groups)
        return;
    str_printf(&text, "and %s more group%s of threads; the page has all", number_count(groups).text,
               number_plural(groups));
    terminal_wrap(view->terminal, "  ", text.data);
    str_release(&text);
}

/* The group of the first sentence comes first. */
static void draw_groups(struct view *view)
{
    const struct child_order *order = &view->order;
    uint32_t first = view->stacks->heaviest.first.node, drawn = 0, more = 0;
    uint32_t group = first == CONTEXT_NONE
                         ? CONTEXT_NONE
                         : view->times->group_node[view->stacks->heaviest.first.group];
    if (group != CONTEXT_NONE)
        draw_group(view, group, drawn++ ? MOST_LINES_LATER : MOST_LINES);
    for (uint32_t i = order->first[CONTEXT_ROOT]; i < order->first[CONTEXT_ROOT + 1]; i++) {
        uint32_t node = order->items[i];
        if (node == group)
            continue;
        if (drawn < MOST_GROUPS && matters(view, node))
            draw_group(view, node, drawn++ ? MOST_LINES_LATER : MOST_LINES);
        else
            more++;
    }
    tell_more(view, more);
}

/* ---- functions ---- */

static void draw_function_titles(const struct view *view, size_t name)
{
    struct terminal *terminal = view->terminal;
    terminal_end_line(terminal);
    terminal_left(terminal, "", MARGIN);
    terminal_paint(terminal, PAINT_STRONG);
    terminal_left(terminal, "FUNCTIONS BY OWN TIME", name);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_left(terminal, " in", OBJECT);
    terminal_right(terminal, "ran", TIME);
    terminal_right(terminal, "of ran", PERCENT);
    terminal_right(terminal, terminal_either(terminal, "\u00b1", "+-"), PERCENT);
    terminal_right(terminal, "off", TIME);
    terminal_right(terminal, "total", TIME);
    terminal_end_line(terminal);
}

static void draw_time(const struct view *view, time_ns time)
{
    terminal_right(view->terminal,
                   time > 0 ? number_ns((double)time, view->terminal->style.utf8).text : "-", TIME);
}

static void draw_part(const struct view *view, double fraction)
{
    bool none = fraction < NUMBER_LEAST_PERCENT;
    terminal_right(view->terminal, none ? "-" : number_percent(fraction).text, PERCENT);
}

static void draw_function(const struct view *view, const struct function_time *function,
                          size_t name)
{
    struct terminal *terminal = view->terminal;
    const struct context_frame *frame = &view->times->fold.tree.frames[function->frame];
    double ran = (double)view->times->sums[CONTEXT_ROOT].total[TIME_RAN];
    double off_by = ran > 0 ? 1.96 * sqrt(function->own_variance[TIME_RAN]) / ran : 0;
    struct str object = {0};
    str_printf(&object, " %s", frame->object);
    terminal_left(terminal, "", MARGIN);
    terminal_left(terminal, frame->function, name);
    terminal_paint(terminal, PAINT_FAINT);
    terminal_left(terminal, object.data, OBJECT);
    terminal_paint(terminal, PAINT_PLAIN);
    draw_time(view, function->own[TIME_RAN]);
    draw_part(view, ran > 0 ? (double)function->own[TIME_RAN] / ran : 0);
    terminal_right(terminal, function->own[TIME_RAN] ? number_points(off_by).text : "-", PERCENT);
    draw_time(view, function->own[TIME_OFF]);
    draw_time(view, function->total[TIME_RAN] + function->total[TIME_OFF]);
    terminal_end_line(terminal);
    str_release(&object);
}

/* Those that ran longest, then what is left of the lines for those that were off longest. */
static bool is_listed(const struct view *view, const struct function_time *function)
{
    const struct context_sum *all = &view->times->sums[CONTEXT_ROOT];
    return part(function->own[TIME_RAN], all->total[TIME_RAN]) >= LEAST_FUNCTION ||
           part(function->own[TIME_OFF], all->total[TIME_OFF]) >= LEAST_FUNCTION;
}

/* The one with the longest own time of a kind that is not drawn yet. */
static uint32_t next_by(const struct view *view, enum context_time kind, const bool *drawn)
{
    const struct function_times *functions = &view->stacks->functions;
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < functions->count; i++)
        if (!drawn[i] && (best == UINT32_MAX ||
                          functions->items[i].own[kind] > functions->items[best].own[kind]))
            best = i;
    return best;
}

static void draw_functions(const struct view *view)
{
    const struct function_times *functions = &view->stacks->functions;
    size_t fixed = MARGIN + OBJECT + 3 * TIME + 2 * PERCENT;
    size_t columns = view->terminal->style.columns;
    size_t name = columns > fixed + 16 ? columns - fixed : 16;
    bool *drawn = memory_zeroed(functions->count + 1);
    name = name > 44 ? 44 : name;
    draw_function_titles(view, name);
    for (uint32_t i = 0; i < MOST_FUNCTIONS; i++) {
        uint32_t next = next_by(view, i < MOST_BY_RAN ? TIME_RAN : TIME_OFF, drawn);
        if (next == UINT32_MAX)
            break;
        drawn[next] = true;
        if (is_listed(view, &functions->items[next]))
            draw_function(view, &functions->items[next], name);
    }
    memory_free(drawn);
}

/* ---- the rest ---- */

static void tell_layers(const struct view *view)
{
    const struct function_times *functions = &view->stacks->functions;
    time_ns ran = view->times->sums[CONTEXT_ROOT].total[TIME_RAN];
    struct str text = {0};
    str_printf(&text, "Of what ran, %s is the program's own code, ",
               number_percent_short(part(functions->layer[FRAME_PROGRAM][TIME_RAN], ran)).text);
    str_printf(&text, "%s libraries', ",
               number_percent_short(part(functions->layer[FRAME_LIBRARY][TIME_RAN], ran)).text);
    str_printf(&text, "%s the kernel's.",
               number_percent_short(part(functions->layer[FRAME_KERNEL][TIME_RAN], ran)).text);
    terminal_end_line(view->terminal);
    terminal_wrap(view->terminal, "  ", text.data);
    str_release(&text);
}

static void tell_unknown(const struct view *view)
{
    struct str text = {0};
    stacks_unknown(view->stacks, &text);
    terminal_wrap(view->terminal, "  ", text.data);
    str_release(&text);
}

static void layout(struct view *view)
{
    size_t columns = view->terminal->style.columns;
    view->with_request = view->stacks->requests.items != NULL;
    view->with_bar = columns >= (view->with_request ? LEAST_FOR_ALL : LEAST_FOR_BAR);
    view->with_reason = columns >= (view->with_request ? LEAST_FOR_ALL : LEAST_FOR_REASON);
    size_t used = MARGIN + 4 * SHORT + (view->with_request ? REQUEST + HALF : 0) +
                  (view->with_bar ? BAR + 1 : 0) + (view->with_reason ? REASON : 0);
    view->name = columns - used;
}

void stacks_write_text(const struct stacks *stacks, const struct doubts *doubts,
                       struct terminal *terminal)
{
    struct view view = {.stacks = stacks, .times = &stacks->times, .terminal = terminal};
    struct str headline = {0};
    stacks_headline(stacks, &headline);
    terminal_paint(terminal, PAINT_STRONG);
    terminal_wrap(terminal, "", headline.data);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    stacks_proof_text(stacks, terminal);
    layout(&view);
    context_order_init(&view.order, &stacks->times);
    draw_titles(&view);
    draw_groups(&view);
    draw_functions(&view);
    tell_layers(&view);
    tell_unknown(&view);
    if (doubts->count) {
        terminal_end_line(terminal);
        text_trust("Warnings:", doubts->items, doubts->count, terminal);
    }
    child_order_release(&view.order);
    str_release(&headline);
}
