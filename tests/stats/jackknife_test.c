/* Block borders and intervals worked out by hand. */
#include "stats/jackknife.h"

#include <math.h>
#include <stdio.h>

static int failures;

static void expect(const char *what, double got, double expected)
{
    if (fabs(got - expected) < 1e-3)
        return;
    printf("%s is %.17g, expected %.17g\n", what, got, expected);
    failures++;
}

static void borders(void)
{
    uint32_t size[4] = {0}, last = 0;
    for (size_t i = 0; i < 10; i++) {
        uint32_t block = jackknife_block(i, 10, 4);
        expect("in order", block >= last && block < 4, 1);
        expect("not before its first", i >= jackknife_first(block, 10, 4), 1);
        expect("before the next one's", i < jackknife_first(block + 1, 10, 4), 1);
        last = block;
        size[block]++;
    }
    for (int b = 0; b < 4; b++)
        expect("size 2 or 3", size[b] == 2 || size[b] == 3, 1);
    expect("few", jackknife_block_count(3), 3);
    expect("many", jackknife_block_count(1000), 20);
}

/* left out 1, 2, 3: mean 2, squares 2, se^2 = 2/3 * 2, t(2) = 4.303: half = 4.9687
 * For a mean of blocks, se is the usual standard error: blocks 2, 4, 6, 8 of one value; left out
 * means 6, 16/3, 14/3, 4; s^2 = 20/3, se = sqrt(20/12) = 1.29099, t(3) = 3.182: 4.1079 */
static void intervals(void)
{
    double ci[2];
    jackknife_interval((double[]){1, 2, 3}, 3, 2, ci);
    expect("low", ci[0], 2 - 4.9687);
    expect("high", ci[1], 2 + 4.9687);
    jackknife_interval((double[]){6, 16 / 3.0, 14 / 3.0, 4}, 4, 5, ci);
    expect("low", ci[0], 5 - 4.1079);
    expect("high", ci[1], 5 + 4.1079);
    jackknife_interval((double[]){1}, 1, 7, ci);
    expect("one block", ci[0], 7);
    jackknife_interval(NULL, 0, 7, ci);
    expect("no block", ci[1], 7);
}

/* Four blocks, t(3) = 3.182, t^2 = 10.125. Deviations of the part left out -1 1 -1 1 about 50, of
 * the whole -1 -1 1 1 about 100: var 3/4 * 4 = 3 each, covariance 0.
 *     (50 - 100 r)^2 = 30.375 (1 + r^2)
 *     (10000 - 30.375) r^2 - 10000 r + 2500 - 30.375 = 0
 *     r = (5000 -+ sqrt(25e6 - 9969.625 * 2469.625)) / 9969.625 = (5000 -+ 615.42) / 9969.625
 * A part that is a quarter of the whole whatever is left out is a quarter, surely. Where the
 * whole is not told from 0 (1 -+ 3.182 sqrt(3)) the ratio has its plain interval. */
static void ratios(void)
{
    struct jackknife_sum part = {50, {49, 51, 49, 51}}, whole = {100, {99, 99, 101, 101}};
    double ci[2];
    jackknife_ratio_interval(&part, &whole, 4, ci);
    expect("low", ci[0], 0.43979);
    expect("high", ci[1], 0.56325);
    part = (struct jackknife_sum){25, {24.75, 24.75, 25.25, 25.25}};
    jackknife_ratio_interval(&part, &whole, 4, ci);
    expect("surely low", ci[0], 0.25);
    expect("surely high", ci[1], 0.25);
    whole = (struct jackknife_sum){1, {0, 0, 2, 2}};
    part = (struct jackknife_sum){0.25, {0, 0, 0.5, 0.5}};
    jackknife_ratio_interval(&part, &whole, 4, ci);
    expect("plain", ci[1] > 0.25 && ci[1] < 2, 1);
    whole.all = 0;
    jackknife_ratio_interval(&part, &whole, 4, ci);
    expect("of nothing", ci[0] == 0 && ci[1] == 0, 1);
}

/* As above with any t: 3.182 gives the same; with 57.8 and more the whole, which is 100 and off by
 * sqrt(3), is not told from 0. */
static void other_levels(void)
{
    struct jackknife_sum part = {50, {49, 51, 49, 51}}, whole = {100, {99, 99, 101, 101}};
    double interval[2];
    jackknife_ratio_within(&part, &whole, 4, 3.182, interval);
    expect("low at 3.182", interval[0], 0.43979);
    expect("high at 3.182", interval[1], 0.56325);
    jackknife_ratio_within(&part, &whole, 4, 57, interval);
    expect("far and wide", interval[1] - interval[0] > 10 && interval[1] < INFINITY, 1);
    jackknife_ratio_within(&part, &whole, 4, 58, interval);
    expect("unbounded", interval[0] == -INFINITY && interval[1] == INFINITY, 1);
    jackknife_ratio_within(&(struct jackknife_sum){0, {0}}, &whole, 4, 58, interval);
    expect("surely nothing", interval[0] == 0 && interval[1] == 0, 1);
    jackknife_ratio_within(&part, &whole, 1, 3.182, interval);
    expect("one block", interval[0] == -INFINITY && interval[1] == INFINITY, 1);
}

/* Of 2: left out e^0.01 and e^-0.01 times as much, se^2 = 3/4 * 4 * 0.01^2, 3.182 se = 0.055114. */
static void positive_ratios(void)
{
    double up = exp(0.01), interval[2], back[2];
    struct jackknife_sum a = {50, {49, 51, 49, 51}};
    struct jackknife_sum b = {100, {98 * up, 102 / up, 98 / up, 102 * up}};
    jackknife_positive_ratio(&b, &a, 4, 3.182, interval);
    expect("low", interval[0], 2 * exp(-0.055114));
    expect("high", interval[1], 2 * exp(0.055114));
    jackknife_positive_ratio(&a, &b, 4, 3.182, back);
    expect("back", interval[0] * back[1], 1);
    b = (struct jackknife_sum){100, {-98, 102, 98, 198}};
    a = (struct jackknife_sum){50, {-49, 51, 49, 99}};
    jackknife_positive_ratio(&b, &a, 4, 3.182, interval);
    expect("twice, whatever is left out", interval[0] == 2 && interval[1] == 2, 1);
    a.all = 0;
    jackknife_positive_ratio(&b, &a, 4, 3.182, interval);
    expect("of nothing", interval[0] == -INFINITY && interval[1] == INFINITY, 1);
    jackknife_positive_ratio(&b, &a, 1, 3.182, interval);
    expect("one block", interval[1] == INFINITY, 1);
}

/* 10 -+ 3.182 sqrt(3/4 * 4 * s^2) = 10 -+ 5.511 s. */
static void differences(void)
{
    expect("10 -+ 5.5", jackknife_differs(&(struct jackknife_sum){10, {9, 9, 11, 11}}, 4), 1);
    expect("-10 -+ 5.5", jackknife_differs(&(struct jackknife_sum){-10, {9, 9, 11, 11}}, 4), 1);
    expect("10 -+ 11", jackknife_differs(&(struct jackknife_sum){10, {8, 8, 12, 12}}, 4), 0);
    expect("one block", jackknife_differs(&(struct jackknife_sum){10, {8}}, 1), 0);
}

int main(void)
{
    borders();
    intervals();
    ratios();
    other_levels();
    positive_ratios();
    differences();
    printf("%d failed\n", failures);
    return failures != 0;
}
