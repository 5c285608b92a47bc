/* vprofiler.variance/1; docs/report.schema.json is its schema. */
#include "base/utf8.h"
#include "report/kit/report.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/kit/json_parts.h"
#include "report/kit/number.h"
#include "report/variance/headline.h"

enum { MOST_DEPTH = 100 };

#define FACTOR_LEAST                                                                               \
    0.001 /* |contribution| below which a factor that is not among the first goes unlisted */

json_t *json_text(const char *text)
{
    if (!text)
        return json_null();
    struct str clean = {0};
    utf8_clean(&clean, text);
    json_t *value = json_stringn(str_text(&clean), clean.length);
    str_release(&clean);
    return value;
}

json_t *json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *json_count(uint64_t count)
{
    return json_integer((json_int_t)count);
}

static json_t *json_exact(__int128 value)
{
    return json_string(number_exact(value).text);
}

static void set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        BUG("a JSON value could not be made");
}

static void push(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        BUG("a JSON value could not be made");
}

static json_t *json_ci95(const double ci95[2])
{
    json_t *array = json_array();
    push(array, json_number(ci95[0]));
    push(array, json_number(ci95[1]));
    return array;
}

static json_t *types_json(const struct interval_summary *intervals)
{
    json_t *types = json_array();
    for (uint32_t i = 0; i < intervals->type_count; i++) {
        const struct interval_type_summary *type = &intervals->types[i];
        json_t *object = json_object();
        set(object, "name", json_text(type->name ? type->name : ""));
        set(object, "count", json_count(type->count));
        set(object, "mean_ns", json_number(type->mean_ns));
        set(object, "variance_ns2", json_number(type->variance_ns2));
        set(object, "sum", json_exact(type->sum));
        set(object, "square", json_exact(type->square));
        push(types, object);
    }
    return types;
}

static json_t *values_json(const struct interval_summary *intervals)
{
    json_t *values = json_array();
    for (uint32_t i = 0; i < intervals->work.value_count; i++) {
        const struct interval_value_summary *value = &intervals->work.values[i];
        json_t *object = json_object(), *moments = json_object();
        set(object, "name", json_text(value->name));
        set(object, "count", json_count(value->count));
        set(object, "mean", json_number(value->mean));
        set(object, "slope_ns", json_number(value->slope_ns));
        set(object, "explained", json_number(value->explained));
        set(object, "ci95", json_ci95(value->ci95));
        set(moments, "sum", json_exact(value->sum));
        set(moments, "square", json_exact(value->square));
        set(moments, "latency", json_exact(value->latency));
        set(object, "moments", moments);
        push(values, object);
    }
    return values;
}

static json_t *histogram_json(const struct histogram *histogram)
{
    json_t *object = json_object(), *bins = json_array();
    for (uint32_t i = 0; i < histogram->bin_count; i++) {
        json_t *bin = json_object();
        set(bin, "from_ns", json_integer(histogram->edges[i]));
        set(bin, "to_ns", json_integer(histogram->edges[i + 1]));
        set(bin, "count", json_count(histogram->counts[i]));
        push(bins, bin);
    }
    set(object, "scale", json_string(histogram->logarithmic ? "logarithmic" : "linear"));
    set(object, "bins", bins);
    return object;
}

static json_t *intervals_json(const struct interval_summary *intervals)
{
    json_t *object = json_object();
    set(object, "count", json_count(intervals->count));
    set(object, "incomplete", json_count(intervals->incomplete));
    set(object, "mean_ns", json_number(intervals->mean_ns));
    set(object, "variance_ns2", json_number(intervals->variance_ns2));
    set(object, "stddev_ns", json_number(intervals->stddev_ns));
    set(object, "min_ns", json_number(intervals->min_ns));
    set(object, "p50_ns", json_number(intervals->p50_ns));
    set(object, "p95_ns", json_number(intervals->p95_ns));
    set(object, "p99_ns", json_number(intervals->p99_ns));
    set(object, "p999_ns", json_number(intervals->p999_ns));
    set(object, "max_ns", json_number(intervals->max_ns));
    set(object, "tail_count", json_count(intervals->tail_count));
    set(object, "histogram", histogram_json(&intervals->histogram));
    set(object, "types", types_json(intervals));
    if (intervals->type_count) {
        set(object, "between_types_ns2", json_number(intervals->between_types_ns2));
        set(object, "within_types_ns2", json_number(intervals->within_types_ns2));
    }
    set(object, "values", values_json(intervals));
    if (intervals->work.value_count)
        set(object, "values_explained", json_number(intervals->work.values_explained));
    return object;
}

static json_t *tail_part_json(const struct variance_tree *tree, const struct tail_part *part)
{
    const struct tree_node *node = &tree->nodes[part->node];
    json_t *object = json_object();
    set(object, "name", json_text(part->name));
    set(object, "kind", json_string(node_kind_name(node->kind)));
    set(object, "file", json_text(node->file ? node->file : ""));
    set(object, "line", json_count(node->line));
    set(object, "places", json_count(part->places));
    set(object, "share", json_number(part->share));
    set(object, "from_ns", json_integer(part->from_ns));
    set(object, "to_ns", json_integer(part->to_ns));
    set(object, "sum", json_exact(part->sum));
    set(object, "tail", json_exact(part->tail));
    return object;
}

static json_t *tail_json(const struct variance_tree *tree, const struct tail_ledger *tail)
{
    json_t *object = json_object(), *parts = json_array();
    for (uint32_t i = 0; i < tail->count; i++)
        push(parts, tail_part_json(tree, &tail->parts[i]));
    set(object, "mean_ns", json_integer(tail->mean_ns));
    set(object, "slow_ns", json_integer(tail->slow_ns));
    set(object, "parts", parts);
    return object;
}

static uint32_t depth_of(const struct variance_tree *tree, uint32_t node)
{
    uint32_t depth = 0;
    for (; node != 0 && node != NODE_NONE; node = tree->nodes[node].parent)
        depth++;
    return depth;
}

/* From the interval's first callee to `node`; the interval itself is not named. Of a long one both
 * ends, with "..." between. */
static json_t *path_json(const struct variance_tree *tree, uint32_t node)
{
    json_t *path = json_array();
    uint32_t depth = depth_of(tree, node), left = depth;
    for (; left > 0; left--, node = tree->nodes[node].parent) {
        bool inner = depth > MOST_DEPTH && left > MOST_DEPTH / 2 && depth - left >= MOST_DEPTH / 2;
        const char *name = inner ? "..." : tree->nodes[node].name;
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
        set(object, "path", path_json(tree, last));
        set(object, "file", json_text(tree->nodes[site->a].file ? tree->nodes[site->a].file : ""));
        set(object, "line", json_count(tree->nodes[site->a].line));
        set(object, "contribution", json_number(site->contribution));
        push(sites, object);
    }
    return sites;
}

static json_t *factor_json(const struct report *report, const struct factor *factor)
{
    bool pair = factor->kind == FACTOR_COVARIANCE;
    json_t *object = json_object(), *functions = json_array();
    push(functions, json_text(factor->names[0]));
    if (pair)
        push(functions, json_text(factor->names[1]));
    set(object, "rank", json_count(factor->rank));
    set(object, "kind", json_string(pair ? "covariance" : "variance"));
    set(object, "functions", functions);
    set(object, "selected", json_boolean(factor_selected(report, factor)));
    set(object, "contribution", json_number(factor->contribution));
    set(object, "ci95", json_ci95(factor->ci95));
    set(object, "share", json_number(factor->share));
    set(object, "share_ci95", json_ci95(factor->share_ci95));
    set(object, "tail_share", json_number(factor->tail_share));
    set(object, "score", json_number(factor->score));
    set(object, "mean_ns", json_number(factor_mean_ns(report->tree, factor)));
    set(object, "height", json_count(factor->height));
    set(object, "specificity", json_number(factor->specificity));
    set(object, "rival", factor->rival ? json_count(factor->rival) : json_null());
    set(object, "separated", json_boolean(factor->separated));
    set(object, "sites", sites_json(report->tree, factor));
    return object;
}

static json_t *factors_json(const struct report *report)
{
    json_t *factors = json_array();
    for (uint32_t i = 0; i < factor_count(report); i++) {
        const struct factor *factor = &report->factors->factors[i];
        if (factor->rank <= report->top || fabs(factor->contribution) >= FACTOR_LEAST)
            push(factors, factor_json(report, factor));
    }
    return factors;
}

static json_t *waited_json(const struct report *report)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < report->waited->count; i++) {
        const struct waited *waited = &report->waited->items[i];
        const struct tree_node *node = &report->tree->nodes[waited->node];
        json_t *object = json_object();
        set(object, "name", json_text(waited->name));
        set(object, "file", json_text(node->file ? node->file : ""));
        set(object, "line", json_count(node->line));
        set(object, "places", json_count(waited->sites));
        set(object, "mean_ns", json_number(waited->mean_ns));
        set(object, "contribution", json_number(waited->contribution));
        set(object, "ci95", json_ci95(waited->ci95));
        set(object, "share", json_number(waited->share));
        set(object, "share_ci95", json_ci95(waited->share_ci95));
        set(object, "tail_share", json_number(waited->tail_share));
        push(array, object);
    }
    return array;
}

static json_t *moments_json(const struct moments *moments)
{
    json_t *object = json_object();
    set(object, "sum", json_exact(moments->sum));
    set(object, "square", json_exact(moments->square));
    set(object, "latency", json_exact(moments->latency));
    set(object, "tail", json_exact(moments->tail));
    return object;
}

static json_t *node_json(const struct variance_tree *tree, uint32_t index)
{
    const struct tree_node *node = &tree->nodes[index];
    uint64_t count = tree->intervals.count;
    json_t *object = json_object();
    set(object, "name", json_text(node->name));
    set(object, "kind", json_string(node_kind_name(node->kind)));
    set(object, "file", json_text(node->file ? node->file : ""));
    set(object, "line", json_count(node->line));
    set(object, "calls", json_count(node->calls));
    set(object, "calls_per_interval", json_number(count ? (double)node->calls / (double)count : 0));
    set(object, "mean_ns", json_number(node->mean_ns));
    set(object, "variance_ns2", json_number(node->variance_ns2));
    set(object, "contribution", json_number(node->contribution));
    set(object, "share", json_number(node->share));
    set(object, "tail_share", json_number(node->tail_share));
    set(object, "height", json_count(node->height));
    set(object, "blamed", json_boolean(node->blamed));
    set(object, "moments", moments_json(&node->moments));
    set(object, "children", json_array());
    set(object, "covariances", json_array());
    return object;
}

static json_t *covariance_json(const struct tree_covariance *pair, const uint32_t *position)
{
    json_t *object = json_object();
    set(object, "a", json_count(position[pair->a]));
    set(object, "b", json_count(position[pair->b]));
    set(object, "covariance_ns2", json_number(pair->covariance_ns2));
    set(object, "contribution", json_number(pair->contribution));
    set(object, "product", json_exact(pair->product));
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
            set(objects[i], "cut", json_count(below[i]));
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
            push(children, objects[child]);
        }
    }
    for (uint32_t i = 0; i < tree->covariance_count; i++) {
        const struct tree_covariance *pair = &tree->covariances[i];
        if (depths[pair->parent] < MOST_DEPTH)
            push(json_object_get(objects[pair->parent], "covariances"),
                 covariance_json(pair, position));
    }
    json_t *root = objects[0];
    say_cut(tree, objects, depths);
    memory_free(depths);
    memory_free(objects);
    memory_free(position);
    return root;
}

static json_t *stretch_json(int64_t start_ns, int64_t end_ns)
{
    json_t *object = json_object();
    set(object, "start_ns", json_integer(start_ns));
    set(object, "end_ns", json_integer(end_ns));
    return object;
}

static json_t *lane_json(const struct track *track)
{
    json_t *object = json_object(), *worked = json_array(), *array = json_array();
    size_t count;
    struct track_span *spans = track_spans(track, &count);
    for (size_t i = 0; i < track->worked_count; i++)
        push(worked, stretch_json(track->worked[i].start_ns, track->worked[i].end_ns));
    for (size_t i = 0; i < count; i++) {
        json_t *span = stretch_json(spans[i].start_ns, spans[i].end_ns);
        set(span, "name", json_text(spans[i].name));
        set(span, "depth", json_count(spans[i].depth));
        set(span, "blocked", json_boolean(spans[i].blocked));
        push(array, span);
    }
    set(object, "pid", json_count(track->pid));
    set(object, "tid", json_count(track->tid));
    set(object, "worked", worked);
    set(object, "spans", array);
    memory_free(spans);
    return object;
}

static json_t *arrow_json(const struct track_arrow *arrow)
{
    json_t *object = json_object();
    set(object, "kind", json_string(arrow->task ? "task" : "wake-up"));
    set(object, "from", json_count(arrow->from));
    set(object, "from_ns", json_integer(arrow->from_ns));
    set(object, "to", json_count(arrow->to));
    set(object, "to_ns", json_integer(arrow->to_ns));
    return object;
}

static json_t *timeline_json(const struct track_view *view)
{
    json_t *object = json_object(), *lanes = json_array(), *arrows = json_array();
    for (uint32_t i = 0; i < view->track_count; i++)
        push(lanes, lane_json(&view->tracks[i]));
    for (uint32_t i = 0; i < view->arrow_count; i++)
        push(arrows, arrow_json(&view->arrows[i]));
    set(object, "what", json_text(view->what));
    set(object, "interval", json_count(view->number));
    set(object, "type", json_text(view->type ? view->type : ""));
    set(object, "latency_ns", json_integer(view->latency_ns));
    set(object, "lanes", lanes);
    set(object, "arrows", arrows);
    set(object, "left_out", json_count(view->left_out));
    set(object, "least_ns", json_integer(view->least_ns));
    set(object, "left_out_lanes", json_count(view->left_out_tracks));
    return object;
}

static json_t *timelines_json(const struct report *report)
{
    json_t *timelines = json_array();
    for (uint32_t i = 0; i < report->timeline_count; i++)
        push(timelines, timeline_json(&report->timelines[i]));
    return timelines;
}

static json_t *warnings_json(const struct report_warning *items, uint32_t count)
{
    json_t *warnings = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_t *object = json_object();
        set(object, "code", json_text(items[i].code));
        set(object, "message", json_text(items[i].message));
        push(warnings, object);
    }
    return warnings;
}

static json_t *origin_json(const struct report_origin *origin)
{
    json_t *object = json_object();
    set(object, "command", json_text(origin->command));
    set(object, "commit", json_text(origin->commit));
    set(object, "compiler", json_text(origin->compiler));
    set(object, "host", json_text(origin->host));
    set(object, "clock", json_text(origin->clock));
    set(object, "date", json_text(origin->date));
    return object;
}

void json_write(json_t *value, size_t flags, struct str *out)
{
    char *text = json_dumps(value, flags);
    if (!text)
        BUG("a JSON text could not be made");
    utf8_escape_json(out, text);
    free(text);
    json_decref(value);
}

void report_write_json(const struct report *report, struct str *out)
{
    json_t *object = json_object();
    set(object, "schema", json_string("vprofiler.variance/1"));
    set(object, "target", json_text(report->target));
    set(object, "rounds", json_count(report->rounds));
    if (report->going_on)
        set(object, "going_on", json_true());
    if (report->most_rounds)
        set(object, "max_rounds", json_count(report->most_rounds));
    set(object, "top", json_count(report->top));
    set(object, "threshold", json_number(report->threshold));
    set(object, "functions_known", json_count(report->functions_known));
    set(object, "functions_timed", json_count(report->functions_timed));
    set(object, "intervals", intervals_json(&report->tree->intervals));
    set(object, "coverage", json_number(report->tree->coverage));
    set(object, "lost_records", json_count(report->lost_records));
    set(object, "factors", factors_json(report));
    set(object, "tree", tree_json(report->tree));
    if (report->tail)
        set(object, "tail", tail_json(report->tree, report->tail));
    if (report->waited)
        set(object, "waited_for", waited_json(report));
    set(object, "timelines", timelines_json(report));
    set(object, "warnings", warnings_json(report->warnings, report->warning_count));
    set(object, "notes", warnings_json(report->notes, report->note_count));
    set(object, "origin", origin_json(&report->origin));
    json_write(object, JSON_INDENT(1), out);
    str_append_char(out, '\n');
}
