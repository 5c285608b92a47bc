#include "base/memory.h"
#include "report/kit/json_parts.h"
#include "report/waits/request_report.h"

static const char *const kinds[] = {
    [TIME_RUNS] = "runs",   [TIME_PROCESSOR] = "processor", [TIME_WAKES] = "wakes",
    [TIME_WAITS] = "waits", [TIME_QUEUE] = "queue",         [TIME_UNEXPLAINED] = "unexplained"};

static json_t *json_estimate(const struct wait_share *estimate)
{
    json_t *object = json_object();
    json_set(object, "value", json_number(estimate->value));
    json_set(object, "ci95", json_interval95(estimate->ci95));
    return object;
}

static json_t *json_group(uint32_t group)
{
    return group == NO_GROUP ? json_null() : json_count(group);
}

static json_t *json_part(const struct request_part *part, bool leaf)
{
    json_t *object = json_object();
    if (leaf)
        json_set(object, "kind", json_text(kinds[part->kind]));
    json_set(object, "from", json_group(part->from));
    json_set(object, "to", json_group(part->to));
    json_set(object, "mean_ns", json_estimate(&part->mean_ns));
    json_set(object, "share", json_number(part->share));
    json_set(object, "variance_share", json_estimate(&part->of_variance));
    json_set(object, "slow_ns", json_number(part->slow_ns));
    json_set(object, "slower_ns", json_estimate(&part->slower_ns));
    return object;
}

static json_t *json_parts(const struct by_request *requests, bool leaves)
{
    const struct request_parts *parts = leaves ? &requests->leaves : &requests->edges;
    const struct request_part **order = request_parts_by_weight(parts, requests->slow_first);
    json_t *array = json_array();
    for (uint32_t i = 0; i < parts->count; i++)
        json_push(array, json_part(order[i], leaves));
    memory_free(order);
    return array;
}

json_t *requests_json(const struct by_request *requests)
{
    if (!requests->count)
        return json_null();
    json_t *object = json_object();
    json_set(object, "type", json_text(requests->type));
    json_set(object, "count", json_count(requests->count));
    json_set(object, "slow_count", json_count(requests->slow_count));
    json_set(object, "mean_ns", json_estimate(&requests->latency.mean_ns));
    json_set(object, "sd_ns", json_number(requests->sd_ns));
    json_set(object, "p99_ns", json_number(requests->p99_ns));
    json_set(object, "slow_ns", json_number(requests->latency.slow_ns));
    json_set(object, "leaves", json_parts(requests, true));
    json_set(object, "edges", json_parts(requests, false));
    return object;
}
