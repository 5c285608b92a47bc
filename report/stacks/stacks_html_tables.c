/* Tables of the page: a column is a title, what it means, and who writes its cells. */
#include <math.h>

#include "base/memory.h"
#include "base/number.h"
#include "report/stacks/stacks_html_parts.h"

struct column {
    const char *title, *meaning;
    bool number;
    void (*write)(const struct stacks *stacks, uint32_t row, struct str *out);
};

/* The last of the columns has no title. */
static void write_titles(const struct column *columns, struct str *out)
{
    str_append(out, "<thead><tr>");
    for (; columns->title; columns++) {
        str_printf(out, "<th%s title=\"", columns->number ? " class=\"n\"" : "");
        html_escape(out, columns->meaning);
        str_printf(out, "\">%s</th>", columns->title);
    }
    str_append(out, "</tr></thead>");
}

static void write_cells(const struct stacks *stacks, const struct column *columns, uint32_t row,
                        struct str *out)
{
    for (; columns->title; columns++)
        columns->write(stacks, row, out);
    str_append(out, "</tr>\n");
}

static void text_cell(const char *text, const char *name, struct str *out)
{
    str_printf(out, "<td class=\"%s\">", name);
    html_short(out, text, 160);
    str_append(out, "</td>");
}

static void time_cell(time_ns time, struct str *out)
{
    html_number_cell(out, time > 0 ? number_ns((double)time, true).text : "", (double)time);
}

static void part_cell(double some, double all, struct str *out)
{
    double part = all > 0 ? some / all : 0;
    html_number_cell(out, some > 0 ? number_percent(part).text : "", part);
}

/* ---- functions ---- */

static double all_of(const struct stacks *stacks, enum context_time kind)
{
    return (double)stacks->times.sums[CONTEXT_ROOT].total[kind];
}

#define FUNCTION_CELL(name, cell)                                                                  \
    static void function_##name(const struct stacks *stacks, uint32_t row, struct str *out)        \
    {                                                                                              \
        const struct function_time *function = &stacks->functions.items[row];                      \
        cell;                                                                                      \
    }

FUNCTION_CELL(ran, time_cell(function->own[TIME_RAN], out))
FUNCTION_CELL(part, part_cell((double)function->own[TIME_RAN], all_of(stacks, TIME_RAN), out))
FUNCTION_CELL(error, part_cell(1.96 * sqrt(function->own_variance[TIME_RAN]),
                               all_of(stacks, TIME_RAN), out))
FUNCTION_CELL(off, time_cell(function->own[TIME_OFF], out))
FUNCTION_CELL(off_part, part_cell((double)function->own[TIME_OFF], all_of(stacks, TIME_OFF), out))
FUNCTION_CELL(total_ran, time_cell(function->total[TIME_RAN], out))
FUNCTION_CELL(total_off, time_cell(function->total[TIME_OFF], out))
FUNCTION_CELL(contexts, html_number_cell(out, number_count(function->contexts).text,
                                         (double)function->contexts))

static const struct context_frame *frame_of(const struct stacks *stacks, uint32_t row)
{
    return &stacks->times.fold.tree.frames[stacks->functions.items[row].frame];
}

static void function_name(const struct stacks *stacks, uint32_t row, struct str *out)
{
    const struct context_frame *frame = frame_of(stacks, row);
    struct str place = {0};
    str_append(out, "<td class=\"name\">");
    html_short(out, frame->function, 160);
    if (*frame->file)
        str_printf(&place, "%s:%u", frame->file, frame->line);
    html_place(out, str_text(&place));
    str_append(out, "</td>");
    str_release(&place);
}

static void function_object(const struct stacks *stacks, uint32_t row, struct str *out)
{
    text_cell(frame_of(stacks, row)->object, "faint", out);
}

static void function_layer(const struct stacks *stacks, uint32_t row, struct str *out)
{
    const char *layer = stacks_layer_name(frame_of(stacks, row)->kind);
    str_printf(out, "<td><i class=\"swatch %s\"></i> %s</td>", layer, layer);
}

static const struct column function_columns[] = {
    {"function", "and where it begins, by debug information", false, function_name},
    {"in", "the file that holds it", false, function_object},
    {"layer", "whose code it is", false, function_layer},
    {"ran itself", "without what it called", true, function_ran},
    {"of ran", "of what all threads ran", true, function_part},
    {"\u00b1 95 %", "how far that may be off, by the number of samples", true, function_error},
    {"off itself", "without what it called", true, function_off},
    {"of off", "of what all threads were off", true, function_off_part},
    {"ran, in all", "with all that it called", true, function_total_ran},
    {"off, in all", "with all that it called", true, function_total_off},
    {"contexts", "in so many it was called", true, function_contexts},
    {0}};

void html_stacks_functions(const struct stacks_page *page, struct str *out)
{
    const struct function_times *functions = &page->stacks->functions;
    uint32_t rows =
        functions->count < STACKS_MOST_ROWS ? (uint32_t)functions->count : STACKS_MOST_ROWS;
    str_append(out,
               "<section id=\"functions\"><h2>Functions</h2><p class=\"sub\">All contexts of a "
               "function together, the longest own time first.");
    if (rows < functions->count)
        str_printf(out, " The first %s of %s; stacks.json has more.", number_count(rows).text,
                   number_count(functions->count).text);
    str_append(out, "</p><div class=\"tools\" hidden><label>Filter <input type=\"search\" "
                    "id=\"filter\"></label>");
    for (int k = FRAME_PROGRAM; k >= FRAME_KERNEL; k--)
        str_printf(out, "<label><input type=\"checkbox\" data-layer=\"%s\" checked> %s</label>",
                   stacks_layer_name((enum frame_kind)k), stacks_layer_name((enum frame_kind)k));
    str_append(out, "<output id=\"filtered\"></output></div><div class=\"wide tall\"><table "
                    "class=\"sortable\" id=\"function-table\">");
    write_titles(function_columns, out);
    str_append(out, "<tbody>\n");
    for (uint32_t i = 0; i < rows; i++) {
        str_printf(out, "<tr data-layer=\"%s\">",
                   stacks_layer_name(frame_of(page->stacks, i)->kind));
        write_cells(page->stacks, function_columns, i, out);
    }
    str_append(out, "</tbody></table></div></section>\n");
}

/* ---- groups of threads ---- */

static const struct context_sum *group_sum(const struct stacks *stacks, uint32_t group)
{
    return &stacks->times.sums[stacks->times.group_node[group]];
}

#define GROUP_CELL(name, cell)                                                                     \
    static void group_##name(const struct stacks *stacks, uint32_t row, struct str *out)           \
    {                                                                                              \
        const struct context_sum *sum = group_sum(stacks, row);                                    \
        cell;                                                                                      \
    }

GROUP_CELL(wall, time_cell(context_time_total(sum), out))
GROUP_CELL(ran, part_cell((double)sum->total[TIME_RAN], (double)context_time_total(sum), out))
GROUP_CELL(off, part_cell((double)sum->total[TIME_OFF], (double)context_time_total(sum), out))
GROUP_CELL(queue, part_cell((double)sum->total[TIME_QUEUE], (double)context_time_total(sum), out))
GROUP_CELL(missing,
           part_cell((double)sum->total[TIME_MISSING], (double)context_time_total(sum), out))
GROUP_CELL(samples, html_number_cell(out, number_count(sum->samples).text, (double)sum->samples))

static void group_cell(const struct stacks *stacks, uint32_t row, struct str *out)
{
    struct str name = {0};
    stacks_node_name(stacks, stacks->times.group_node[row], true, &name);
    text_cell(name.data, "name", out);
    str_release(&name);
}

static const struct column group_columns[] = {
    {"threads", "of one process's name and one name of their own", false, group_cell},
    {"were there", "all of them together; what follows is of that", true, group_wall},
    {"ran", "had a processor", true, group_ran},
    {"off", "were blocked", true, group_off},
    {"wanted a processor", "were runnable and did not run", true, group_queue},
    {"not recorded", "records were lost, or the recorder paused", true, group_missing},
    {"samples", "of what they ran", true, group_samples},
    {0}};

void html_stacks_threads(const struct stacks_page *page, struct str *out)
{
    const struct stacks *stacks = page->stacks;
    struct child_order order;
    context_order_init(&order, &stacks->times);
    str_append(out, "<section id=\"threads\"><h2>Threads</h2><div class=\"wide tall\"><table "
                    "class=\"sortable\" id=\"group-table\">");
    write_titles(group_columns, out);
    str_append(out, "<tbody>\n");
    for (uint32_t i = order.first[CONTEXT_ROOT];
         i < order.first[CONTEXT_ROOT + 1] && i - order.first[CONTEXT_ROOT] < STACKS_MOST_GROUPS;
         i++) {
        str_append(out, "<tr>");
        write_cells(stacks, group_columns, context_group_of(&stacks->times, order.items[i]), out);
    }
    str_append(out, "</tbody></table></div></section>\n");
    child_order_release(&order);
}
