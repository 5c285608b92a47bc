/* Tables of the page of a comparison: contexts, and the paper's paths. */
#include <math.h>

#include "base/number.h"
#include "report/stacks/compare_html_parts.h"
#include "report/stacks/stacks_report.h"

enum { MOST_ROWS = 600, MOST_PATHS = 40 };

static void difference_cell(double ns, bool told, struct str *out)
{
    struct str text = {0};
    compare_difference(ns, true, &text);
    str_printf(out, "<td class=\"n%s\" data-v=\"%.0f\">%s</td>",
               !told    ? ""
               : ns > 0 ? " more"
                        : " less",
               ns, str_text(&text));
    str_release(&text);
}

static void interval_cell(const double ci95[2], struct str *out)
{
    struct str text = {0};
    compare_interval(ci95, true, &text);
    str_printf(out, "<td class=\"n\" data-v=\"%.0f\">%s</td>", isfinite(ci95[0]) ? ci95[0] : 0.0,
               str_text(&text));
    str_release(&text);
}

static void time_cell(double ns, struct str *out)
{
    html_number_cell(out, ns > 0 ? number_ns(ns, true).text : "", ns);
}

/* The function, and below it who called it, the nearest first. */
static void context_cell(const struct stacks_compare *told, uint32_t node, struct str *out)
{
    const struct laid_node *nodes = told->comparison->laid.nodes;
    struct str name = {0}, callers = {0};
    compare_node_name(told, node, &name);
    for (uint32_t n = nodes[node].depth ? nodes[node].parent : CONTEXT_ROOT; nodes[n].depth > 0;
         n = nodes[n].parent) {
        str_append(&callers, "< ");
        compare_node_name(told, n, &callers);
        str_append(&callers, " ");
    }
    str_append(out, "<td class=\"name\">");
    html_short(out, str_text(&name), 160);
    str_append(out, "<br><span class=\"place\">");
    html_short(out, str_text(&callers), 240);
    str_append(out, "</span></td>");
    str_release(&name);
    str_release(&callers);
}

static const char *words_of(const struct stacks_compare *told, const struct node_change *change)
{
    if (change->presence != NODE_IN_BOTH)
        return change->presence == NODE_NEW ? "new" : "gone";
    if (stack_comparison_for_work(told->comparison, change))
        return "waits for work";
    return stack_comparison_for_others(told->comparison, change) ? "waits for threads of its own"
                                                                 : "";
}

static void context_row(const struct stacks_compare *told, const struct node_change *change,
                        struct str *out)
{
    const struct laid_tree *laid = &told->comparison->laid;
    int side = change->node[1] != CONTEXT_NONE;
    uint32_t node = laid->of[side][change->node[side]];
    const struct context_frame *frame = compare_frame(told, node);
    const char *layer = stacks_layer_name(frame ? frame->kind : FRAME_NONE);
    str_printf(out, "<tr data-layer=\"%s\">", layer);
    context_cell(told, node, out);
    difference_cell(change->change, change->told, out);
    interval_cell(change->ci95, out);
    time_cell(change->own[0], out);
    time_cell(change->own[1], out);
    difference_cell(laid->nodes[node].below.change, false, out);
    str_printf(out, "<td>%s</td><td>", change->told ? "surely" : "");
    html_escape(out, frame ? frame->object : "");
    str_printf(out,
               "</td><td class=\"layer\"><i class=\"swatch %s\"></i> %s</td><td>%s</td></tr>\n",
               layer, layer, words_of(told, change));
}

void html_compare_contexts(const struct stacks_compare *told, struct str *out)
{
    const struct tree_changes *changes = &told->comparison->changes;
    uint32_t rows = changes->count < MOST_ROWS ? changes->count : MOST_ROWS;
    str_printf(out,
               "<section id=\"contexts\"><h2>Contexts</h2><p class=\"sub\">Own time of a %s, what "
               "surely changed first, then the largest change first.",
               compare_unit_name(told));
    if (rows < changes->count)
        str_printf(out, " The first %s of %s; the JSON has all.", number_count(rows).text,
                   number_count(changes->count).text);
    str_append(out, "</p><div class=\"tools\" hidden><label>Filter <input type=\"search\" "
                    "id=\"filter\"></label>");
    for (int k = FRAME_PROGRAM; k >= FRAME_KERNEL; k--)
        str_printf(out, "<label><input type=\"checkbox\" data-layer=\"%s\" checked> %s</label>",
                   stacks_layer_name((enum frame_kind)k), stacks_layer_name((enum frame_kind)k));
    str_printf(
        out,
        "<label><input type=\"checkbox\" data-layer=\"none\" checked> no function</label>"
        "<output id=\"filtered\"></output></div><div class=\"wide tall\"><table "
        "class=\"sortable\" id=\"context-table\"><thead><tr><th>context</th><th "
        "class=\"n\">change</th><th class=\"n\">95 %% interval</th><th class=\"n\">%s</th><th "
        "class=\"n\">%s</th><th class=\"n\">with all below</th><th>changed</th><th>in</th><th>"
        "layer</th><th></th></tr></thead><tbody>\n",
        compare_side(told, 0), compare_side(told, 1));
    for (uint32_t i = 0; i < rows; i++)
        context_row(told, &changes->items[i], out);
    str_append(out, "</tbody></table></div></section>\n");
}

static void write_mended(const struct stacks_compare *told, struct str *out)
{
    const struct stack_comparison *c = told->comparison;
    const struct path_side b = {c->sides[1].tree, c->own[1]};
    if (!told->mended)
        return;
    struct path_rank rank = path_changes_rank(&c->paths, &b, told->mended);
    str_append(out, " <code>");
    html_escape(out, told->mended);
    if (rank.p_min)
        str_printf(out, "</code>: p_min %u, f_min %u.", rank.p_min, rank.f_min);
    else
        str_append(out, "</code> is on no path of B.");
}

void html_compare_paths(const struct stacks_compare *told, struct str *out)
{
    const struct stack_comparison *c = told->comparison;
    if (told->slow || !c->paths.count || c->paths.items[0].cost <= 0)
        return;
    str_append(out,
               "<section id=\"paths\"><h2>Whole paths, as IntroPerf ranks them</h2><p "
               "class=\"sub\">What the nodes of a path of B cost more than in A; a path that A "
               "does not have costs all that it has.");
    write_mended(told, out);
    str_append(out, "</p><div class=\"wide tall\"><table id=\"path-table\"><thead><tr><th "
                    "class=\"n\">rank</th><th class=\"n\">costs more</th><th>path</th></tr></thead>"
                    "<tbody>\n");
    for (size_t i = 0; i < c->paths.count && i < MOST_PATHS && c->paths.items[i].cost > 0; i++) {
        str_printf(out, "<tr><td class=\"n\">%zu</td>", i + 1);
        difference_cell(c->paths.items[i].cost, false, out);
        context_cell(told, c->laid.of[1][c->paths.items[i].leaf], out);
        str_append(out, "</tr>\n");
    }
    str_append(out, "</tbody></table></div></section>\n");
}
