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

void metric_margins(enum metric metric, double margin, bool of_factor, double margins[2])
{
    margins[1] = metric_margin(metric, margin);
    margins[0] = of_factor ? -margins[1] : 1 / (1 + margins[1]) - 1;
}

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {NULL, "better", "not different", "inconclusive", "worse"};
    return names[verdict];
}

const double *change_shown(const struct change *change)
{
    return change->verdict ? change->together : change->ci95;
}

bool change_is_told(const struct change *change)
{
    const double *interval = change_shown(change);
    return interval[0] > 0 || interval[1] < 0;
}

/* ---- its interval ---- */

static bool is_zero(const struct jackknife_sum *sum, uint32_t blocks)
{
    bool zero = sum->all == 0;
    for (uint32_t i = 0; i < blocks && zero; i++)
        zero = sum->left_out[i] == 0;
    return zero;
}

static bool told_from_zero(const struct jackknife_sum *sum, uint32_t blocks, double t)
{
    double of_itself[2];
    jackknife_ratio_within(sum, sum, blocks, t, of_itself);
    return isfinite(of_itself[0]);
}

/* Of a side that is 0 the ratio is 0 or infinite, if the other is surely not 0. */
static void find_ratio(const struct jackknife_sum sides[2], uint32_t blocks, double t,
                       double interval[2])
{
    bool from_zero = is_zero(&sides[0], blocks);
    if (!from_zero && !is_zero(&sides[1], blocks)) {
        jackknife_positive_ratio(&sides[1], &sides[0], blocks, t, interval);
        interval[0] -= 1;
        interval[1] -= 1;
    } else if (told_from_zero(&sides[from_zero], blocks, t)) {
        interval[0] = interval[1] = from_zero ? INFINITY : -1;
    }
}

/* A side's quantile, and how far Woodruff's interval goes from it; as it is, or its logarithm. */
struct ends {
    double at, down, up;
};

static struct ends find_ends(const struct jackknife_sum *sum, const struct quantile_reach *reach,
                             double t, bool logarithm)
{
    size_t step = (size_t)fmin(ceil(t / REACH_STEP), REACH_STEPS);
    double at = sum->all, low = reach->below[step], high = reach->above[step];
    if (logarithm)
        return (struct ends){log(at), log(at / low), log(high / at)};
    return (struct ends){at, at - low, high - at};
}

/* What two sides have in common cancels: the correlation is that of what is left out. */
static double correlation(const struct jackknife_sum sides[2], uint32_t blocks)
{
    double mean[2] = {0, 0}, products = 0, squares[2] = {0, 0};
    for (uint32_t i = 0; i < blocks; i++)
        for (int s = 0; s < 2; s++)
            mean[s] += sides[s].left_out[i] / blocks;
    for (uint32_t i = 0; i < blocks; i++) {
        double x = sides[0].left_out[i] - mean[0], y = sides[1].left_out[i] - mean[1];
        products += x * y;
        squares[0] += x * x;
        squares[1] += y * y;
    }
    double both = sqrt(squares[0] * squares[1]);
    return both > 0 ? products / both : 0;
}

/* How far the difference may go, where one side's quantile may go by `down` and the other's by `up`.
 * As far as they go together, `together` is what is left of it. */
static double distance(double down, double up, double together, double r)
{
    double apart = down * down + up * up, rest = fmax(together, 0);
    return sqrt(r > 0 ? (1 - r) * apart + r * rest * rest : apart - 2 * r * down * up);
}

/* The interval becomes as wide as the reach of both quantiles makes it. */
static void widen(const struct jackknife_sum sides[2], const struct jackknife_sum *latency,
                  const struct change_rule *rule, double t, double interval[2])
{
    if (!rule->reach || !rule->reach[0].known || rule->blocks < 2 || !isfinite(interval[0]))
        return;
    if (latency ? latency->all == 0 : sides[0].all <= 0 || sides[1].all <= 0)
        return;
    struct ends a = find_ends(&sides[0], &rule->reach[0], t, !latency);
    struct ends b = find_ends(&sides[1], &rule->reach[1], t, !latency);
    double r = correlation(sides, rule->blocks), apart = b.at - a.at;
    double low = distance(b.down, a.up, fmax(b.down - a.down, a.up - b.up), r);
    double high = distance(b.up, a.down, fmax(b.up - a.up, a.down - b.down), r);
    double reach[2] = {apart - low, apart + high};
    for (int i = 0; i < 2; i++)
        reach[i] = latency ? reach[i] / latency->all : expm1(reach[i]);
    interval[0] = fmin(interval[0], reach[0]);
    interval[1] = fmax(interval[1], reach[1]);
}

/* Without blocks nothing is ruled out. */
static void find_interval(const struct jackknife_sum sides[2], const struct jackknife_sum *latency,
                          const struct change_rule *rule, double outside, double interval[2])
{
    uint32_t blocks = rule->blocks;
    double t = blocks > 1 ? student_beyond(outside, blocks - 1) : INFINITY;
    interval[0] = -INFINITY;
    interval[1] = INFINITY;
    if (blocks < 2)
        return;
    if (is_zero(&sides[0], blocks) && is_zero(&sides[1], blocks)) {
        interval[0] = interval[1] = 0;
    } else if (!latency) {
        find_ratio(sides, blocks, t, interval);
    } else {
        struct jackknife_sum apart = {.all = sides[1].all - sides[0].all};
        for (uint32_t i = 0; i < blocks; i++)
            apart.left_out[i] = sides[1].left_out[i] - sides[0].left_out[i];
        jackknife_ratio_within(&apart, latency, blocks, t, interval);
    }
    widen(sides, latency, rule, t, interval);
}

static double relative(double a, double b, double whole)
{
    if (a == b)
        return 0;
    if (whole == 0)
        return a == 0 ? copysign(INFINITY, b) : NAN;
    return (b - a) / whole;
}

/* ---- its verdict ---- */

static enum verdict judge(const double interval[2], const double margins[2])
{
    if (interval[0] > margins[1])
        return VERDICT_WORSE;
    if (interval[1] < margins[0])
        return VERDICT_BETTER;
    bool between = interval[0] >= margins[0] && interval[1] <= margins[1];
    return between ? VERDICT_SAME : VERDICT_INCONCLUSIVE;
}

/* The interval's half shrinks as one over the root of the intervals. It has to fit between the
 * change and the nearer margin; where it already does, that is because the change is near it. A
 * ratio's are those of its logarithm. */
static double how_many_more(const struct change *change, bool of_factor)
{
    double at[] = {change->change, change->margins[0], change->margins[1], change->together[0],
                   change->together[1]};
    for (size_t i = 0; i < sizeof at / sizeof *at && !of_factor; i++)
        at[i] = log1p(at[i]);
    double half = (at[4] - at[3]) / 2, room = fmin(fabs(at[0] - at[1]), fabs(at[0] - at[2]));
    double more = half / room * (half / room);
    return isfinite(more) ? fmax(more, 1) : INFINITY;
}

static enum change_gap find_gap(const struct change *change, double whole)
{
    const double *interval = change_shown(change);
    if (isfinite(interval[0]) && isfinite(interval[1]))
        return GAP_NONE;
    if (!change->enough)
        return GAP_FEW;
    return whole == 0 || change->b == 0 ? GAP_ZERO : GAP_UNSURE;
}

static void give_verdict(struct change *change, enum metric metric, bool of_factor, double count)
{
    change->verdict = judge(change->together, change->margins);
    change->not_worse = change->together[1] < change->margins[1] || change->verdict == VERDICT_SAME;
    if (change->verdict == VERDICT_INCONCLUSIVE)
        change->more =
            change->enough ? how_many_more(change, of_factor) : metric_least_count(metric) / count;
}

void change_judge(struct change *change, enum metric metric, const struct jackknife_sum sides[2],
                  const struct jackknife_sum *latency, const struct change_rule *rule)
{
    double a = sides[0].all, b = sides[1].all, whole = latency ? latency->all : a;
    *change = (struct change){.applies = true,
                              .enough = rule->count >= metric_least_count(metric),
                              .a = a,
                              .b = b,
                              .change = relative(a, b, whole)};
    struct change_rule enough = *rule;
    enough.blocks = change->enough ? rule->blocks : 0;
    metric_margins(metric, rule->margin, latency != NULL, change->margins);
    find_interval(sides, latency, &enough, CHANGE_OUTSIDE, change->ci95);
    if (rule->outside > 0) {
        find_interval(sides, latency, &enough, rule->outside, change->together);
        give_verdict(change, metric, latency != NULL, rule->count);
    }
    change->gap = find_gap(change, whole);
}
