#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "report/kit/json_parts.h"
#include "report/stacks/stacks_proof.h"
#include "report/stacks/stacks_report.h"

/* Nodes that have the least are left out where there are more. */
enum { MOST_NODES = 50000, MOST_FUNCTIONS = 5000, MOST_THREADS = 20000 };

static const char *const time_names[CONTEXT_TIMES] = {[TIME_RAN] = "ran_ns",
                                                      [TIME_OFF] = "off_ns",
                                                      [TIME_QUEUE] = "queue_ns",
                                                      [TIME_MISSING] = "missing_ns"};

static json_t *json_time(time_ns time)
{
    return json_integer((json_int_t)time);
}

static json_t *json_times(const time_ns times[CONTEXT_TIMES])
{
    json_t *object = json_object();
    for (int k = 0; k < CONTEXT_TIMES; k++)
        json_set(object, time_names[k], json_time(times[k]));
    return object;
}

static json_t *json_error(const double variance[2])
{
    json_t *object = json_object();
    for (int k = TIME_RAN; k <= TIME_OFF; k++)
        json_set(object, time_names[k], json_number(sqrt(variance[k])));
    return object;
}

static json_t *json_frame(const struct context_frame *frame)
{
    json_t *object = json_object();
    json_set(object, "function", json_text(frame->function));
    json_set(object, "object", json_text(frame->object));
    json_set(object, "layer", json_text(stacks_layer_name(frame->kind)));
    json_set(object, "file", *frame->file ? json_text(frame->file) : json_null());
    json_set(object, "line", frame->line ? json_count(frame->line) : json_null());
    return object;
}

static json_t *json_group(const struct stacks *stacks, uint32_t index)
{
    const struct thread_group *group = &stacks->groups.items[index];
    json_t *object = json_object();
    json_set(object, "process", json_text(group->process));
    json_set(object, "name", json_text(group->name));
    json_set(object, "main", json_boolean(group->main));
    json_set(object, "of_run", json_boolean(group->of_run));
    json_set(object, "client", json_boolean(group->client));
    json_set(object, "threads", json_count(group->threads));
    return object;
}

static json_t *json_thread(const struct stacks *stacks, uint32_t index)
{
    const struct kernel_task *task = &stacks->run->kernel_side->tasks[index];
    const struct thread_time *time = &stacks->times.threads[index];
    json_t *object = json_object();
    json_set(object, "pid", json_count(task->pid));
    json_set(object, "tid", json_count(task->tid));
    json_set(object, "name", json_text(task->name));
    json_set(object, "group", json_count(stacks->groups.of_task[index]));
    json_set(object, "wall_ns", json_time(thread_time_wall(time)));
    json_set(object, "ran_ns", json_time(time->ran));
    json_set(object, "off_ns", json_time(time->off));
    json_set(object, "queue_ns", json_time(time->queue));
    json_set(object, "missing_ns", json_time(time->missing));
    return object;
}

static json_t *json_reason(const struct stacks *stacks, uint32_t index)
{
    const struct off_reason *why = &stacks->times.whys.items[index];
    bool thread = why->cause == OFF_THREAD || why->cause == OFF_LOCK;
    json_t *object = json_object();
    struct str name = {0};
    stacks_reason_name(stacks, index, &name);
    json_set(object, "cause", json_text(stacks_cause_name(why->cause)));
    json_set(object, "name", json_text(name.data));
    json_set(object, "group",
             thread && why->whom != REASON_NOBODY ? json_count(why->whom) : json_null());
    str_release(&name);
    return object;
}

/* ---- nodes ---- */

struct told_nodes {
    const struct stacks *stacks;
    uint32_t *number; /* by node; CONTEXT_NONE: it is left out */
    time_ns least;
};

static json_t *json_reasons(const struct told_nodes *told, uint32_t node)
{
    size_t count;
    json_t *array = json_array();
    const struct context_reason *reasons = context_reasons_of(&told->stacks->times, node, &count);
    for (size_t i = 0; i < count; i++) {
        json_t *object = json_object();
        json_set(object, "reason", json_count(reasons[i].reason));
        json_set(object, "own_ns", json_time(reasons[i].own));
        json_set(object, "total_ns", json_time(reasons[i].total));
        json_push(array, object);
    }
    return array;
}

/* What it takes a request, and half of its interval of 95 %. */
static void set_request(json_t *node, const struct request_times *requests, uint32_t n)
{
    if (!requests->items)
        return;
    const struct request_time *time = &requests->items[n];
    json_t *object = json_object();
    json_set(object, "mean_ns", json_number(time->mean_ns));
    json_set(object, "half_ns", isinf(time->half_ns) ? json_null() : json_number(time->half_ns));
    json_set(node, "request", object);
}

static json_t *json_node(const struct told_nodes *told, uint32_t n)
{
    const struct context_times *times = &told->stacks->times;
    const struct context_node *node = &times->fold.tree.nodes[n];
    const struct context_sum *sum = &times->sums[n];
    json_t *object = json_object();
    bool root = n == CONTEXT_ROOT;
    json_set(object, "parent", root ? json_null() : json_count(told->number[node->parent]));
    json_set(object, "frame", node->depth > 1 ? json_count(node->frame) : json_null());
    json_set(object, "group", root ? json_null() : json_count(context_group_of(times, n)));
    json_set(object, "deepest", json_count(root ? 1 : times->fold.deepest[n]));
    json_set(object, "own", json_times(sum->own));
    json_set(object, "total", json_times(sum->total));
    json_set(object, "own_sd", json_error(sum->own_variance));
    json_set(object, "total_sd", json_error(sum->variance));
    json_set(object, "samples", json_count(sum->samples));
    json_set(object, "stacks", json_count(sum->stacks));
    json_set(object, "reasons", json_reasons(told, n));
    set_request(object, &told->stacks->requests, n);
    return object;
}

static bool is_told(const struct told_nodes *told, uint32_t node)
{
    return node == CONTEXT_ROOT ||
           context_time_total(&told->stacks->times.sums[node]) >= told->least;
}

/* Gives how many have that much time. */
static uint32_t number_nodes(struct told_nodes *told, time_ns least)
{
    uint32_t count = 0;
    told->least = least;
    for (uint32_t n = 0; n < told->stacks->times.fold.tree.count; n++)
        told->number[n] = is_told(told, n) ? count++ : CONTEXT_NONE;
    return count;
}

static void set_nodes(json_t *into, const struct stacks *stacks)
{
    size_t count = stacks->times.fold.tree.count;
    struct told_nodes told = {stacks, memory_alloc(count * sizeof *told.number), 1};
    json_t *nodes = json_array();
    time_ns rest = 0;
    for (time_ns least = 1; number_nodes(&told, least) > MOST_NODES;)
        least *= 2;
    for (uint32_t n = 0; n < count; n++) {
        if (is_told(&told, n))
            json_push(nodes, json_node(&told, n));
        else
            rest += context_time_own(&stacks->times.sums[n]);
    }
    json_set(into, "nodes", nodes);
    json_set(into, "nodes_rest_ns", json_time(rest));
    memory_free(told.number);
}

static json_t *json_function(const struct function_time *function)
{
    json_t *object = json_object();
    json_set(object, "frame", json_count(function->frame));
    json_set(object, "own_ran_ns", json_time(function->own[TIME_RAN]));
    json_set(object, "own_off_ns", json_time(function->own[TIME_OFF]));
    json_set(object, "total_ran_ns", json_time(function->total[TIME_RAN]));
    json_set(object, "total_off_ns", json_time(function->total[TIME_OFF]));
    json_set(object, "own_sd", json_error(function->own_variance));
    json_set(object, "total_sd", json_error(function->variance));
    json_set(object, "samples", json_count(function->own_samples));
    json_set(object, "contexts", json_count(function->contexts));
    return object;
}

/* ---- all ---- */

static void set_seen(json_t *into, const struct stacks *stacks)
{
    const struct sightings *seen = &stacks->seen;
    json_set(into, "samples", json_count(seen->samples));
    json_set(into, "offs", json_count(seen->offs));
    json_set(into, "offs_with_stack", json_count(seen->with_stack));
    json_set(into, "stood_for_ns", json_time(stacks->times.stood_for));
    json_set(into, "never_seen_below", json_number(stacks_never_seen(stacks)));
    json_set(into, "cut", json_count(seen->cut));
    json_set(into, "unresolved", json_count(seen->unresolved));
    json_set(into, "unmatched", json_count(seen->unmatched));
}

static void set_layers(json_t *into, const struct stacks *stacks)
{
    json_t *told = json_array(), *own = json_object();
    for (int k = FRAME_KERNEL; k < FRAME_NONE; k++)
        if (stacks->options.layers & 1u << k)
            json_push(told, json_text(stacks_layer_name((enum frame_kind)k)));
    for (int k = FRAME_KERNEL; k <= FRAME_NONE; k++)
        json_set(own, stacks_layer_name((enum frame_kind)k),
                 json_times(stacks->functions.layer[k]));
    json_set(into, "layers", told);
    json_set(into, "by_layer", own);
}

static void set_threads(json_t *into, const struct stacks *stacks)
{
    const struct kernel_side *side = stacks->run->kernel_side;
    json_t *groups = json_array(), *threads = json_array();
    for (uint32_t g = 0; g < stacks->groups.count; g++)
        json_push(groups, json_group(stacks, g));
    for (uint32_t t = 1; t < side->task_count && json_array_size(threads) < MOST_THREADS; t++)
        if (kernel_task_is_of_run(side, t) && thread_time_wall(&stacks->times.threads[t]))
            json_push(threads, json_thread(stacks, t));
    json_set(into, "groups", groups);
    json_set(into, "threads", threads);
}

json_t *stacks_json(const struct stacks *stacks, const struct doubts *doubts)
{
    json_t *object = json_object(), *frames = json_array(), *reasons = json_array(),
           *functions = json_array();
    const struct context_tree *tree = &stacks->times.fold.tree;
    struct str headline = {0};
    stacks_headline(stacks, &headline);
    for (size_t f = 0; f < tree->frame_count; f++)
        json_push(frames, json_frame(&tree->frames[f]));
    for (uint32_t r = 0; r < stacks->times.whys.count; r++)
        json_push(reasons, json_reason(stacks, r));
    for (size_t i = 0; i < stacks->functions.count && i < MOST_FUNCTIONS; i++)
        json_push(functions, json_function(&stacks->functions.items[i]));
    json_set(object, "schema", json_text("vprofiler.stacks/1"));
    json_set(object, "headline", json_text(headline.data));
    json_set(object, "wall_ns", json_time(stacks->until - stacks->from));
    json_set(object, "thread_count", json_count(stacks->threads));
    json_set(object, "wakers_known", json_boolean(stacks->wakers_known));
    set_seen(object, stacks);
    set_layers(object, stacks);
    set_threads(object, stacks);
    json_set(object, "frames", frames);
    json_set(object, "reasons", reasons);
    set_nodes(object, stacks);
    json_set(object, "functions", functions);
    if (stacks->proof)
        json_set(object, "proof", stacks_proof_json(stacks));
    json_set(object, "warnings", json_warnings(doubts->items, doubts->count));
    str_release(&headline);
    return object;
}
