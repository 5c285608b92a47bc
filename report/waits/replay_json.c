#include "report/kit/json_parts.h"
#include "report/waits/replay_report.h"

static json_t *json_effect(const struct replay_effect *effect, bool intervals)
{
    json_t *object = json_object();
    json_set(object, "speedup", json_number(effect->speedup));
    json_set(object, "processors", json_boolean(effect->processors));
    json_set(object, "mean_ns", intervals ? json_number(effect->mean_ns) : json_null());
    json_set(object, "p99_ns", intervals ? json_number(effect->p99_ns) : json_null());
    return object;
}

json_t *replay_json(const struct replays *replays)
{
    json_t *object = json_object(), *edges = json_array();
    bool intervals = replays->intervals > 0;
    for (uint32_t i = 0; i < replays->count; i++) {
        json_t *item = json_object();
        const struct replay_pair *pair = &replays->items[i].pair;
        json_set(item, "edge", pair->edge == REPLAY_WITHIN ? json_null() : json_count(pair->edge));
        json_set(item, "from", json_count(pair->from));
        json_set(item, "to", json_count(pair->to));
        json_set(item, "gone", json_effect(&replays->items[i].gone, intervals));
        json_set(item, "halved", json_effect(&replays->items[i].halved, intervals));
        json_push(edges, item);
    }
    json_set(object, "requests", json_count(replays->intervals));
    json_set(object, "as_it_was", json_effect(&replays->as_it_was, intervals));
    json_set(object, "unknown_ns", json_count((uint64_t)replays->unknown));
    json_set(object, "edges", edges);
    return object;
}
