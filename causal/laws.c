#include "causal/laws.h"

#include "base/near_search.h"

struct moment {
    const struct experiment *experiments;
    time_ns time;
};

static bool counts_until(const void *moment, size_t i)
{
    const struct moment *m = moment;
    return m->experiments[i].stages[TRACE_EXPERIMENT_COUNTS].time <= m->time;
}

/* The experiment that a moment lies in: index + 1, or 0. They follow each other. */
static uint32_t experiment_at(const struct experiments *all, time_ns time)
{
    const struct moment moment = {all->items, time};
    uint32_t until = (uint32_t)near_search(all->count, 0, counts_until, &moment);
    return until && time < all->items[until - 1].stages[TRACE_EXPERIMENT_ENDS].time ? until : 0;
}

/* Of code that samples tell of, no calls are counted. */
static int64_t let_pass_ns(const struct experiment *one)
{
    const struct experiment_sums *from = &one->stages[TRACE_EXPERIMENT_BEGINS],
                                 *until = &one->stages[TRACE_EXPERIMENT_ENDS];
    bool sampled = until->calls == from->calls && until->target_ns > from->target_ns;
    return sampled ? CAUSAL_LET_PASS_SAMPLED_NS : CAUSAL_LET_PASS_NS;
}

static void note(struct causal_laws *laws, uint64_t *breaches, const struct experiment *one,
                 int64_t back_ns)
{
    if (back_ns <= let_pass_ns(one))
        return;
    (*breaches)++;
    if ((double)back_ns > laws->worst_ns)
        laws->worst_ns = (double)back_ns;
}

static void look_at_thread(struct causal_laws *laws, const struct timelines *run,
                           const struct timeline_thread *thread)
{
    for (uint32_t i = 1; i < thread->delay_count; i++) {
        const struct thread_delay *before = &thread->delays[i - 1], *now = &thread->delays[i];
        uint32_t experiment = experiment_at(run->experiments, now->time);
        if (!experiment || experiment_at(run->experiments, before->time) != experiment)
            continue;
        laws->marks++;
        note(laws, &laws->backwards, &run->experiments->items[experiment - 1],
             (before->time - before->delay_ns) - (now->time - now->delay_ns));
    }
}

static void look_at_interval(struct causal_laws *laws, const struct timelines *run,
                             const struct interval *one)
{
    uint32_t experiment = experiment_at(run->experiments, one->begin);
    if (!one->complete || one->begin_thread == one->end_thread || !experiment ||
        experiment_at(run->experiments, one->end) != experiment)
        return;
    int64_t begin = one->begin - thread_delay_at(&run->threads[one->begin_thread], one->begin);
    int64_t end = one->end - thread_delay_at(&run->threads[one->end_thread], one->end);
    laws->handed++;
    note(laws, &laws->early, &run->experiments->items[experiment - 1], begin - end);
}

struct causal_laws causal_laws_of(const struct timelines *run)
{
    struct causal_laws laws = {0};
    for (uint32_t i = 0; i < run->thread_count; i++)
        look_at_thread(&laws, run, &run->threads[i]);
    for (uint32_t i = 0; i < run->interval_count; i++)
        look_at_interval(&laws, run, &run->intervals[i]);
    return laws;
}
