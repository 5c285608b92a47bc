/* Distances of a few numbers, by hand. */
#include "stats/distance.h"

#include <math.h>
#include <stdio.h>

static int failures;

static void expect(const char *what, double got, double expected)
{
    if (fabs(got - expected) < 1e-12)
        return;
    printf("%s is %.17g, expected %.17g\n", what, got, expected);
    failures++;
}

int main(void)
{
    const double a[] = {1, 2, 3, 4}, far[] = {1, 2, 3, 8}, above[] = {11, 12, 13, 14};
    const double two[] = {2, 2, 2, 4}; /* F: 3/4 at 2 against 2/4; and 0 at 1 against 1/4 */
    expect("moved, the same", distance_moved(a, a, 4), 0);
    expect("steps, the same", distance_steps(a, a, 4), 0);
    expect("moved, one far", distance_moved(a, far, 4), 1);
    expect("steps, one far", distance_steps(a, far, 4), 0.25);
    expect("moved, all", distance_moved(a, above, 4), 10);
    expect("steps, all", distance_steps(above, a, 4), 1);
    expect("moved, equals", distance_moved(a, two, 4), 0.5);
    expect("steps, equals", distance_steps(a, two, 4), 0.25);
    expect("nothing", distance_moved(a, a, 0) + distance_steps(a, a, 0), 0);
    printf("%d failed\n", failures);
    return failures != 0;
}
