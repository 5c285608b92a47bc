#include "stats/change.h"

#include <math.h>
#include <stddef.h>

#include "stats/student.h"

static const struct {
    const char *name;
    double quantile;
} metrics[METRIC_COUNT] = {
    {"mean", 0}, {"variance", 0}, {"p99", 0.99}, {"p50", 0.5}, {"p99.9", 0.999}};

const char *metric_name(enum metric metric)
{
    return metrics[metric].name;
}

double metric_quantile(enum metric metric)
{
    return metrics[metric].quantile;
}

double metric_margin(enum metric metric, double margin)
{
    return metric == METRIC_VARIANCE ? (2 + margin) * margin : margin;
}

double metric_least_count(enum metric metric)
{
    enum { LEAST = 100, LEAST_BEYOND = 10 };
    double beyond = 1 - metrics[metric].quantile;
    return fmax(LEAST, ceil(LEAST_BEYOND / beyond - 1e-6));
}

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {NULL, "not worse", "inconclusive", "worse"};
    return names[verdict];
}

/* The interval's half shrinks as one over the root of the intervals. It has to fit between the
 * change and the margin; where it already does, that is because the change is near the margin. */
static double how_many_more(const struct change *change, double margin)
{
    double half = (change->together[1] - change->together[0]) / 2;
    double room = fmin(margin, fabs(change->change - margin));
    return half / room * (half / room);
}

static enum verdict judge(const double interval[2], double margin)
{
    if (interval[0] > margin)
        return VERDICT_WORSE;
    return interval[1] < margin ? VERDICT_NOT_WORSE : VERDICT_INCONCLUSIVE;
}

static void find_interval(const struct jackknife_sum sides[2], const struct jackknife_sum *latency,
                          uint32_t blocks, double outside, double interval[2])
{
    double t = blocks > 1 ? student_beyond(outside, blocks - 1) : INFINITY;
    if (!latency) {
        jackknife_positive_ratio(&sides[1], &sides[0], blocks, t, interval);
        interval[0] -= 1;
        interval[1] -= 1;
        return;
    }
    struct jackknife_sum apart = {.all = sides[1].all - sides[0].all};
    for (uint32_t i = 0; i < blocks; i++)
        apart.left_out[i] = sides[1].left_out[i] - sides[0].left_out[i];
    jackknife_ratio_within(&apart, latency, blocks, t, interval);
}

void change_judge(struct change *change, enum metric metric, const struct jackknife_sum sides[2],
                  const struct jackknife_sum *latency, const struct change_rule *rule)
{
    double whole = latency ? latency->all : sides[0].all, apart = sides[1].all - sides[0].all;
    *change = (struct change){.applies = true,
                              .enough = rule->count >= metric_least_count(metric),
                              .a = sides[0].all,
                              .b = sides[1].all,
                              .change = whole != 0 ? apart / whole : NAN};
    uint32_t blocks = change->enough ? rule->blocks : 0; /* without blocks nothing is ruled out */
    find_interval(sides, latency, blocks, CHANGE_OUTSIDE, change->ci95);
    if (rule->outside == 0)
        return;
    find_interval(sides, latency, blocks, rule->outside, change->together);
    double margin = metric_margin(metric, rule->margin);
    change->verdict = judge(change->together, margin);
    if (change->verdict == VERDICT_INCONCLUSIVE)
        change->more = change->enough ? how_many_more(change, margin)
                                      : metric_least_count(metric) / rule->count;
}
