/* The variance's part of vprofiler.variance/1 is written here; docs/report.schema.json is its
 * schema. */
#include "report/variance/json.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "report/kit/json_parts.h"
#include "report/variance/factor_words.h"

enum { MOST_DEPTH = 100 };

#define FACTOR_LEAST                                                                               \
    0.001 /* |contribution| below which a factor that is not among the first goes unlisted */

/* Where the function of a node begins. */
static void set_place(json_t *object, const struct tree_node *node)
{
    json_set(object, "file", json_text(node->file ? node->file : ""));
    json_set(object, "line", json_count(node->line));
}

static json_t *name_or_null(const char *name)
{
    return name ? json_text(name) : json_null();
}

/* The lock or the like that a call is told by, where it has a name. */
static void set_object(json_t *object, const struct tree_node *node)
{
    if (node->object)
        json_set(object, "object", json_text(node->object));
}

/* What is said of a node has the node's name, or that with more behind it: in JSON both go without
 * the object, which has a member of its own. */
static json_t *plain_json(const char *name, const struct tree_node *node)
{
    struct str text = {0};
    factor_write_plain(name, node, &text);
    json_t *json = json_text(str_text(&text));
    str_release(&text);
    return json;
}

static json_t *tail_part_json(const struct variance_tree *tree, const struct tail_part *part)
{
    const struct tree_node *node = &tree->nodes[part->node];
    json_t *object = json_object();
    json_set(object, "name", plain_json(part->name, node));
    set_object(object, node);
    json_set(object, "kind", json_string(node_kind_name(node->kind)));
    set_place(object, node);
    json_set(object, "places", json_count(part->places));
    json_set(object, "share", json_number(part->share));
    json_set(object, "from_ns", json_integer(part->from_ns));
    json_set(object, "to_ns", json_integer(part->to_ns));
    json_set(object, "sum", json_exact(part->sum));
    json_set(object, "tail", json_exact(part->tail));
    return object;
}

static json_t *tail_json(const struct variance_tree *tree, const struct tail_ledger *tail)
{
    json_t *object = json_object(), *parts = json_array();
    for (uint32_t i = 0; i < tail->count; i++)
        json_push(parts, tail_part_json(tree, &tail->parts[i]));
    json_set(object, "mean_ns", json_integer(tail->mean_ns));
    json_set(object, "slow_ns", json_integer(tail->slow_ns));
    json_set(object, "parts", parts);
    return object;
}

static uint32_t depth_of(const struct variance_tree *tree, uint32_t node)
{
    uint32_t depth = 0;
    for (; node != 0 && node != NODE_NONE; node = tree->nodes[node].parent)
        depth++;
    return depth;
}

/* A path leads from the interval's first callee to `node`; the interval itself is not named. A long
 * one has both its ends, with "..." between. */
static json_t *path_json(const struct variance_tree *tree, uint32_t node)
{
    json_t *path = json_array();
    uint32_t depth = depth_of(tree, node), left = depth;
    for (; left > 0; left--, node = tree->nodes[node].parent) {
        bool inner = depth > MOST_DEPTH && left > MOST_DEPTH / 2 && depth - left >= MOST_DEPTH / 2;
        const char *name = inner ? "..." : tree->nodes[node].plain;
        if (inner && left > MOST_DEPTH / 2 + 1)
            continue;
        if (json_array_insert_new(path, 0, json_text(name)) != 0)
            BUG("a JSON path could not be made");
    }
    return path;
}

static json_t *sites_json(const struct variance_tree *tree, const struct factor *factor)
{
    json_t *sites = json_array();
    for (uint32_t i = 0; i < factor->site_count; i++) {
        const struct factor_site *site = &factor->sites[i];
        uint32_t last = site->b == NODE_NONE ? site->a : tree->nodes[site->a].parent;
        json_t *object = json_object();
        json_set(object, "path", path_json(tree, last));
        set_place(object, &tree->nodes[site->a]);
        json_set(object, "contribution", json_number(site->contribution));
        json_push(sites, object);
    }
    return sites;
}

static void push_function(const struct variance_tree *tree, const struct factor *factor,
                          const char *name, json_t *functions, json_t *objects)
{
    const struct tree_node *node = factor_node(tree, factor, name);
    json_push(functions, plain_json(name, node));
    json_push(objects, name_or_null(node->object));
}

static json_t *factor_json(const struct variance_report *report, const struct factor *factor)
{
    bool pair = factor->kind == FACTOR_COVARIANCE;
    json_t *object = json_object(), *functions = json_array(), *objects = json_array();
    for (int i = 0; i < 1 + pair; i++)
        push_function(report->tree, factor, factor->names[i], functions, objects);
    json_set(object, "rank", json_count(factor->rank));
    json_set(object, "kind", json_string(pair ? "covariance" : "variance"));
    json_set(object, "functions", functions);
    json_set(object, "objects", objects);
    json_set(object, "selected", json_boolean(factor_selected(report, factor)));
    json_set(object, "contribution", json_number(factor->contribution));
    json_set(object, "ci95", json_interval95(factor->ci95));
    json_set(object, "share", json_number(factor->share));
    json_set(object, "share_ci95", json_interval95(factor->share_ci95));
    json_set(object, "tail_share", json_number(factor->tail_share));
    json_set(object, "score", json_number(factor->score));
    json_set(object, "mean_ns", json_number(factor_mean_ns(report->tree, factor)));
    json_set(object, "height", json_count(factor->height));
    json_set(object, "specificity", json_number(factor->specificity));
    json_set(object, "rival", factor->rival ? json_count(factor->rival) : json_null());
    json_set(object, "separated", json_boolean(factor->separated));
    json_set(object, "sites", sites_json(report->tree, factor));
    if (factor_mending(report, factor))
        json_set(object, "mended", json_text(factor_mending(report, factor)));
    return object;
}

static json_t *factors_json(const struct variance_report *report)
{
    json_t *factors = json_array();
    for (uint32_t i = 0; i < factor_count(report); i++) {
        const struct factor *factor = &report->factors->factors[i];
        if (factor->rank <= report->of->top || fabs(factor->contribution) >= FACTOR_LEAST)
            json_push(factors, factor_json(report, factor));
    }
    return factors;
}

static json_t *waited_json(const struct variance_report *report)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < report->waited->count; i++) {
        const struct waited *waited = &report->waited->items[i];
        const struct tree_node *node = &report->tree->nodes[waited->node];
        json_t *object = json_object();
        json_set(object, "name", plain_json(waited->name, node));
        set_object(object, node);
        set_place(object, node);
        json_set(object, "places", json_count(waited->sites));
        json_set(object, "mean_ns", json_number(waited->mean_ns));
        json_set(object, "contribution", json_number(waited->contribution));
        json_set(object, "ci95", json_interval95(waited->ci95));
        json_set(object, "share", json_number(waited->share));
        json_set(object, "share_ci95", json_interval95(waited->share_ci95));
        json_set(object, "tail_share", json_number(waited->tail_share));
        json_push(array, object);
    }
    return array;
}

static void set_sums(json_t *object, const struct ledger_sums *sums)
{
    json_set(object, "share", json_number(sums->share));
    json_set(object, "tail_share", json_number(sums->tail_share));
    json_set(object, "sum", json_exact(sums->sum));
    json_set(object, "latency", json_exact(sums->latency));
    json_set(object, "tail", json_exact(sums->tail));
}

static json_t *parts_json(const struct variance_tree *tree, const struct ledger_line *line)
{
    json_t *parts = json_array();
    for (uint32_t i = 0; i < line->part_count; i++) {
        const struct ledger_part *part = &line->parts[i];
        json_t *object = json_object();
        json_set(object, "waited_in",
                 part->in ? json_text(tree->nodes[part->waited].plain) : json_null());
        json_set(object, "object",
                 part->in ? name_or_null(tree->nodes[part->waited].object) : json_null());
        json_set(object, "for_another", name_or_null(part->type));
        json_set(object, "thread", name_or_null(part->thread));
        if (part->taker)
            json_set(object, "processor_taken_by", json_text(part->taker));
        set_sums(object, &part->sums);
        json_push(parts, object);
    }
    return parts;
}

static json_t *ways_json(const struct ledger_line *line)
{
    json_t *ways = json_array();
    for (uint32_t i = 0; i < line->way_count; i++) {
        json_t *object = json_object();
        json_set(object, "call", name_or_null(line->ways[i].name));
        set_sums(object, &line->ways[i].sums);
        json_push(ways, object);
    }
    return ways;
}

static json_t *side_json(const struct ledger_sums *sums, const double ci95[2])
{
    json_t *object = json_object();
    set_sums(object, sums);
    json_set(object, "share_ci95", json_interval95(ci95));
    return object;
}

static json_t *ledger_line_json(const struct variance_tree *tree, const struct ledger_line *line)
{
    json_t *object = json_object();
    json_set(object, "name", json_text(line->name));
    json_set(object, "kind", json_string(owner_kind_name(line->kind)));
    if (line->kind == OWNER_PROCESSOR)
        json_set(object, "kernel", json_string(wait_kind_kernel(WAIT_PROCESSOR)));
    json_set(object, "file", json_text(line->file));
    json_set(object, "line", json_count(line->line));
    json_set(object, "places", json_count(line->leaves));
    set_sums(object, &line->all);
    json_set(object, "share_ci95", json_interval95(line->ci95));
    json_set(object, "own", side_json(&line->own, line->own_ci95));
    json_set(object, "waits", side_json(&line->waits, line->waits_ci95));
    json_set(object, "unseen_share", json_number(line->unseen.share));
    json_set(object, "parts", parts_json(tree, line));
    json_set(object, "ways", ways_json(line));
    return object;
}

static json_t *root_ledger_json(const struct variance_tree *tree, const struct root_ledger *ledger)
{
    json_t *lines = json_array();
    for (uint32_t i = 0; i < ledger->count; i++)
        json_push(lines, ledger_line_json(tree, &ledger->lines[i]));
    return lines;
}

static json_t *moments_json(const struct moments *moments)
{
    json_t *object = json_object();
    json_set(object, "sum", json_exact(moments->sum));
    json_set(object, "square", json_exact(moments->square));
    json_set(object, "latency", json_exact(moments->latency));
    json_set(object, "tail", json_exact(moments->tail));
    return object;
}

static json_t *node_json(const struct variance_tree *tree, uint32_t index)
{
    const struct tree_node *node = &tree->nodes[index];
    uint64_t count = tree->intervals.count;
    json_t *object = json_object();
    json_set(object, "name", json_text(node->plain));
    set_object(object, node);
    json_set(object, "kind", json_string(node_kind_name(node->kind)));
    if (wait_kind_kernel(node->wait))
        json_set(object, "kernel", json_string(wait_kind_kernel(node->wait)));
    set_place(object, node);
    json_set(object, "calls", json_count(node->calls));
    json_set(object, "calls_per_interval",
             json_number(count ? (double)node->calls / (double)count : 0));
    json_set(object, "mean_ns", json_number(node->mean_ns));
    json_set(object, "variance_ns2", json_number(node->variance_ns2));
    json_set(object, "contribution", json_number(node->contribution));
    json_set(object, "share", json_number(node->share));
    json_set(object, "tail_share", json_number(node->tail_share));
    json_set(object, "height", json_count(node->height));
    json_set(object, "blamed", json_boolean(node->blamed));
    json_set(object, "moments", moments_json(&node->moments));
    json_set(object, "children", json_array());
    json_set(object, "covariances", json_array());
    return object;
}

static json_t *covariance_json(const struct tree_covariance *pair, const uint32_t *position)
{
    json_t *object = json_object();
    json_set(object, "a", json_count(position[pair->a]));
    json_set(object, "b", json_count(position[pair->b]));
    json_set(object, "covariance_ns2", json_number(pair->covariance_ns2));
    json_set(object, "contribution", json_number(pair->contribution));
    json_set(object, "product", json_exact(pair->product));
    return object;
}

/* Readers have a limit for what lies in what, of 256 or less. A node so deep is a leaf, which has
 * the sums of all below it: leaves add up as ever. */
static uint8_t *find_depths(const struct variance_tree *tree)
{
    uint8_t *depths = memory_zeroed(sizeof *depths * tree->node_count);
    for (uint32_t i = 1; i < tree->node_count; i++) {
        uint8_t above = depths[tree->nodes[i].parent];
        depths[i] = above <= MOST_DEPTH ? above + 1 : above;
    }
    return depths;
}

static void say_cut(const struct variance_tree *tree, json_t **objects, const uint8_t *depths)
{
    uint32_t *below = memory_zeroed(sizeof *below * tree->node_count);
    for (uint32_t i = tree->node_count; i-- > 1;)
        if (depths[i] > MOST_DEPTH) {
            below[tree->nodes[i].parent] += 1 + below[i];
            json_decref(objects[i]);
        } else if (below[i]) {
            json_set(objects[i], "cut", json_count(below[i]));
        }
    memory_free(below);
}

/* A parent stands before its children, so no recursion is needed. */
static json_t *tree_json(const struct variance_tree *tree)
{
    uint32_t count = tree->node_count;
    if (count == 0)
        return json_null();
    uint8_t *depths = find_depths(tree);
    json_t **objects = memory_zeroed(sizeof(json_t *) * count);
    uint32_t *position = memory_zeroed(sizeof *position * count);
    for (uint32_t i = 0; i < count; i++)
        objects[i] = node_json(tree, i);
    for (uint32_t i = 0; i < count; i++) {
        json_t *children = json_object_get(objects[i], "children");
        for (uint32_t child = tree->nodes[i].first_child;
             child != NODE_NONE && depths[child] <= MOST_DEPTH;
             child = tree->nodes[child].next_sibling) {
            position[child] = (uint32_t)json_array_size(children);
            json_push(children, objects[child]);
        }
    }
    for (uint32_t i = 0; i < tree->covariance_count; i++) {
        const struct tree_covariance *pair = &tree->covariances[i];
        if (depths[pair->parent] < MOST_DEPTH)
            json_push(json_object_get(objects[pair->parent], "covariances"),
                      covariance_json(pair, position));
    }
    json_t *root = objects[0];
    say_cut(tree, objects, depths);
    memory_free(depths);
    memory_free(objects);
    memory_free(position);
    return root;
}

static json_t *cause_json(const struct outliers *outliers)
{
    const struct ledger_line *cause = outliers->cause;
    if (!cause)
        return json_null();
    json_t *object = json_object();
    json_set(object, "name", json_text(cause->name));
    json_set(object, "kind", json_string(owner_kind_name(cause->kind)));
    json_set(object, "file", json_text(cause->file));
    json_set(object, "line", json_count(cause->line));
    json_set(object, "ns", json_number(outliers->cause_ns));
    return object;
}

/* What is said of the others has the members that a report of all has. */
static json_t *outliers_json(const struct variance_report *report)
{
    const struct outliers *outliers = report->outliers;
    struct variance_report others = *report->others;
    const struct interval_summary *intervals = &others.tree->intervals;
    json_t *object = json_object(), *without = json_object(), *summary = json_object();
    others.of = report->of;
    json_set(object, "count", json_count(outliers->count));
    json_set(object, "part", json_number(outliers->part));
    json_set(object, "least_ns", json_integer(outliers->least_ns));
    json_set(object, "most_ns", json_integer(outliers->most_ns));
    json_set(object, "begin_ns", json_integer(outliers->begin_ns));
    json_set(object, "cause", cause_json(outliers));
    json_set(summary, "count", json_count(intervals->count));
    json_set(summary, "mean_ns", json_number(intervals->mean_ns));
    json_set(summary, "variance_ns2", json_number(intervals->variance_ns2));
    json_set(summary, "p50_ns", json_number(intervals->p50_ns));
    json_set(summary, "p99_ns", json_number(intervals->p99_ns));
    json_set(summary, "max_ns", json_number(intervals->max_ns));
    json_set(without, "intervals", summary);
    variance_write_json(&others, without);
    json_set(object, "without", without);
    return object;
}

void variance_write_json(const struct variance_report *report, json_t *into)
{
    json_set(into, "factors", factors_json(report));
    json_set(into, "tree", tree_json(report->tree));
    if (report->roots)
        json_set(into, "root_ledger", root_ledger_json(report->tree, report->roots));
    if (report->tail)
        json_set(into, "tail", tail_json(report->tree, report->tail));
    if (report->others)
        json_set(into, "outliers", outliers_json(report));
    if (report->waited)
        json_set(into, "waited_for", waited_json(report));
}
