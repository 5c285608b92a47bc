/* Known answers: tables of Student's t, and the closed forms of 1 and 2 degrees of freedom. */
#include "stats/student.h"

#include <math.h>
#include <stdio.h>

static int failures;

static void expect(double outside, unsigned freedom, double expected, double within)
{
    double got = student_beyond(outside, freedom);
    if (fabs(got - expected) <= within)
        return;
    printf("t(%g, %u) is %.17g, expected %.17g\n", outside, freedom, got, expected);
    failures++;
}

/* The other way round. */
static void expect_outside(double t, unsigned freedom, double expected, double within)
{
    double got = student_outside(t, freedom);
    if (fabs(got - expected) <= within)
        return;
    printf("P(|T| > %g), %u, is %.17g, expected %.17g\n", t, freedom, got, expected);
    failures++;
}

int main(void)
{
    expect_outside(0, 7, 1, 1e-12);
    expect_outside(2.262, 9, 0.05, 1e-4);
    expect_outside(3.883, 19, 0.001, 1e-6);
    expect_outside(1e9, 19, 0, 1e-15);
    expect_outside(1, 1, 0.5, 1e-12);
    for (double outside = 0.3; outside > 1e-6; outside /= 3)
        expect_outside(student_beyond(outside, 14), 14, outside, 1e-12);
    expect(0.05, 1, 12.706, 5e-4);
    expect(0.05, 2, 4.303, 5e-4);
    expect(0.05, 9, 2.262, 5e-4);
    expect(0.05, 19, 2.093, 5e-4);
    expect(0.01, 9, 3.250, 5e-4);
    expect(0.001, 19, 3.883, 5e-4);
    expect(0.5, 10, 0.700, 5e-4);
    for (double outside = 0.3; outside > 1e-6; outside /= 3) {
        double t = tan(M_PI / 2 * (1 - outside));
        expect(outside, 1, t, 1e-9 * t);
        t = (1 - outside) * sqrt(2 / (1 - (1 - outside) * (1 - outside)));
        expect(outside, 2, t, 1e-9 * t);
    }
    printf("%d failed\n", failures);
    return failures != 0;
}
