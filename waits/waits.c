#include "waits/waits.h"

#include "base/memory.h"
#include "base/str.h"
#include "waits/knot_search.h"
#include "waits/replay_choice.h"
#include "waits/spin_waits.h"

static const struct wait_list *swept(const struct waits *waits)
{
    return waits->swept.items ? &waits->swept : &waits->list;
}

struct waits *waits_find(const struct timelines *run, struct error *error)
{
    const struct kernel_side *side = run->kernel_side;
    if (!kernel_side_has_switches(side)) {
        error_set(error, ERROR_NOTHING,
                  "Who waited for whom was not recorded. `vprofiler doctor` says what it takes.");
        return NULL;
    }
    struct waits *waits = memory_zeroed(sizeof *waits);
    vertex_table_init(&waits->vertices, side);
    waits->vertices.run = run;
    waits->names = run->wait_stacks ? sampled_names_open(run->wait_stacks) : NULL;
    process_roles_find(&waits->roles, waits->names, run);
    waits->vertices.roles = waits->roles.of_task;
    wait_list_fill(&waits->list, &waits->vertices);
    spin_waits_add(&waits->list, &waits->vertices, run);
    short_lived_find(&waits->shorts, &waits->vertices, waits->list.from, waits->list.until);
    swept_list_make(&waits->swept, &waits->list, &waits->vertices, &waits->shorts, &waits->in_vain);
    cascade_sweep(&waits->cascade, swept(waits), &waits->vertices);
    device_idle_fill(&waits->idle, &waits->cascade);
    wait_graph_fill(&waits->graph, &waits->cascade, &waits->list, &waits->idle);
    waits->counts = knot_edges(&waits->graph);
    run_queue_fill(&waits->queue, &waits->graph, &waits->cascade);
    waits->times = group_times_find(&waits->graph, &waits->vertices);
    waits->wakers_known =
        run->watched == TRACE_WATCHED_ALL || !side->slept || side->unwoken < side->slept;
    edge_stacks_fill(&waits->stacks, waits->names, run, &waits->cascade, &waits->graph);
    run_stacks_fill(&waits->run_stacks, waits->names, run, &waits->graph, side);
    running_fill(&waits->running, &waits->graph, &waits->cascade);
    spin_doubts_fill(&waits->spins, waits->names, &waits->run_stacks, run, &waits->graph);
    arrivals_fill(&waits->arrivals, &waits->graph, &waits->running, &waits->idle, &waits->cascade,
                  run);
    struct knot_search search = {&waits->graph,   &waits->cascade, &waits->arrivals,
                                 &waits->running, waits->counts,   waits->list.recorded};
    knot_search_run(&search, &waits->background, &waits->knots, &waits->support);
    return waits;
}

/* The types that there are. */
static bool none_of_type(const struct timelines *run, const char *type, struct error *error)
{
    struct intern names = {0};
    struct str known = {0};
    for (uint32_t i = 0; i < run->interval_count; i++)
        if (run->intervals[i].complete && run->intervals[i].type[0])
            intern_add(&names, run->intervals[i].type);
    for (size_t n = 0; n < names.count; n++)
        str_printf(&known, "%s%s", n ? ", " : "", names.text[n]);
    error_set(error, ERROR_USAGE, "No complete interval is of type %s. %s%s", type,
              names.count ? "The types are: " : "None has a type.", names.count ? known.data : "");
    str_release(&known);
    intern_release(&names);
    return false;
}

/* A wait for a client is not the run's to be without, and nobody minds those of the background. */
static void replay_edges(struct waits *waits, const struct timelines *run,
                         const struct row_list *rows)
{
    struct replay_run of = {run, &waits->vertices, &waits->list, &waits->graph, rows};
    struct replay_pair pairs[REPLAY_MOST];
    bool *worth = memory_zeroed(waits->graph.edge_count + 1);
    bool *aside = memory_zeroed(waits->graph.group_count + 1);
    background_mark(&waits->background, aside);
    for (uint32_t e = 0; e < waits->graph.edge_count; e++)
        worth[e] = waits->counts[e] && !waits->arrivals.edges[e];
    uint32_t count =
        replay_choice(&waits->graph, worth, aside, &waits->knots, waits->list.recorded, pairs);
    replays_fill(&waits->replays, &of, pairs, count);
    memory_free(worth);
    memory_free(aside);
}

bool waits_by_request(struct waits *waits, const struct timelines *run, const char *type,
                      struct error *error)
{
    struct row_list rows;
    if (type)
        row_list_init_of_type(&rows, run, type);
    else
        row_list_init(&rows, run);
    bool ok = !type || rows.count;
    if (ok)
        replay_edges(waits, run, &rows);
    if (rows.count)
        by_request_fill(&waits->requests, run, &waits->vertices, &waits->graph, &rows);
    waits->requests.type = type;
    row_list_release(&rows);
    return ok || none_of_type(run, type, error);
}

static time_ns runnable(const struct vertex_table *vertices)
{
    time_ns sum = 0;
    for (uint32_t t = 0; t < vertices->side->task_count; t++) {
        const struct kernel_task *task = &vertices->side->tasks[t];
        for (uint32_t i = 0; vertex_is_of_run(vertices, t) && i < task->off_count; i++)
            sum += task->offs[i].in - task->offs[i].woken;
    }
    return sum;
}

const char *waits_check(const struct waits *waits)
{
    time_ns charged = 0;
    for (uint32_t i = 0; i < waits->queue.count; i++)
        charged += waits->queue.charges[i].time;
    if (charged != runnable(&waits->vertices))
        return "who had the processors is not all that was waited for them";
    const char *broken = cascade_check(&waits->cascade, swept(waits));
    broken = broken ? broken : device_idle_check(&waits->idle, &waits->cascade);
    broken = broken ? broken : running_check(&waits->running);
    broken = broken ? broken : by_request_check(&waits->requests);
    return broken ? broken : replays_check(&waits->replays);
}

void waits_release(struct waits *waits)
{
    knot_list_release(&waits->knots);
    background_release(&waits->background);
    arrivals_release(&waits->arrivals);
    memory_free(waits->counts);
    memory_free(waits->support);
    memory_free(waits->times);
    replays_release(&waits->replays);
    by_request_release(&waits->requests);
    run_queue_release(&waits->queue);
    edge_stacks_release(&waits->stacks);
    run_stacks_release(&waits->run_stacks);
    spin_doubts_release(&waits->spins);
    process_roles_release(&waits->roles);
    if (waits->names)
        sampled_names_close(waits->names);
    running_release(&waits->running);
    wait_graph_release(&waits->graph);
    device_idle_release(&waits->idle);
    cascade_release(&waits->cascade);
    memory_free(waits->swept.items);
    short_lived_release(&waits->shorts);
    wait_list_release(&waits->list);
    memory_free(waits);
}
