/* With two x, R^2 = (r0^2 + r1^2 - 2 r0 r1 r01) / (1 - r01^2). */
#include "stats/regression.h"

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

/* (0.36 + 0.36 - 0.36) / 0.75 = 0.48;  (0.64 + 0.25 + 0.24) / (1 - 0.09) = 1.13 / 0.91 > 1 cannot
 * be; (0.64 + 0.25 - 0.24) / 0.91 = 0.65 / 0.91 */
static void pairs(void)
{
    expect("one", regression_explained(1, (double[]){1}, (double[]){-0.6}), 0.36);
    expect("alike", regression_explained(2, (double[]){1, 0.5, 0.5, 1}, (double[]){0.6, 0.6}),
           0.48);
    expect("unlike", regression_explained(2, (double[]){1, 0.3, 0.3, 1}, (double[]){0.8, 0.5}),
           0.65 / 0.91);
    expect("independent", regression_explained(2, (double[]){1, 0, 0, 1}, (double[]){0.6, 0.8}), 1);
    expect("none", regression_explained(0, NULL, NULL), 0);
}

/* The second is the first turned round, the third independent of both: 0.36 + 0.25. */
static void determined(void)
{
    double correlation[] = {1, -1, 0, -1, 1, 0, 0, 0, 1};
    expect("the same twice", regression_explained(3, correlation, (double[]){0.6, -0.6, 0.5}),
           0.36 + 0.25);
}

/* One that never varies has a correlation of 0 with itself as well. */
static void constant(void)
{
    expect("constant", regression_explained(2, (double[]){0, 0, 0, 1}, (double[]){0, 0.5}), 0.25);
}

int main(void)
{
    pairs();
    determined();
    constant();
    printf("%d failed\n", failures);
    return failures != 0;
}
