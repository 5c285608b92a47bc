#include "report/kit/json_parts.h"
#include "report/waits/replay_report.h"
#include "report/waits/request_report.h"
#include "report/waits/waits_report.h"

const char *waits_kind_name(enum vertex_kind kind)
{
    static const char *const names[] = {
        [VERTEX_TIMER] = "timer",         [VERTEX_NETWORK] = "network",
        [VERTEX_INTERRUPT] = "interrupt", [VERTEX_UNKNOWN] = "unknown",
        [VERTEX_DEVICE] = "device",       [VERTEX_THREAD] = "thread"};
    return names[kind];
}

/* There may be as many as pairs of groups. */
enum { MOST_CHARGES = 10000, MOST_EDGES = 10000 };

static json_t *json_share(const struct wait_share *share)
{
    json_t *object = json_object();
    json_set(object, "value", json_number(share->value));
    json_set(object, "ci95", json_interval95(share->ci95));
    return object;
}

static json_t *json_group(const struct wait_group *group, const struct group_time *time,
                          const struct group_running *running)
{
    json_t *object = json_object();
    json_set(object, "kind", json_text(waits_kind_name(group->kind)));
    json_set(object, "process", json_text(group->process));
    json_set(object, "name", json_text(group->name));
    json_set(object, "main", json_boolean(group->main));
    json_set(object, "of_run", json_boolean(group->of_run));
    json_set(object, "client", json_boolean(group->client));
    json_set(object, "members", json_count(group->members));
    json_set(object, "threads", json_count(group->threads));
    json_set(object, "part", group->parted ? json_count(group->part) : json_null());
    json_set(object, "blamed_ns", json_count((uint64_t)group->blamed));
    json_set(object, "blamed_part", json_number(group->blamed_part));
    json_set(object, "ran_ns", json_count((uint64_t)running->ran));
    json_set(object, "ran_share", json_share(&running->share));
    json_set(object, "gapp_ns", json_number(running->gapp_ns));
    json_set(object, "gapp_part", json_share(&running->gapp));
    json_set(object, "within_ns", json_count((uint64_t)group->within));
    json_set(object, "unfinished_ns", json_count((uint64_t)group->unfinished));
    json_set(object, "runnable_ns", json_count((uint64_t)time->runnable));
    json_set(object, "blocked_ns", json_count((uint64_t)time->blocked));
    return object;
}

/* [below so many ns, how many] for each that there are. */
static json_t *json_lengths(const uint32_t lengths[CASCADE_LENGTHS])
{
    json_t *array = json_array();
    for (int k = 0; k < CASCADE_LENGTHS; k++) {
        if (!lengths[k])
            continue;
        json_t *pair = json_array();
        json_push(pair, json_count(UINT64_C(2) << k));
        json_push(pair, json_count(lengths[k]));
        json_push(array, pair);
    }
    return array;
}

static json_t *json_edge(const struct wait_edge *edge, bool counts, double support)
{
    json_t *object = json_object();
    json_set(object, "from", json_count(edge->from));
    json_set(object, "to", json_count(edge->to));
    json_set(object, "count", json_count(edge->count));
    json_set(object, "longest_ns", json_count((uint64_t)edge->longest));
    json_set(object, "lengths", json_lengths(edge->lengths));
    json_set(object, "raw_ns", json_count((uint64_t)cascade_sum(edge->raw)));
    json_set(object, "cascaded_ns", json_count((uint64_t)cascade_sum(edge->cascaded)));
    json_set(object, "leaf_ns", json_count((uint64_t)cascade_sum(edge->leaf)));
    json_set(object, "raw_share", json_share(&edge->raw_share));
    json_set(object, "cascaded_share", json_share(&edge->cascaded_share));
    json_set(object, "leaf_share", json_share(&edge->leaf_share));
    json_set(object, "counts", json_boolean(counts));
    json_set(object, "support", json_number(support));
    return object;
}

static json_t *json_charge(const struct run_queue_charge *charge)
{
    json_t *object = json_object();
    json_set(object, "from", json_count(charge->who));
    json_set(object, "had", charge->had == NO_GROUP ? json_null() : json_count(charge->had));
    json_set(object, "time_ns", json_count((uint64_t)charge->time));
    json_set(object, "share", json_share(&charge->share));
    return object;
}

static json_t *json_device(const struct waits *waits, const struct device_use *use)
{
    json_t *object = json_object();
    json_set(object, "group", json_count(waits->graph.group_of[use->vertex]));
    json_set(object, "requests", json_count(use->requests));
    json_set(object, "busy_ns", json_count((uint64_t)use->busy));
    json_set(object, "idle_ns", json_count((uint64_t)use->idle));
    json_set(object, "unended_ns", json_count((uint64_t)use->unended));
    return object;
}

static json_t *json_numbers(const uint32_t *numbers, uint32_t count)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_push(array, json_count(numbers[i]));
    return array;
}

static json_t *json_knot(const struct knot *knot)
{
    json_t *object = json_object(), *steps = json_array();
    json_set(object, "groups", json_numbers(knot->groups, knot->group_count));
    json_set(object, "edges", json_numbers(knot->edges, knot->edge_count));
    for (uint32_t s = 0; s < knot->step_count; s++) {
        json_t *step = json_object();
        json_set(step, "removed",
                 json_numbers(knot->steps[s].removed, knot->steps[s].removed_count));
        json_set(step, "weight", json_number(knot->steps[s].weight));
        json_push(steps, step);
    }
    json_set(object, "steps", steps);
    return object;
}

static json_t *json_arrival(const struct waits *waits, uint32_t group)
{
    const struct arrival_group *arrival = &waits->arrivals.groups[group];
    json_t *object = json_object();
    json_set(object, "group", json_count(group));
    json_set(object, "client", json_count(arrival->client));
    json_set(object, "time_ns", json_count((uint64_t)arrival->waited));
    json_set(object, "share", json_share(&arrival->share));
    json_set(object, "serves", json_boolean(arrival->serves));
    return object;
}

static json_t *json_background(const struct background_part *part)
{
    static const char *const reasons[] = {
        [BACKGROUND_SLEEPS] = "sleeps", [BACKGROUND_KNOT] = "knot"};
    json_t *object = json_object();
    json_set(object, "groups", json_numbers(part->groups, part->group_count));
    json_set(object, "reason", json_text(reasons[part->reason]));
    json_set(object, "ran_share", json_number(part->ran));
    return object;
}

static void set_outside(json_t *object, const struct waits *waits)
{
    json_t *arrivals = json_array(), *background = json_array();
    for (uint32_t g = 0; g < waits->graph.group_count; g++)
        if (waits->arrivals.groups[g].waited)
            json_push(arrivals, json_arrival(waits, g));
    for (size_t i = 0; i < waits->background.count; i++)
        json_push(background, json_background(&waits->background.parts[i]));
    json_set(object, "saturated", json_boolean(waits->arrivals.unsaturated == ARRIVAL_NONE));
    json_set(object, "arrivals", arrivals);
    json_set(object, "background", background);
}

/* All that count, and so many in any case. */
static uint32_t edges_told(const struct waits *waits)
{
    uint32_t told = waits->graph.edge_count;
    while (told > MOST_EDGES && !waits->counts[told - 1])
        told--;
    return told;
}

/* The edges are put into the array. Gives what the run's threads waited in those that are not
 * told one by one. */
static time_ns push_edges(const struct waits *waits, json_t *edges)
{
    const struct wait_edge *items = waits->graph.edges;
    uint32_t told = edges_told(waits);
    time_ns rest = 0;
    for (uint32_t e = 0; e < told; e++)
        json_push(edges, json_edge(&items[e], waits->counts[e], waits->support[e]));
    for (uint32_t e = told; e < waits->graph.edge_count; e++)
        if (waits->graph.groups[items[e].from].of_run)
            rest += cascade_sum(items[e].raw);
    return rest;
}

/* The charges are put into the array. Gives what is not told one by one. */
static time_ns push_charges(const struct run_queue *queue, json_t *charges)
{
    time_ns rest = 0;
    for (uint32_t c = 0; c < queue->count; c++) {
        if (c < MOST_CHARGES)
            json_push(charges, json_charge(&queue->charges[c]));
        else
            rest += queue->charges[c].time;
    }
    return rest;
}

json_t *waits_json(const struct waits *waits, const struct doubts *doubts)
{
    json_t *object = json_object(), *groups = json_array(), *edges = json_array(),
           *knots = json_array(), *charges = json_array(), *devices = json_array();
    struct str headline = {0};
    waits_headline(waits, &headline);
    for (uint32_t g = 0; g < waits->graph.group_count; g++)
        json_push(groups,
                  json_group(&waits->graph.groups[g], &waits->times[g], &waits->running.groups[g]));
    for (uint32_t k = 0; k < waits->knots.count; k++)
        json_push(knots, json_knot(&waits->knots.items[k]));
    for (uint32_t d = 0; d < waits->idle.device_count; d++)
        json_push(devices, json_device(waits, &waits->idle.devices[d]));
    time_ns edges_rest = push_edges(waits, edges);
    time_ns processor_rest = push_charges(&waits->queue, charges);
    json_set(object, "schema", json_text("vprofiler.waits/1"));
    json_set(object, "headline", json_text(headline.data));
    json_set(object, "waits", json_count(waits->list.count));
    json_set(object, "in_vain", json_count(waits->in_vain));
    json_set(object, "spun_ns", json_count((uint64_t)waits->list.spun));
    json_set(object, "recorded_ns", json_count((uint64_t)waits->list.recorded));
    json_set(object, "wall_ns", json_count((uint64_t)(waits->list.until - waits->list.from)));
    json_set(object, "wakers_known", json_boolean(waits->wakers_known));
    json_set(object, "active_ns", json_count((uint64_t)waits->running.active));
    set_outside(object, waits);
    json_set(object, "groups", groups);
    json_set(object, "edges", edges);
    json_set(object, "edges_rest_ns", json_count((uint64_t)edges_rest));
    json_set(object, "knots", knots);
    json_set(object, "processor", charges);
    waits_stacks_json(waits, object);
    json_set(object, "devices", devices);
    json_set(object, "processor_rest_ns", json_count((uint64_t)processor_rest));
    json_set(object, "replay", replay_json(&waits->replays));
    json_set(object, "requests", requests_json(&waits->requests));
    json_set(object, "warnings", json_warnings(doubts->items, doubts->count));
    str_release(&headline);
    return object;
}
