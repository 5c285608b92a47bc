#include "report/variance/factor_words.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

#define WHOLE 0.95 /* of the latency and of its variance */

uint32_t factor_count(const struct variance_report *report)
{
    return report->factors ? report->factors->count : 0;
}

bool factor_selected(const struct variance_report *report, const struct factor *factor)
{
    return factor->rank <= report->of->top && factor->contribution > report->of->threshold;
}

bool factors_steady(const struct variance_report *report)
{
    return !report->factors || report->factors->steady;
}

bool factor_doubtful(const struct factor *factor)
{
    return !(factor->ci95[0] > 0 || factor->ci95[1] < 0);
}

void factor_write_name(const struct factor *factor, size_t columns, bool utf8, struct str *out)
{
    if (factor->kind == FACTOR_VARIANCE) {
        utf8_fit(out, factor->names[0], columns, utf8);
        return;
    }
    size_t room = columns > 3 ? columns - 3 : 0, half = room / 2;
    struct str first = {0}, second = {0};
    utf8_fit(&first, factor->names[0], room, utf8);
    utf8_fit(&second, factor->names[1], room, utf8);
    size_t wide[2] = {utf8_columns(str_text(&first)), utf8_columns(str_text(&second))};
    if (wide[0] + wide[1] > room) {
        size_t give = wide[1] < half ? room - wide[1] : wide[0] < half ? wide[0] : room - half;
        str_clear(&first);
        str_clear(&second);
        utf8_fit(&first, factor->names[0], give, utf8);
        utf8_fit(&second, factor->names[1], room - give, utf8);
    }
    str_printf(out, "%s %s %s", str_text(&first), utf8 ? "\u00d7" : "x", str_text(&second));
    str_release(&first);
    str_release(&second);
}

double factor_mean_ns(const struct variance_tree *tree, const struct factor *factor)
{
    double mean_ns = factor->kind == FACTOR_VARIANCE ? 0 : NAN;
    for (uint32_t i = 0; i < factor->site_count; i++)
        mean_ns += tree->nodes[factor->sites[i].a].mean_ns;
    return mean_ns;
}

void node_write_place(const struct tree_node *node, struct str *out)
{
    if (!node->file || !node->file[0])
        return;
    str_append(out, node->file);
    if (node->line)
        str_printf(out, ":%u", node->line);
}

bool node_is_below(const struct variance_tree *tree, uint32_t above, uint32_t node)
{
    while (node != NODE_NONE && node != above)
        node = tree->nodes[node].parent;
    return node == above;
}

double factor_figure(const struct factor *factor)
{
    return factor->kind == FACTOR_VARIANCE ? factor->share : factor->contribution;
}

static bool worth_a_word(const struct variance_report *report, const struct factor *factor)
{
    return factor->contribution > report->of->threshold &&
           factor_figure(factor) >= report->of->threshold && !factor_doubtful(factor);
}

/* A function with nearly all of the time and of the variance must be opened to say where they
 * are. */
static bool holds_everything(const struct variance_tree *tree, const struct factor *factor)
{
    return factor->kind == FACTOR_VARIANCE && factor->site_count && factor->share >= WHOLE &&
           tree->nodes[factor->sites[0].a].mean_ns >= WHOLE * tree->nodes[0].mean_ns;
}

/* A wait can't be opened: who waits in the call above it is what there is to say. */
static const struct factor *first_below(const struct variance_report *report,
                                        const struct factor *above)
{
    for (uint32_t i = 0; i < factor_count(report); i++) {
        const struct factor *factor = &report->factors->factors[i];
        if (factor != above && worth_a_word(report, factor) && factor->site_count &&
            factor->sites[0].a != above->sites[0].a &&
            report->tree->nodes[factor->sites[0].a].kind != NODE_WAIT &&
            node_is_below(report->tree, above->sites[0].a, factor->sites[0].a))
            return factor;
    }
    return NULL;
}

const struct factor *factor_first(const struct variance_report *report)
{
    uint32_t i = 0, count = factor_count(report);
    while (i < count && !factor_selected(report, &report->factors->factors[i]))
        i++;
    const struct factor *named = i < count ? &report->factors->factors[i] : NULL, *below = named;
    while (below && holds_everything(report->tree, below)) {
        below = first_below(report, below);
        named = below ? below : named;
    }
    return named;
}

void factor_write_plain(const char *name, const struct tree_node *node, struct str *out)
{
    size_t whole = strlen(node->name);
    if (!node->object || strncmp(name, node->name, whole) != 0)
        str_append(out, name);
    else
        str_printf(out, "%s%s", node->plain, name + whole);
}

const struct tree_node *factor_node(const struct variance_tree *tree, const struct factor *factor,
                                    const char *name)
{
    const struct factor_site *site = &factor->sites[0];
    const struct tree_node *node = &tree->nodes[site->a];
    return site->b != NODE_NONE && strcmp(node->name, name) != 0 ? &tree->nodes[site->b] : node;
}

static bool is_object(const char *wanted, const char *object)
{
    return wanted && object ? strcmp(wanted, object) == 0 : !wanted && !object;
}

const char *factor_mending(const struct variance_report *report, const struct factor *factor)
{
    const char *text = NULL;
    if (factor->kind != FACTOR_VARIANCE || !factor->site_count || !report->of->mending_count)
        return NULL;
    struct str plain = {0};
    const struct tree_node *node = factor_node(report->tree, factor, factor->names[0]);
    factor_write_plain(factor->names[0], node, &plain);
    for (uint32_t i = 0; !text && i < report->of->mending_count; i++) {
        const struct report_mending *mending = &report->of->mendings[i];
        if (strcmp(mending->function, str_text(&plain)) == 0 &&
            is_object(mending->object, node->object))
            text = mending->text;
    }
    str_release(&plain);
    return text;
}
