#include <math.h>

#include "report/kit/json_parts.h"
#include "report/stacks/compare_proof.h"
#include "report/stacks/compare_words.h"
#include "report/stacks/stacks_report.h"

/* Nodes and paths that have the least are left out where there are more. */
enum { MOST_PATHS = 1000 };

static json_t *json_side(const struct stacks_compare *told, int side)
{
    const struct compared_sum *sum = &told->comparison->sums[side];
    json_t *object = json_object();
    json_set(object, "name", json_text(told->names[side]));
    json_set(object, "runs", json_count(told->comparison->added[side].runs));
    json_set(object, "blocks", json_count(told->comparison->sides[side].blocks));
    json_set(object, "requests", json_count(sum->requests));
    json_set(object, "recorded_ns", json_count((uint64_t)sum->recorded));
    json_set(object, "samples", json_count(sum->samples));
    json_set(object, "offs", json_count(sum->offs));
    json_set(object, "offs_with_stack", json_count(sum->with_stack));
    json_set(object, "queue", json_number(sum->queue));
    return object;
}

static json_t *json_change(const struct unit_change *change)
{
    const double ci95[2] = {change->change - change->half, change->change + change->half};
    json_t *object = json_object();
    json_set(object, "a_ns", json_number(change->own[0]));
    json_set(object, "b_ns", json_number(change->own[1]));
    json_set(object, "change_ns", json_number(change->change));
    json_set(object, "ci95", json_interval95(ci95));
    return object;
}

static json_t *json_waits(const struct stacks_compare *told, const struct node_change *change)
{
    if (stack_comparison_for_work(told->comparison, change))
        return json_text("work");
    return stack_comparison_for_others(told->comparison, change) ? json_text("threads")
                                                                 : json_null();
}

static json_t *json_own(const struct stacks_compare *told, const struct node_change *change)
{
    json_t *object = json_object();
    json_set(object, "a_ns", json_number(change->own[0]));
    json_set(object, "b_ns", json_number(change->own[1]));
    json_set(object, "change_ns", json_number(change->change));
    json_set(object, "ci95", json_interval95(change->ci95));
    json_set(object, "p", json_number(change->p));
    json_set(object, "floor_ns", json_number(change->floor));
    json_set(object, "joined", json_count(change->joined));
    json_set(object, "waits_for", json_waits(told, change));
    json_set(object, "surely", json_boolean(change->told));
    return object;
}

static json_t *json_node(const struct stacks_compare *told, uint32_t n)
{
    const struct stack_comparison *c = told->comparison;
    const struct laid_node *node = &c->laid.nodes[n];
    const struct context_frame *frame = compare_frame(told, n);
    json_t *object = json_object();
    json_set(object, "parent", n ? json_count(node->parent) : json_null());
    json_set(object, "function", frame ? json_text(frame->function) : json_null());
    json_set(object, "object", frame ? json_text(frame->object) : json_null());
    json_set(object, "layer", json_text(stacks_layer_name(frame ? frame->kind : FRAME_NONE)));
    json_set(object, "presence", json_text(compare_presence(node)));
    json_set(object, "own",
             node->change == CONTEXT_NONE ? json_null()
                                          : json_own(told, &c->changes.items[node->change]));
    json_set(object, "below", json_change(&node->below));
    return object;
}

/* In the order in which they are told. */
static json_t *json_order(const struct stacks_compare *told)
{
    const struct stack_comparison *c = told->comparison;
    json_t *array = json_array();
    for (uint32_t i = 0; i < c->changes.count; i++) {
        int side = c->changes.items[i].node[1] != CONTEXT_NONE;
        json_push(array, json_count(c->laid.of[side][c->changes.items[i].node[side]]));
    }
    return array;
}

/* ---- the paper's order ---- */

static json_t *json_path(const struct stacks_compare *told, const struct path_change *path)
{
    const uint32_t *of = told->comparison->laid.of[1];
    json_t *object = json_object();
    json_set(object, "leaf", json_count(of[path->leaf]));
    json_set(object, "hottest", json_count(of[path->hottest]));
    json_set(object, "cost_ns", json_number(path->cost));
    json_set(object, "in_both", json_boolean(path->in_both));
    return object;
}

static json_t *json_mended(const struct stacks_compare *told)
{
    const struct stack_comparison *c = told->comparison;
    const struct path_side b = {c->sides[1].tree, c->own[1]};
    json_t *object = json_object();
    if (!told->mended) {
        json_decref(object);
        return json_null();
    }
    struct path_rank rank = path_changes_rank(&c->paths, &b, told->mended);
    json_set(object, "function", json_text(told->mended));
    json_set(object, "p_min", rank.p_min ? json_count(rank.p_min) : json_null());
    json_set(object, "f_min", rank.p_min ? json_count(rank.f_min) : json_null());
    return object;
}

static json_t *json_paths(const struct stacks_compare *told)
{
    const struct path_changes *paths = &told->comparison->paths;
    json_t *array = json_array();
    for (size_t i = 0; i < paths->count && i < MOST_PATHS; i++)
        json_push(array, json_path(told, &paths->items[i]));
    return array;
}

json_t *stacks_compare_json(const struct stacks_compare *told)
{
    const struct stack_comparison *c = told->comparison;
    json_t *object = json_object(), *nodes = json_array();
    struct str headline = {0};
    stacks_compare_headline(told, &headline);
    for (uint32_t n = 0; n < c->laid.count; n++)
        json_push(nodes, json_node(told, n));
    json_set(object, "schema", json_text(STACKS_COMPARE_SCHEMA));
    json_set(object, "headline", json_text(str_text(&headline)));
    json_set(object, "of", json_text(told->slow ? "requests of one run" : "runs"));
    json_set(object, "unit", json_text(compare_unit_name(told)));
    json_set(object, "a", json_side(told, 0));
    json_set(object, "b", json_side(told, 1));
    json_set(object, "whole", json_change(&c->whole));
    json_set(object, "place", c->place == CONTEXT_NONE ? json_null() : json_count(c->place));
    json_set(object, "largest", c->largest == CONTEXT_NONE ? json_null() : json_count(c->largest));
    json_set(object, "changed", json_count(c->changes.told));
    json_set(object, "unsteady", json_count(c->changes.unsteady));
    json_set(object, "order", json_order(told));
    json_set(object, "nodes", nodes);
    json_set(object, "proven", compare_proof_json(told));
    json_set(object, "paths", json_paths(told));
    json_set(object, "mended", json_mended(told));
    json_set(object, "warnings", json_warnings(told->doubts->items, told->doubts->count));
    str_release(&headline);
    return object;
}
