/* All reports say this in JSON; docs/report.schema.json is the schema of one of variance. */
#include "base/utf8.h"
#include "report/kit/report.h"

#include <jansson.h>

#include "base/memory.h"
#include "report/kit/json_parts.h"

static json_t *types_json(const struct interval_summary *intervals)
{
    json_t *types = json_array();
    for (uint32_t i = 0; i < intervals->type_count; i++) {
        const struct interval_type_summary *type = &intervals->types[i];
        json_t *object = json_object();
        json_set(object, "name", json_text(type->name ? type->name : ""));
        json_set(object, "count", json_count(type->count));
        json_set(object, "mean_ns", json_number(type->mean_ns));
        json_set(object, "variance_ns2", json_number(type->variance_ns2));
        json_set(object, "sum", json_exact(type->sum));
        json_set(object, "square", json_exact(type->square));
        json_push(types, object);
    }
    return types;
}

static json_t *values_json(const struct interval_summary *intervals)
{
    json_t *values = json_array();
    for (uint32_t i = 0; i < intervals->work.value_count; i++) {
        const struct interval_value_summary *value = &intervals->work.values[i];
        json_t *object = json_object(), *moments = json_object();
        json_set(object, "name", json_text(value->name));
        json_set(object, "count", json_count(value->count));
        json_set(object, "mean", json_number(value->mean));
        json_set(object, "slope_ns", json_number(value->slope_ns));
        json_set(object, "explained", json_number(value->explained));
        json_set(object, "ci95", json_interval95(value->ci95));
        json_set(moments, "sum", json_exact(value->sum));
        json_set(moments, "square", json_exact(value->square));
        json_set(moments, "latency", json_exact(value->latency));
        json_set(object, "moments", moments);
        json_push(values, object);
    }
    return values;
}

static json_t *histogram_json(const struct histogram *histogram)
{
    json_t *object = json_object(), *bins = json_array();
    for (uint32_t i = 0; i < histogram->bin_count; i++) {
        json_t *bin = json_object();
        json_set(bin, "from_ns", json_integer(histogram->edges[i]));
        json_set(bin, "to_ns", json_integer(histogram->edges[i + 1]));
        json_set(bin, "count", json_count(histogram->counts[i]));
        json_push(bins, bin);
    }
    json_set(object, "scale", json_string(histogram->logarithmic ? "logarithmic" : "linear"));
    json_set(object, "bins", bins);
    return object;
}

static json_t *intervals_json(const struct interval_summary *intervals)
{
    json_t *object = json_object();
    json_set(object, "count", json_count(intervals->count));
    json_set(object, "incomplete", json_count(intervals->incomplete));
    json_set(object, "mean_ns", json_number(intervals->mean_ns));
    json_set(object, "variance_ns2", json_number(intervals->variance_ns2));
    json_set(object, "stddev_ns", json_number(intervals->stddev_ns));
    json_set(object, "min_ns", json_number(intervals->min_ns));
    json_set(object, "p50_ns", json_number(intervals->p50_ns));
    json_set(object, "p95_ns", json_number(intervals->p95_ns));
    json_set(object, "p99_ns", json_number(intervals->p99_ns));
    json_set(object, "p999_ns", json_number(intervals->p999_ns));
    json_set(object, "max_ns", json_number(intervals->max_ns));
    json_set(object, "tail_count", json_count(intervals->tail_count));
    json_set(object, "histogram", histogram_json(&intervals->histogram));
    json_set(object, "types", types_json(intervals));
    if (intervals->type_count) {
        json_set(object, "between_types_ns2", json_number(intervals->between_types_ns2));
        json_set(object, "within_types_ns2", json_number(intervals->within_types_ns2));
    }
    json_set(object, "values", values_json(intervals));
    if (intervals->work.value_count)
        json_set(object, "values_explained", json_number(intervals->work.values_explained));
    return object;
}

static json_t *range_json(int64_t start_ns, int64_t end_ns)
{
    json_t *object = json_object();
    json_set(object, "start_ns", json_integer(start_ns));
    json_set(object, "end_ns", json_integer(end_ns));
    return object;
}

static json_t *lane_json(const struct track *track)
{
    json_t *object = json_object(), *worked = json_array(), *array = json_array();
    size_t count;
    struct track_span *spans = track_spans(track, &count);
    for (size_t i = 0; i < track->worked_count; i++)
        json_push(worked, range_json(track->worked[i].start_ns, track->worked[i].end_ns));
    for (size_t i = 0; i < count; i++) {
        json_t *span = range_json(spans[i].start_ns, spans[i].end_ns);
        json_set(span, "name", json_text(spans[i].name));
        json_set(span, "depth", json_count(spans[i].depth));
        json_set(span, "blocked", json_boolean(spans[i].blocked));
        json_push(array, span);
    }
    json_set(object, "pid", json_count(track->pid));
    json_set(object, "tid", json_count(track->tid));
    json_set(object, "worked", worked);
    json_set(object, "spans", array);
    memory_free(spans);
    return object;
}

static json_t *arrow_json(const struct track_arrow *arrow)
{
    json_t *object = json_object();
    json_set(object, "kind", json_string(arrow->task ? "task" : "wake-up"));
    json_set(object, "from", json_count(arrow->from));
    json_set(object, "from_ns", json_integer(arrow->from_ns));
    json_set(object, "to", json_count(arrow->to));
    json_set(object, "to_ns", json_integer(arrow->to_ns));
    return object;
}

static json_t *timeline_json(const struct track_view *view)
{
    json_t *object = json_object(), *lanes = json_array(), *arrows = json_array();
    for (uint32_t i = 0; i < view->track_count; i++)
        json_push(lanes, lane_json(&view->tracks[i]));
    for (uint32_t i = 0; i < view->arrow_count; i++)
        json_push(arrows, arrow_json(&view->arrows[i]));
    json_set(object, "what", json_text(view->what));
    json_set(object, "interval", json_count(view->number));
    json_set(object, "type", json_text(view->type ? view->type : ""));
    json_set(object, "latency_ns", json_integer(view->latency_ns));
    json_set(object, "lanes", lanes);
    json_set(object, "arrows", arrows);
    json_set(object, "left_out", json_count(view->left_out));
    json_set(object, "least_ns", json_integer(view->least_ns));
    json_set(object, "left_out_lanes", json_count(view->left_out_tracks));
    return object;
}

static json_t *timelines_json(const struct report *report)
{
    json_t *timelines = json_array();
    for (uint32_t i = 0; i < report->timeline_count; i++)
        json_push(timelines, timeline_json(&report->timelines[i]));
    return timelines;
}

static json_t *origin_json(const struct report_origin *origin)
{
    json_t *object = json_object();
    json_set(object, "command", json_text(origin->command));
    json_set(object, "commit", json_text(origin->commit));
    json_set(object, "compiler", json_text(origin->compiler));
    json_set(object, "host", json_text(origin->host));
    json_set(object, "clock", json_text(origin->clock));
    json_set(object, "date", json_text(origin->date));
    return object;
}

static void write_part(const struct report *report, const struct report_part *part, json_t *into)
{
    if (part->family->json)
        part->family->json(report, part->result, into);
}

/* The first family's members stand in the report itself, those of each other in an object. */
static void write_parts(const struct report *report, json_t *into)
{
    for (uint32_t i = 0; i < report->part_count; i++) {
        const struct report_part *part = &report->parts[i];
        json_t *object = i ? json_object() : into;
        if (i) {
            json_set(object, "schema", json_string(part->family->schema));
            json_set(into, part->family->name, object);
        }
        write_part(report, part, object);
    }
}

static json_t *headline_json(const struct report *report)
{
    enum { NAME_COLUMNS = 100 };
    struct str text = {0};
    report_write_headline(report, NAME_COLUMNS, true, &text);
    json_t *headline = json_text(str_text(&text));
    str_release(&text);
    return headline;
}

void report_write_json(const struct report *report, struct str *out)
{
    json_t *object = json_object();
    json_set(object, "schema", json_string(report_schema(report)));
    json_set(object, "target", json_text(report->target));
    json_set(object, "headline", headline_json(report));
    json_set(object, "rounds", json_count(report->rounds));
    if (report->going_on)
        json_set(object, "going_on", json_true());
    if (report->most_rounds)
        json_set(object, "max_rounds", json_count(report->most_rounds));
    json_set(object, "top", json_count(report->top));
    json_set(object, "threshold", json_number(report->threshold));
    json_set(object, "functions_known", json_count(report->functions_known));
    json_set(object, "functions_timed", json_count(report->functions_timed));
    if (report->inferred)
        json_set(object, "inferred", json_true());
    if (report->intervals) {
        json_set(object, "intervals", intervals_json(report->intervals));
        json_set(object, "coverage", json_number(report->coverage));
    }
    json_set(object, "lost_records", json_count(report->lost_records));
    write_parts(report, object);
    json_set(object, "timelines", timelines_json(report));
    json_set(object, "warnings", json_warnings(report->warnings, report->warning_count));
    json_set(object, "notes", json_warnings(report->notes, report->note_count));
    json_set(object, "origin", origin_json(&report->origin));
    json_write(object, JSON_INDENT(1), out);
    str_append_char(out, '\n');
}
