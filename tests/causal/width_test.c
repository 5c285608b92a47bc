/* How wide an interval will be: the plan from a pilot, against what intervals of made runs come to be; and the time for
 * a width is that after which it is reached. */
#include "causal/width.h"
#include "tests/causal/expect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { A_SECOND = 500 };

static void draw(int64_t *values, size_t count, unsigned *state)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (int64_t)(-1e6 * log(uniform(state)));
}

/* Of exponential latencies the mean's logarithm has a variance of 1/n, and that of a quantile q one of
 * q / (n (1 - q) log(1 - q)^2): by hand, without the code. */
static void look_at_errors(void)
{
    enum { SECONDS = 400 };
    static int64_t values[SECONDS * A_SECOND];
    unsigned state = 5;
    double mean = 0, p99 = 0;
    draw(values, SECONDS * A_SECOND, &state);
    for (int s = 0; s < SECONDS; s += 20) {
        const int64_t *of = values + s * A_SECOND;
        mean += pow(causal_spread_of(of, 20 * A_SECOND, 20, CAUSAL_MEAN).error_s, 2) / 20;
        p99 += pow(causal_spread_of(of, 20 * A_SECOND, 20, CAUSAL_P99).error_s, 2) / 20;
    }
    double p99_truth = 0.99 / 0.01 / pow(log(0.01), 2) / A_SECOND;
    printf("variance of one second: mean %.5f (%.5f), p99 %.5f (%.5f)\n", mean, 1.0 / A_SECOND, p99,
           p99_truth);
    expect(fabs(mean * A_SECOND - 1) < 0.25, "the mean's error");
    expect(fabs(p99 / p99_truth - 1) < 0.35, "and that of p99");
}

/* The level has 10 s, the reference 20 s: as wide is the interval of the quotient of two means in the median of many
 * runs. */
static void look_at_width(void)
{
    enum { RUNS = 200, SECONDS = 10 };
    static int64_t level[SECONDS * A_SECOND], none[2 * SECONDS * A_SECOND];
    struct causal_spread spread = {true, sqrt(1.0 / A_SECOND)};
    double planned = causal_width_after(&spread, 20, SECONDS), squares = 0;
    unsigned state = 6;
    for (int r = 0; r < RUNS; r++) {
        double sums[2] = {0};
        draw(level, SECONDS * A_SECOND, &state);
        draw(none, 2 * SECONDS * A_SECOND, &state);
        for (int i = 0; i < SECONDS * A_SECOND; i++)
            sums[0] += (double)level[i], sums[1] += (double)(none[2 * i] + none[2 * i + 1]) / 2;
        squares += pow(log(sums[0] / sums[1]), 2) / RUNS;
    }
    double truth = exp(2.093 * sqrt(squares)) - 1;
    printf("half width planned %.4f, seen %.4f\n", planned, truth);
    expect(fabs(planned / truth - 1) < 0.15, "the planned width is that of the runs");
    double takes = causal_width_takes(&spread, 20, planned);
    expect(fabs(takes - SECONDS) < 1e-6, "and takes as long");
    expect(fabs(causal_width_takes(&spread, 20, exp(log(1 + planned) / 2) - 1) - 4 * SECONDS) <
               1e-6,
           "half of it four times as long");
}

static void look_at_little(void)
{
    int64_t values[200];
    for (int i = 0; i < 200; i++)
        values[i] = 1000 + i;
    expect(!causal_spread_of(values, 50, 1, CAUSAL_MEAN).known, "50 are too few for a mean");
    expect(causal_spread_of(values, 200, 1, CAUSAL_MEAN).known, "200 are enough");
    expect(!causal_spread_of(values, 200, 1, CAUSAL_P99).known, "but not for a p99");
}

int main(void)
{
    look_at_errors();
    look_at_width();
    look_at_little();
    return failures != 0;
}
