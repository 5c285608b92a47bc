/* The JSON is vprofiler.compare/1; docs/compare.schema.json is its schema. */
#include "report/variance/compare_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/kit/json_parts.h"
#include "report/variance/compare_words.h"

static const char *const metric_keys[METRIC_COUNT] = {"mean", "variance", "p99", "p50", "p999"};

static const char *const starved_keys[] = {NULL, "a", "b"};

/* The verdict is the answer to "is it worse?", as it was before there were four. */
static json_t *verdict_json(enum verdict verdict, bool not_worse)
{
    if (verdict == VERDICT_NONE)
        return json_null();
    return json_text(verdict == VERDICT_WORSE ? "worse" : not_worse ? "not-worse" : "inconclusive");
}

static json_t *gap_json(enum change_gap gap)
{
    static const char *const keys[] = {NULL, "few-intervals", "zero", "latency-unsure"};
    return json_text(keys[gap]);
}

static void set_more(json_t *object, double more)
{
    bool known = more <= CHANGE_MOST_TIMES;
    json_set(object, "more", known ? json_number(more) : json_null());
    if (!known)
        json_set(object, "more_than", json_integer(CHANGE_MOST_TIMES));
}

static json_t *change_json(const struct change *change, enum metric metric)
{
    if (!change->applies)
        return json_null();
    bool squared = metric == METRIC_VARIANCE;
    json_t *object = json_object();
    json_set(object, squared ? "a_ns2" : "a_ns", json_number(change->a));
    json_set(object, squared ? "b_ns2" : "b_ns", json_number(change->b));
    json_set(object, "change", json_number(change->change));
    json_set(object, "ci95", json_interval95(change->ci95));
    json_set(object, "no_interval", gap_json(change->gap));
    json_set(object, "verdict", verdict_json(change->verdict, change->not_worse));
    json_set(object, "finding", json_text(verdict_key(change->verdict)));
    if (change->verdict != VERDICT_NONE) {
        json_set(object, "ci95_together", json_interval95(change->together));
        json_set(object, "margins", json_interval95(change->margins));
    }
    if (change->verdict == VERDICT_INCONCLUSIVE)
        set_more(object, change->more);
    return object;
}

static void set_changes(json_t *object, const struct comparison_row *row, enum metric end)
{
    for (enum metric m = 0; m < end; m++)
        json_set(object, metric_keys[m], change_json(&row->changes[m], m));
}

static json_t *factor_json(const struct comparison_row *row)
{
    json_t *object = json_object(), *functions = json_array();
    json_set(object, "kind", json_text(row->names[1] ? "covariance" : "variance"));
    for (int i = 0; i < 2 && row->names[i]; i++)
        json_array_append_new(functions, json_text(row->names[i]));
    json_set(object, "functions", functions);
    json_set(object, "not_timed_in_a", json_text(row->blind[0]));
    json_set(object, "not_timed_in_b", json_text(row->blind[1]));
    json_set(object, "file", json_text(row->file && *row->file ? row->file : NULL));
    json_set(object, "line", row->line ? json_integer(row->line) : json_null());
    set_changes(object, row, METRIC_JUDGED);
    return object;
}

static json_t *node_json(const struct difference_node *node)
{
    json_t *object = json_object();
    json_set(object, "parent",
             node->parent == NODE_NONE ? json_null() : json_integer(node->parent));
    json_set(object, "kind", json_text(node_kind_name(node->kind)));
    json_set(object, "name", json_text(node->name));
    json_set(object, "file", json_text(*node->file ? node->file : NULL));
    json_set(object, "line", node->line ? json_integer(node->line) : json_null());
    json_set(object, "not_compared_for", json_text(node->blind));
    json_set(object, "mean", change_json(&node->changes[DIFFERENCE_MEAN], METRIC_MEAN));
    json_set(object, "covariance",
             change_json(&node->changes[DIFFERENCE_VARIANCE], METRIC_VARIANCE));
    return object;
}

static json_t *tree_json(const struct difference *difference)
{
    json_t *array = json_array();
    for (uint32_t n = 0; n < difference->node_count; n++)
        json_push(array, node_json(&difference->nodes[n]));
    return array;
}

static json_t *root_json(const struct root_change *line)
{
    json_t *object = json_object();
    json_set(object, "kind", json_text(owner_kind_name(line->kind)));
    json_set(object, "name", json_text(line->name));
    json_set(object, "file", json_text(*line->file ? line->file : NULL));
    json_set(object, "line", line->line ? json_integer(line->line) : json_null());
    json_set(object, "mean", change_json(&line->changes[DIFFERENCE_MEAN], METRIC_MEAN));
    json_set(object, "covariance",
             change_json(&line->changes[DIFFERENCE_VARIANCE], METRIC_VARIANCE));
    return object;
}

static json_t *roots_json(const struct root_difference *roots)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < roots->count; i++)
        json_push(array, root_json(&roots->lines[i]));
    return array;
}

static json_t *histograms_json(const struct histogram histograms[2])
{
    json_t *object = json_object(), *edges = json_array();
    for (uint32_t i = 0; i <= histograms[0].bin_count && histograms[0].bin_count; i++)
        json_push(edges, json_integer(histograms[0].edges[i]));
    json_set(object, "edges_ns", edges);
    for (int s = 0; s < 2; s++) {
        json_t *counts = json_array();
        for (uint32_t i = 0; i < histograms[s].bin_count; i++)
            json_push(counts, json_count(histograms[s].counts[i]));
        json_set(object, s ? "b" : "a", counts);
    }
    return object;
}

static json_t *side_json(const struct compare_report *report, int side)
{
    const struct comparison *comparison = report->comparison;
    json_t *object = json_object();
    json_set(object, "name", json_text(report->names[side]));
    json_set(object, "command", json_text(report->commands[side]));
    json_set(object, "intervals", json_integer((json_int_t)comparison->intervals[side]));
    json_set(object, "runs", json_integer(comparison->runs[side]));
    double waited = comparison->waited[side];
    json_set(object, "waited_for_processor", waited < 0 ? json_null() : json_number(waited));
    return object;
}

static json_t *warnings_json(const struct compare_report *report)
{
    json_t *warnings = json_array();
    for (uint32_t i = 0; i < report->warning_count; i++) {
        json_t *warning = json_object();
        json_set(warning, "code", json_text(report->warnings[i].code));
        json_set(warning, "message", json_text(report->warnings[i].message));
        json_array_append_new(warnings, warning);
    }
    return warnings;
}

/* Each part stands in an object of its family's name. */
static void write_parts(const struct compare_report *report, json_t *into)
{
    for (uint32_t i = 0; i < report->part_count; i++) {
        const struct compared_part *part = &report->parts[i];
        json_t *object = json_object();
        json_set(object, "schema", json_string(part->family->schema));
        if (part->family->compare_json)
            part->family->compare_json(part->results[0], part->results[1], object);
        json_set(into, part->family->name, object);
    }
}

void compare_write_json(const struct compare_report *report, struct str *out)
{
    const struct comparison *comparison = report->comparison;
    json_t *object = json_object(), *latency = json_object(), *factors = json_array();
    json_set(object, "schema", json_text("vprofiler.compare/1"));
    json_set(object, "command", json_text(report->command));
    json_set(object, "verdict", verdict_json(comparison->verdict, !comparison->may_be_worse));
    json_set(object, "finding", json_text(verdict_key(comparison->verdict)));
    json_set(object, "starved", json_text(starved_keys[comparison->starved]));
    json_set(object, "margin", json_number(comparison->margin));
    json_set(object, "a", side_json(report, 0));
    json_set(object, "b", side_json(report, 1));
    json_set(object, "blocks", json_integer(comparison->blocks));
    json_set(object, "blocks_are_runs", json_boolean(comparison->of_runs));
    set_changes(latency, &comparison->rows[0], METRIC_COUNT);
    json_set(object, "latency", latency);
    for (uint32_t r = 1; r < comparison->row_count; r++)
        json_array_append_new(factors, factor_json(&comparison->rows[r]));
    json_set(object, "factors", factors);
    json_set(object, "root_ledger", roots_json(&comparison->roots));
    json_set(object, "tree", tree_json(&comparison->difference));
    json_set(object, "histograms", histograms_json(comparison->histograms));
    write_parts(report, object);
    json_set(object, "warnings", warnings_json(report));
    json_write(object, JSON_INDENT(1) | JSON_PRESERVE_ORDER, out);
}
