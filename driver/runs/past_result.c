#include "driver/runs/past_result.h"

#include <jansson.h>
#include <string.h>

#include "base/file.h"
#include "driver/runs/result_file.h"

/* Loads a report; NULL where the file is not there or is no JSON. */
static json_t *load_report(const char *folder, const char *name)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", folder, name);
    json_t *report = file_exists(path.data) ? json_load_file(path.data, 0, NULL) : NULL;
    str_release(&path);
    return report;
}

static uint32_t take_count(const json_t *object, const char *key)
{
    return (uint32_t)json_integer_value(json_object_get(object, key));
}

static const char *take_warning(struct arena *arena, const json_t *report, const char *code)
{
    size_t i;
    json_t *warning;
    json_array_foreach(json_object_get(report, "warnings"), i, warning)
    {
        const char *its_code = json_string_value(json_object_get(warning, "code"));
        if (its_code && strcmp(its_code, code) == 0)
            return result_file_text(arena, warning, "message");
    }
    return NULL;
}

static void take_report(struct past_result *past, struct arena *arena, const json_t *report)
{
    const json_t *origin = json_object_get(report, "origin");
    past->known = true;
    past->target = result_file_text(arena, report, "target");
    past->rounds = take_count(report, "rounds");
    past->top = take_count(report, "top");
    past->threshold = json_number_value(json_object_get(report, "threshold"));
    past->functions_timed = take_count(report, "functions_timed");
    past->warnings =
        (struct outcome_past){.latency_shift = take_warning(arena, report, "latency-shift"),
                              .skipped = take_warning(arena, report, "skipped"),
                              .lost_probes = take_warning(arena, report, "lost-probes"),
                              .stopped = take_warning(arena, report, "stopped-early"),
                              .hot = take_warning(arena, report, "hot-functions")};
    past->origin = (struct report_origin){.command = result_file_text(arena, origin, "command"),
                                          .commit = result_file_text(arena, origin, "commit"),
                                          .compiler = result_file_text(arena, origin, "compiler"),
                                          .host = result_file_text(arena, origin, "host"),
                                          .clock = result_file_text(arena, origin, "clock"),
                                          .date = result_file_text(arena, origin, "date")};
}

void past_result_read(struct past_result *past, struct arena *arena,
                      const struct trace_source *source)
{
    *past = (struct past_result){0};
    if (!source->round)
        return;
    json_t *report = source->result ? load_report(source->result, "report.json") : NULL;
    if (!report)
        report = load_report(source->round, "report.json");
    if (report)
        take_report(past, arena, report);
    json_decref(report);
}
