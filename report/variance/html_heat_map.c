/* The heat map shows the (co)variances of the children of one node as a triangle whose cells add up
 * to the node's contribution: what is not shown by name is one more child, "5 others". */
#include "report/variance/html_parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "report/variance/factor_words.h"
#include "report/variance/outline.h"
#include "report/variance/pairs.h"

enum { MOST_MAPS = 2, MOST_CHILDREN = 7, MOST_CELLS = MOST_CHILDREN + 1 };

#define LEAST_PAIR 0.01   /* of the latency's variance: below it a node has no map */
#define LEAST_CHILD 0.002 /* of the same: what is less is part of the rest */
#define LEAST_HOT 0.1     /* a cell below it is never in full colour */

struct heat_map {
    const struct variance_report *report;
    const struct variance_tree *tree;
    uint32_t parent;
    uint32_t children[MOST_CHILDREN];
    uint32_t shown, all;
    double cells[MOST_CELLS][MOST_CELLS]; /* [row][column], column <= row; the last: the rest */
    bool doubtful[MOST_CELLS][MOST_CELLS];
    struct str *out;
};

/* A node weighs what it contributes, or what a covariance with a sibling does, either way. */
static double *node_weights(const struct variance_tree *tree)
{
    double *weights = memory_zeroed(sizeof *weights * tree->node_count);
    for (uint32_t i = 0; i < tree->node_count; i++)
        weights[i] = tree->nodes[i].contribution;
    for (uint32_t i = 0; i < tree->covariance_count; i++) {
        const struct tree_covariance *pair = &tree->covariances[i];
        weights[pair->a] = fmax(weights[pair->a], fabs(pair->contribution));
        weights[pair->b] = fmax(weights[pair->b], fabs(pair->contribution));
    }
    return weights;
}

/* Finds the parent of the largest pair that tells no story a second time, other than `but`; or
 * NODE_NONE. */
static uint32_t busiest_parent(const struct variance_tree *tree, uint32_t but)
{
    uint32_t parent = NODE_NONE;
    double most = LEAST_PAIR;
    for (uint32_t i = 0; i < tree->covariance_count; i++) {
        const struct tree_covariance *pair = &tree->covariances[i];
        bool blamed = tree->nodes[pair->a].blamed || tree->nodes[pair->b].blamed;
        if (pair->parent == but || blamed || fabs(pair->contribution) < most)
            continue;
        most = fabs(pair->contribution);
        parent = pair->parent;
    }
    return parent;
}

/* Chooses the children that matter most, and sorts them so. */
static void choose_children(struct heat_map *map)
{
    double *weights = node_weights(map->tree);
    uint32_t child = map->tree->nodes[map->parent].first_child;
    for (; child != NODE_NONE; child = map->tree->nodes[child].next_sibling) {
        uint32_t at = map->shown;
        map->all++;
        if (weights[child] < LEAST_CHILD)
            continue;
        for (; at > 0 && weights[child] > weights[map->children[at - 1]]; at--)
            if (at < MOST_CHILDREN)
                map->children[at] = map->children[at - 1];
        if (at < MOST_CHILDREN)
            map->children[at] = child;
        map->shown += map->shown < MOST_CHILDREN;
    }
    memory_free(weights);
}

static uint32_t cell_of(const struct heat_map *map, uint32_t node)
{
    uint32_t cell = 0;
    while (cell < map->shown && map->children[cell] != node)
        cell++;
    return cell;
}

static void fill_cells(struct heat_map *map)
{
    const struct variance_tree *tree = map->tree;
    for (uint32_t child = tree->nodes[map->parent].first_child; child != NODE_NONE;
         child = tree->nodes[child].next_sibling)
        map->cells[cell_of(map, child)][cell_of(map, child)] += tree->nodes[child].contribution;
    for (uint32_t i = 0; i < tree->covariance_count; i++) {
        const struct tree_covariance *pair = &tree->covariances[i];
        if (pair->parent != map->parent)
            continue;
        uint32_t a = cell_of(map, pair->a), b = cell_of(map, pair->b);
        uint32_t row = a > b ? a : b, column = a > b ? b : a;
        const struct factor *factor = row < map->shown ? pair_factor(map->report, pair) : NULL;
        map->cells[row][column] += pair->contribution;
        map->doubtful[row][column] = factor && factor_doubtful(factor);
    }
}

static void write_name(struct heat_map *map, uint32_t cell, size_t columns)
{
    if (cell < map->shown)
        html_short(map->out, map->tree->nodes[map->children[cell]].name, columns);
    else
        str_printf(map->out, "%u other%s", map->all - map->shown,
                   number_plural(map->all - map->shown));
}

/* A weight is written "+12.3 %"; one that would print as 0 has no sign. */
static void write_signed(struct str *out, double fraction)
{
    struct number number = number_percent(fabs(fraction));
    bool zero = !(fabs(fraction) >= NUMBER_LEAST_PERCENT);
    str_printf(out, "%s%s", zero ? "" : fraction < 0 ? "-" : "+", number.text);
}

static void write_cell(struct heat_map *map, uint32_t row, uint32_t column, double largest)
{
    double value = map->cells[row][column];
    bool cool = value < 0, doubtful = map->doubtful[row][column];
    str_printf(map->out, "<td class=\"heat %s%s%s\" style=\"--heat:%.0f%%\" title=\"",
               cool ? "cool" : "warm", doubtful ? " doubtful" : "", row == column ? " own" : "",
               4 + 76 * fmin(sqrt(fabs(value) / largest), 1));
    write_name(map, row, 80);
    if (row != column) {
        str_append(map->out, " \u00d7 ");
        write_name(map, column, 80);
        str_append(map->out, cool ? ": one is long when the other is short" : ": long together");
    }
    str_append(map->out, "\">");
    write_signed(map->out, value);
    str_append(map->out, doubtful ? "&nbsp;?</td>" : "</td>");
}

static void write_row(struct heat_map *map, uint32_t row, uint32_t count, double largest)
{
    str_printf(map->out, "<tr><th scope=\"row\"><small>%u</small> ", row + 1);
    write_name(map, row, 36);
    str_append(map->out, "</th>");
    for (uint32_t column = 0; column <= row; column++)
        write_cell(map, row, column, largest);
    if (row + 1 < count)
        str_printf(map->out, "<td colspan=\"%u\"></td>", count - row - 1);
    str_append(map->out, "</tr>\n");
}

static void write_map(struct heat_map *map)
{
    uint32_t count = map->shown + (map->shown < map->all);
    double largest = LEAST_HOT;
    for (uint32_t row = 0; row < count; row++)
        for (uint32_t column = 0; column <= row; column++)
            largest = fmax(largest, fabs(map->cells[row][column]));
    str_append(map->out, "<table class=\"map\"><caption>below <code>");
    html_short(map->out, map->tree->nodes[map->parent].name, 60);
    str_printf(map->out, "</code>: all cells make up its %s</caption>\n<thead><tr><td></td>",
               number_percent(map->tree->nodes[map->parent].contribution).text);
    for (uint32_t column = 0; column < count; column++) {
        str_printf(map->out, "<th scope=\"col\"><small>%u</small> ", column + 1);
        write_name(map, column, 13);
        str_append(map->out, "</th>");
    }
    str_append(map->out, "</tr></thead><tbody>\n");
    for (uint32_t row = 0; row < count; row++)
        write_row(map, row, count, largest);
    str_append(map->out, "</tbody></table>\n");
}

static void open_section(struct str *out)
{
    str_append(out, "<section><h2>What varies with what</h2><p class=\"sub\">2\u00b7Cov of two "
                    "children of one parent; 100&nbsp;% is the latency's variance. Warm, +: both "
                    "long or both short, which adds to it. Cold, -: one is long when the other is "
                    "short, which takes away.");
}

static bool write_maps(const struct variance_report *report, struct str *out)
{
    uint32_t parent = NODE_NONE, written = 0;
    while (written < MOST_MAPS && (parent = busiest_parent(report->tree, parent)) != NODE_NONE) {
        struct heat_map map = {
            .report = report, .tree = report->tree, .parent = parent, .out = out};
        if (written++ == 0)
            str_append(out, " On the diagonal: the variance of a part. With ?: it may be noise.</p>"
                            "\n<div class=\"wide maps\">\n");
        choose_children(&map);
        fill_cells(&map);
        write_map(&map);
    }
    str_append(out, written ? "</div>" : "</p>\n");
    return written > 0;
}

void html_covariances(const struct variance_report *report, struct str *out)
{
    struct str section = {0};
    if (!outline_varies(report->tree))
        return;
    open_section(&section);
    bool maps = write_maps(report, &section);
    if (html_pairs(report, maps, &section) || maps) {
        str_append(out, section.data);
        str_append(out, "</section>\n");
    }
    str_release(&section);
}
