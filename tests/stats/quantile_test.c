/* As R's quantile(x, type = 7) has them. */
#include "stats/quantile.h"

#include <math.h>
#include <stdio.h>

static int failures;

static void expect(const char *what, double got, double expected)
{
    if (fabs(got - expected) < 1e-9)
        return;
    printf("%s is %.17g, expected %.17g\n", what, got, expected);
    failures++;
}

int main(void)
{
    static const int64_t three[] = {10, 20, 40}, one[] = {5}, four[] = {14, 15, 16, 17};
    int64_t hundred[100];
    for (int i = 0; i < 100; i++)
        hundred[i] = i + 1;
    expect("of none", quantile_sorted(NULL, 0, 0.5), 0);
    expect("of one", quantile_sorted(one, 1, 0.99), 5);
    expect("least", quantile_sorted(three, 3, 0), 10);
    expect("median", quantile_sorted(three, 3, 0.5), 20);
    expect("upper quartile", quantile_sorted(three, 3, 0.75), 30);
    expect("greatest", quantile_sorted(three, 3, 1), 40);
    expect("even median", quantile_sorted(four, 4, 0.5), 15.5);
    expect("p95", quantile_sorted(hundred, 100, 0.95), 95.05);
    expect("p99", quantile_sorted(hundred, 100, 0.99), 99.01);
    printf("%d failed\n", failures);
    return failures != 0;
}
