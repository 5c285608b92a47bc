#include "driver/runs/run_doubts.h"

#include <string.h>

/* Label `i` is that of an interval that begins then and there, while another is not over yet. */
static bool takes_over(const struct timelines *run, uint32_t thread, uint32_t i)
{
    const struct label *labels = run->threads[thread].labels;
    if (i == 0 || labels[i].interval == INTERVAL_NONE || labels[i - 1].interval == INTERVAL_NONE)
        return false;
    const struct interval *inner = &run->intervals[labels[i].interval];
    const struct interval *outer = &run->intervals[labels[i - 1].interval];
    return inner->begin == labels[i].time && inner->begin_thread == thread && outer->complete &&
           outer->end > inner->begin && outer->end_thread == thread;
}

/* The thread is given back where it works for the outer interval again at the end of that. */
static bool given_back(const struct timelines *run, uint32_t thread, uint32_t interval)
{
    const struct timeline_thread *t = &run->threads[thread];
    int64_t last = timeline_label_at(t, run->intervals[interval].end - 1);
    return last >= 0 && t->labels[last].interval == interval;
}

uint64_t run_nested_intervals(const struct timelines *run)
{
    uint64_t count = 0;
    for (uint32_t t = 0; t < run->thread_count; t++)
        for (uint32_t i = 0; i < run->threads[t].label_count; i++)
            count += takes_over(run, t, i) &&
                     !given_back(run, t, run->threads[t].labels[i - 1].interval);
    return count;
}

static const char *last_part(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "";
}

bool run_two_programs(const struct timelines *run, const char *names[2])
{
    uint32_t known = UINT32_MAX;
    names[0] = names[1] = NULL;
    for (uint32_t i = 0; i < run->interval_count; i++) {
        const struct interval *interval = &run->intervals[i];
        if (!interval->complete || interval->process == known)
            continue;
        known = interval->process;
        const char *name = last_part(run->processes[interval->process].program);
        if (!names[0])
            names[0] = name;
        if (strcmp(names[0], name) != 0) {
            names[1] = name;
            return true;
        }
    }
    return false;
}

double run_unknown_wakers(const struct variance_tree *tree, uint32_t *most)
{
    __int128 sum = 0, greatest = 0;
    *most = NODE_NONE;
    for (uint32_t i = 1; i < tree->node_count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        if (node->kind != NODE_WAIT || node->wait != WAIT_UNKNOWN_WAKER)
            continue;
        sum += node->moments.sum;
        if (node->moments.sum > greatest) {
            greatest = node->moments.sum;
            *most = node->parent;
        }
    }
    return sum > 0 ? (double)sum / (double)tree->nodes[0].moments.sum : 0;
}

static bool is_unseen_team(const struct function_table *functions, const struct tree_node *node)
{
    return functions && node->function < functions->function_count &&
           functions->functions[node->function].team_unseen;
}

double run_unseen_teams(const struct variance_tree *tree, const struct function_table *functions,
                        uint32_t *most)
{
    double sum = 0, greatest = 0;
    *most = NODE_NONE;
    for (uint32_t i = 1; i < tree->node_count; i++) {
        const struct tree_node *node = &tree->nodes[i];
        if (node->kind != NODE_BODY || !is_unseen_team(functions, &tree->nodes[node->parent]))
            continue;
        sum += node->share;
        if (node->share > greatest) {
            greatest = node->share;
            *most = node->parent;
        }
    }
    return *most == NODE_NONE ? 0 : sum;
}
