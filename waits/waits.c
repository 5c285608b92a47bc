#include "waits/waits.h"

#include "base/memory.h"
#include "base/str.h"
#include "waits/replay_choice.h"

struct waits *waits_find(const struct timelines *run, struct error *error)
{
    const struct kernel_side *side = run->kernel_side;
    if (!side) {
        error_set(error, ERROR_NOTHING,
                  "Who waited for whom was not recorded. `vprofiler doctor` says what it takes.");
        return NULL;
    }
    struct waits *waits = memory_zeroed(sizeof *waits);
    vertex_table_init(&waits->vertices, side);
    wait_list_fill(&waits->list, &waits->vertices);
    cascade_sweep(&waits->cascade, &waits->list, &waits->vertices);
    wait_graph_fill(&waits->graph, &waits->cascade, &waits->list);
    waits->counts = knot_edges(&waits->graph);
    knot_list_find(&waits->knots, &waits->graph, waits->counts);
    waits->support = knot_support_find(&waits->graph, &waits->cascade);
    run_queue_fill(&waits->queue, &waits->graph, &waits->cascade);
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

static void replay_edges(struct waits *waits, const struct timelines *run,
                         const struct row_list *rows)
{
    struct replay_run of = {run, &waits->vertices, &waits->list, &waits->graph, rows};
    uint32_t edges[REPLAY_MOST];
    uint32_t count = replay_choice(&waits->graph, waits->counts, &waits->knots, edges);
    replays_fill(&waits->replays, &of, edges, count);
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
    const char *broken = by_request_check(&waits->requests);
    if (!broken)
        broken = replays_check(&waits->replays);
    return broken ? broken : cascade_check(&waits->cascade, &waits->list);
}

void waits_release(struct waits *waits)
{
    knot_list_release(&waits->knots);
    memory_free(waits->counts);
    memory_free(waits->support);
    replays_release(&waits->replays);
    by_request_release(&waits->requests);
    run_queue_release(&waits->queue);
    wait_graph_release(&waits->graph);
    cascade_release(&waits->cascade);
    wait_list_release(&waits->list);
    memory_free(waits);
}
