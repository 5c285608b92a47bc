#include "waits/waits.h"

#include "base/memory.h"

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
    return waits;
}

const char *waits_check(const struct waits *waits)
{
    return cascade_check(&waits->cascade, &waits->list);
}

void waits_release(struct waits *waits)
{
    knot_list_release(&waits->knots);
    memory_free(waits->counts);
    wait_graph_release(&waits->graph);
    cascade_release(&waits->cascade);
    wait_list_release(&waits->list);
    memory_free(waits);
}
