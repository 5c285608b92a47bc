/* vprofiler.compare/1; docs/compare.schema.json is its schema. */
#include "report/variance/compare_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/kit/json_parts.h"

static const char *const metric_keys[METRIC_COUNT] = {"mean", "variance", "p99", "p50", "p999"};

static void set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        BUG("a JSON value could not be made");
}

static json_t *verdict_json(enum verdict verdict)
{
    static const char *const keys[] = {NULL, "not-worse", "inconclusive", "worse"};
    return json_text(keys[verdict]);
}

static json_t *interval_json(const double interval[2])
{
    json_t *array = json_array();
    for (int i = 0; i < 2; i++)
        json_array_append_new(array, json_number(interval[i]));
    return array;
}

static json_t *change_json(const struct change *change, enum metric metric)
{
    if (!change->applies)
        return json_null();
    bool squared = metric == METRIC_VARIANCE;
    json_t *object = json_object();
    set(object, squared ? "a_ns2" : "a_ns", json_number(change->a));
    set(object, squared ? "b_ns2" : "b_ns", json_number(change->b));
    set(object, "change", json_number(change->change));
    set(object, "ci95", interval_json(change->ci95));
    set(object, "verdict", verdict_json(change->verdict));
    if (change->verdict != VERDICT_NONE)
        set(object, "ci95_together", interval_json(change->together));
    if (change->verdict == VERDICT_INCONCLUSIVE)
        set(object, "more", json_number(change->more));
    return object;
}

static void set_changes(json_t *object, const struct comparison_row *row, enum metric end)
{
    for (enum metric m = 0; m < end; m++)
        set(object, metric_keys[m], change_json(&row->changes[m], m));
}

static json_t *factor_json(const struct comparison_row *row)
{
    json_t *object = json_object(), *functions = json_array();
    set(object, "kind", json_text(row->names[1] ? "covariance" : "variance"));
    for (int i = 0; i < 2 && row->names[i]; i++)
        json_array_append_new(functions, json_text(row->names[i]));
    set(object, "functions", functions);
    set(object, "not_timed_in_a", json_text(row->blind[0]));
    set(object, "not_timed_in_b", json_text(row->blind[1]));
    set_changes(object, row, METRIC_JUDGED);
    return object;
}

static json_t *side_json(const struct compare_report *report, int side)
{
    const struct comparison *comparison = report->comparison;
    json_t *object = json_object();
    set(object, "name", json_text(report->names[side]));
    set(object, "intervals", json_integer((json_int_t)comparison->intervals[side]));
    set(object, "runs", json_integer(comparison->runs[side]));
    return object;
}

static json_t *warnings_json(const struct compare_report *report)
{
    json_t *warnings = json_array();
    for (uint32_t i = 0; i < report->warning_count; i++) {
        json_t *warning = json_object();
        set(warning, "code", json_text(report->warnings[i].code));
        set(warning, "message", json_text(report->warnings[i].message));
        json_array_append_new(warnings, warning);
    }
    return warnings;
}

void compare_write_json(const struct compare_report *report, struct str *out)
{
    const struct comparison *comparison = report->comparison;
    json_t *object = json_object(), *latency = json_object(), *factors = json_array();
    set(object, "schema", json_text("vprofiler.compare/1"));
    set(object, "command", json_text(report->command));
    set(object, "verdict", verdict_json(comparison->verdict));
    set(object, "margin", json_number(comparison->margin));
    set(object, "a", side_json(report, 0));
    set(object, "b", side_json(report, 1));
    set(object, "blocks", json_integer(comparison->blocks));
    set(object, "blocks_are_runs", json_boolean(comparison->of_runs));
    set_changes(latency, &comparison->rows[0], METRIC_COUNT);
    set(object, "latency", latency);
    for (uint32_t r = 1; r < comparison->row_count; r++)
        json_array_append_new(factors, factor_json(&comparison->rows[r]));
    set(object, "factors", factors);
    set(object, "warnings", warnings_json(report));
    json_write(object, JSON_INDENT(1) | JSON_PRESERVE_ORDER, out);
}
