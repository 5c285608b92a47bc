/* Known answers: the example of Benjamini and Hochberg (1995, section 3.3), where Bonferroni tells three. */
#include "stats/false_discovery.h"

#include <stdio.h>

static int failures;

static void expect(const double *ascending, size_t count, double rate, size_t expected)
{
    size_t got = false_discovery_told(ascending, count, rate);
    if (got == expected)
        return;
    printf("%zu of %zu are told, expected %zu\n", got, count, expected);
    failures++;
}

int main(void)
{
    static const double p[] = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                               0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
    expect(p, 15, 0.05, 4);
    expect(p, 9, 0.05, 9);
    expect(p + 9, 6, 0.05, 0);
    expect(p, 0, 0.05, 0);
    /* One that is not told by itself is told with those behind it. */
    expect((const double[]){0.03, 0.04, 0.05}, 3, 0.05, 3);
    expect((const double[]){0.03, 0.04, 0.06}, 3, 0.05, 0);
    printf("%d failed\n", failures);
    return failures != 0;
}
