#include "report/variance/html_parts.h"

#include <math.h>

#include "base/memory.h"
#include "base/number.h"
#include "report/variance/factor_words.h"
#include "report/variance/outline.h"
#include "report/variance/pairs.h"

enum { MOST_FACTORS = 30, MOST_PAIRS = 15, MOST_ROWS = 1000, MOST_SITES = 20, PLACE_COLUMNS = 30 };

#define LEAST_HOT 0.1 /* of the latency's variance: a pair below it is never in full colour */

static double clamp(double value, double least, double most)
{
    return value > most ? most : value >= least ? value : least;
}

/* A bar starts at the left edge, where the whole width is 100 %. */
static void write_bar(struct str *out, double fraction, bool cool)
{
    str_printf(out, "<i class=\"bar%s\" style=\"width:%.2f%%\"></i>", cool ? " cool" : "",
               clamp(fabs(fraction), 0, 1) * 100);
}

static void write_path(const struct variance_tree *tree, uint32_t node, struct str *out)
{
    if (node == 0 || node == NODE_NONE)
        return;
    uint32_t parent = tree->nodes[node].parent;
    write_path(tree, parent, out);
    if (parent != 0)
        str_append(out, " \u203a ");
    html_short(out, tree->nodes[node].name, 80);
}

static void write_sites(const struct variance_tree *tree, const struct factor *factor,
                        struct str *out)
{
    uint32_t shown = factor->site_count < MOST_SITES ? factor->site_count : MOST_SITES;
    str_printf(out, "<details><summary>%u</summary><ol>", factor->site_count);
    for (uint32_t i = 0; i < shown; i++) {
        const struct factor_site *site = &factor->sites[i];
        struct str place = {0};
        node_write_place(&tree->nodes[site->a], &place);
        str_printf(out, "<li><b>%s</b> ", number_percent(site->contribution).text);
        write_path(tree, site->a, out);
        if (site->b != NODE_NONE) {
            str_append(out, " \u00d7 ");
            html_short(out, tree->nodes[site->b].name, 80);
        }
        str_append(out, " <small>");
        html_escape(out, str_text(&place));
        str_append(out, "</small></li>");
        str_release(&place);
    }
    str_append(out,
               shown < factor->site_count ? "<li>\u2026</li></ol></details>" : "</ol></details>");
}

/* A number is drawn as a bar, its 95 % interval as a whisker on it. */
static void write_range(double fraction, const double ci95[2], struct str *out)
{
    double left = clamp(ci95[0], 0, 1) * 100, right = clamp(ci95[1], 0, 1) * 100;
    str_append(out, "<td class=\"range\"><div class=\"track\">");
    write_bar(out, fraction, fraction < 0);
    if (right > left)
        str_printf(out, "<i class=\"whisker\" style=\"left:%.2f%%;width:%.2f%%\"></i>", left,
                   right - left);
    str_append(out, "</div></td>");
}

static void write_interval(const double ci95[2], bool doubtful, struct str *out)
{
    char text[120] = "-";
    if (isfinite(ci95[0]) && isfinite(ci95[1]))
        snprintf(text, sizeof text, "%s \u2026 %s%s", number_points(ci95[0]).text,
                 number_points(ci95[1]).text, doubtful ? " ?" : "");
    html_number_cell(out, text, ci95[0]);
}

/* A pair has none of its own: those of the two functions stand in their rows. */
static void write_share(const struct factor *factor, double share, struct str *out)
{
    if (factor->kind == FACTOR_COVARIANCE)
        html_number_cell(out, "-", NAN);
    else
        html_number_cell(out, number_percent(share).text, share);
}

/* The place is where the factor contributes most. */
static void write_place(const struct tree_node *node, struct str *out)
{
    struct str place = {0};
    node_write_place(node, &place);
    html_place(out, str_text(&place));
    str_release(&place);
}

static void write_factor(const struct variance_report *report, const struct factor *factor,
                         struct str *out)
{
    char number[24];
    bool pair = factor->kind == FACTOR_COVARIANCE;
    str_printf(out, "<tr class=\"%s%s\">", factor_selected(report, factor) ? "selected " : "",
               factor_doubtful(factor) ? "doubtful" : "");
    snprintf(number, sizeof number, "%u", factor->rank);
    html_number_cell(out, number, factor->rank);
    str_append(out, "<td class=\"name\">");
    html_short(out, factor->names[0], 90);
    if (pair) {
        str_append(out, " \u00d7 ");
        html_short(out, factor->names[1], 90);
    }
    if (!pair && factor->site_count)
        write_place(&report->tree->nodes[factor->sites[0].a], out);
    str_printf(out, "</td><td>%s</td>", pair ? "covariance" : "variance");
    html_number_cell(out, number_percent(factor->contribution).text, factor->contribution);
    static const double unknown[2] = {NAN, NAN}; /* the variance itself is not told from 0 */
    const double *ci95 = factors_steady(report) ? factor->ci95 : unknown;
    write_range(factor->contribution, ci95, out);
    write_interval(ci95, factor_doubtful(factor), out);
    write_share(factor, factor->share, out);
    write_share(factor, factor->tail_share, out);
    double mean_ns = factor_mean_ns(report->tree, factor);
    html_number_cell(out, pair ? "" : number_ns(mean_ns, true).text, mean_ns);
    snprintf(number, sizeof number, "%u", factor->height);
    html_number_cell(out, number, factor->height);
    str_append(out, "<td class=\"sites\">");
    write_sites(report->tree, factor, out);
    str_append(out, "</td></tr>\n");
}

static void open_factors(struct str *out)
{
    str_append(out, "<div class=\"wide\"><table class=\"sortable\"><thead><tr>"
                    "<th class=\"n\">#</th><th>function</th><th>kind</th><th class=\"n\">"
                    "contribution</th><th data-fixed></th><th class=\"n\">95 % interval, %</th>"
                    "<th class=\"n\">share</th><th class=\"n\">of the tail</th>"
                    "<th class=\"n\">mean</th><th class=\"n\">height</th>"
                    "<th data-fixed>sites</th></tr></thead><tbody>\n");
}

/* A factor is folded where it is no first one and small. */
static bool is_folded(const struct variance_report *report, uint32_t index)
{
    const struct factor *factor = &report->factors->factors[index];
    return index >= report->of->top && fabs(factor->contribution) < HTML_FOLDED;
}

/* Writes as many of the folded or of the other factors as have room, and counts those that have
 * none. */
static uint32_t write_factors(const struct variance_report *report, bool folded, struct str *out)
{
    uint32_t rows = 0, left = 0;
    open_factors(out);
    for (uint32_t i = 0; i < factor_count(report); i++) {
        const struct factor *factor = &report->factors->factors[i];
        if (is_folded(report, i) != folded || (folded && fabs(factor->contribution) < HTML_LEAST))
            continue;
        if (i >= report->of->top && rows >= MOST_FACTORS) {
            left++;
            continue;
        }
        write_factor(report, factor, out);
        rows++;
    }
    str_append(out, "</tbody></table></div>");
    return left;
}

static uint32_t count_folded(const struct variance_report *report)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < factor_count(report); i++)
        count +=
            is_folded(report, i) && fabs(report->factors->factors[i].contribution) >= HTML_LEAST;
    return count;
}

/* One sentence for each factor that was experimented with. */
static void write_mendings(const struct variance_report *report, struct str *out)
{
    bool any = false;
    for (uint32_t i = 0; i < factor_count(report); i++) {
        const struct factor *factor = &report->factors->factors[i];
        const char *mending = factor_mending(report, factor);
        if (!mending)
            continue;
        if (!any)
            str_append(out, "<h3>What mending a factor would bring</h3><ul class=\"mendings\">");
        str_printf(out, "<li><b>%u</b> ", factor->rank);
        html_tied(out, mending);
        str_append(out, "</li>");
        any = true;
    }
    if (any)
        str_append(out, "</ul>");
}

void html_factors(const struct variance_report *report, struct str *out)
{
    uint32_t folded = count_folded(report);
    if (factor_count(report) == 0 || !outline_varies(report->tree))
        return;
    str_append(
        out,
        "<section><h2>Factors</h2><p class=\"sub\">A function's variance, or twice a pair's "
        "covariance; 100&nbsp;% is the latency's variance. Ranked by contribution \u00d7 "
        "specificity. Bold: the ones to open next. Grey, with ?: the 95&nbsp;% interval holds 0, "
        "it may be noise.</p>\n");
    uint32_t left = write_factors(report, false, out);
    if (left)
        str_printf(out, "<p class=\"note\">%u more of at least 1 %% in report.json.</p>", left);
    if (folded) {
        str_printf(out, "<details><summary>%u more below 1&nbsp;%%</summary>", folded);
        write_factors(report, true, out);
        str_append(out, "</details>");
    }
    write_mendings(report, out);
    str_append(out, "</section>\n");
}

static void write_pair(const struct variance_tree *tree, const struct sibling_pair *row,
                       double largest, struct str *out)
{
    const struct tree_covariance *pair = row->covariance;
    bool cool = pair->contribution < 0;
    double width = clamp(fabs(pair->contribution) / largest, 0, 1);
    str_printf(out, "<tr%s><td class=\"name\">",
               tree->nodes[pair->a].blamed ? " class=\"blamed\"" : "");
    html_short(out, tree->nodes[pair->a].name, 100);
    str_append(out, " \u00d7 ");
    html_short(out, tree->nodes[pair->b].name, 100);
    str_append(out, "</td><td class=\"name faint\">");
    html_short(out, tree->nodes[pair->parent].name, 100);
    str_printf(out, "</td><td class=\"heat %s\" style=\"--heat:%.0f%%\">%s</td>",
               cool ? "cool" : "warm", 15 + 75 * width, number_percent(pair->contribution).text);
    str_printf(out, "<td>%s",
               cool ? "one long, the other short: they cancel out"
                    : "long together, short together");
    if (row->others)
        str_printf(out, "; the largest of %u such pairs", row->others + 1);
    str_append(out, "</td></tr>\n");
}

/* Beside a heat map the pairs are folded. */
bool html_pairs(const struct variance_report *report, bool folded, struct str *out)
{
    uint32_t count;
    struct sibling_pair *pairs = pairs_sorted(report->tree, HTML_FOLDED, &count);
    if (count > 0) {
        if (folded)
            str_printf(out, "<details><summary>%u pair%s of at least 1 %%, by size</summary>",
                       count, number_plural(count));
        str_append(out, "<div class=\"wide\"><table><thead><tr><th>pair</th><th>below</th>"
                        "<th class=\"n\">2\u00b7Cov</th><th></th></tr></thead><tbody>\n");
        for (uint32_t i = 0; i < count && i < MOST_PAIRS; i++)
            write_pair(report->tree, &pairs[i],
                       fmax(fabs(pairs[0].covariance->contribution), LEAST_HOT), out);
        str_append(out, "</tbody></table></div>");
        if (count > MOST_PAIRS)
            str_printf(out, "<p class=\"note\">%u smaller pairs in report.json.</p>",
                       count - MOST_PAIRS);
        str_append(out, folded ? "</details>" : "");
    }
    memory_free(pairs);
    return count > 0;
}

struct table {
    const struct variance_tree *tree;
    struct outline outline;
    uint32_t rows;
    struct str *out;
};

static void write_row(struct table *table, uint32_t index, unsigned depth)
{
    const struct tree_node *node = &table->tree->nodes[index];
    struct str *out = table->out, place = {0};
    uint64_t intervals = table->tree->intervals.count;
    double weight = outline_weight(table->tree, index);
    char calls[32];
    str_printf(out, "<tr%s><td class=\"name\" style=\"--depth:%u\">",
               node->blamed ? " class=\"blamed\"" : "", depth < 24 ? depth : 24);
    html_short(out, node->name, 160);
    str_append(out, "</td><td class=\"range\"><div class=\"track\">");
    write_bar(out, weight, weight < 0);
    str_append(out, "</div></td>");
    html_number_cell(out, number_percent(weight).text, NAN);
    html_number_cell(out, number_percent(node->contribution).text, NAN);
    html_number_cell(out, number_percent(node->tail_share).text, NAN);
    html_number_cell(out, number_ns(node->mean_ns, true).text, NAN);
    html_number_cell(out, number_ns(sqrt(node->variance_ns2), true).text, NAN);
    snprintf(calls, sizeof calls, "%.3g", intervals ? (double)node->calls / (double)intervals : 0);
    html_number_cell(out, calls, NAN);
    str_printf(out, "<td>%s</td><td class=\"faint\">", node_kind_name(node->kind));
    node_write_place(node, &place);
    html_short(out, str_text(&place), PLACE_COLUMNS);
    str_append(out, "</td></tr>\n");
    str_release(&place);
    table->rows++;
}

static void write_rows(struct table *table, uint32_t node, unsigned depth)
{
    const struct outline_list *list = &table->outline.lists[node];
    write_row(table, node, depth);
    for (uint32_t i = 0; i < list->shown && table->rows < MOST_ROWS; i++)
        write_rows(table, list->nodes[i], depth + 1);
    if (list->shown < list->count)
        str_printf(table->out,
                   "<tr class=\"more\"><td class=\"name\" style=\"--depth:%u\" colspan=\"10\">%u "
                   "more, each below 0.1 %%</td></tr>\n",
                   depth < 23 ? depth + 1 : 24, list->count - list->shown);
}

void html_tree_table(const struct variance_report *report, struct str *out)
{
    if (report->tree->node_count == 0 || report->tree->intervals.count == 0)
        return;
    struct table table = {.tree = report->tree, .out = out};
    bool above, negative;
    outline_init(&table.outline, report->tree, HTML_LEAST);
    outline_extremes(report->tree, HTML_LEAST, &above, &negative);
    str_printf(
        out,
        "<section class=\"screen\"><details><summary><h2>The tree in numbers</h2></summary>"
        "<p class=\"sub\">100&nbsp;%% is the latency's variance. Shares of the children add up "
        "to their parent's; contributions do so with the pairs'.%s%s</p>\n<div class=\"wide\">"
        "<table class=\"tree\"><thead><tr><th>node</th><th></th><th class=\"n\">%s</th>"
        "<th class=\"n\">contribution</th><th class=\"n\">of the tail</th>"
        "<th class=\"n\">mean</th><th class=\"n\">\u03c3</th><th class=\"n\">%s</th>"
        "<th>kind</th><th>where</th></tr></thead><tbody>\n",
        above ? " Above 100&nbsp;%: it varies more than the whole, as other parts make up for it."
              : "",
        negative ? " Negative: it is short where the interval is long, and takes variance away."
                 : "",
        outline_varies(report->tree) ? "share" : "of the mean",
        report->of->inferred ? "seen" : "calls");
    write_rows(&table, 0, 0);
    str_append(out, "</tbody></table></div>");
    if (table.rows >= MOST_ROWS)
        str_append(out, "<p class=\"note\">Cut here; report.json holds every node.</p>");
    str_append(out, "</details></section>\n");
    outline_release(&table.outline);
}
