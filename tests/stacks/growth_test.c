/* growth.h: exponents of known laws, and a regression worked out by hand. */
#include "stacks/growth.h"

#include <math.h>

#include "check.h"

static double exponent_of(double (*law)(double), double from, double by, int count)
{
    struct growth_point points[8];
    struct growth growth;
    for (int i = 0; i < count; i++, from *= by)
        points[i] = (struct growth_point){from, 3e-6 * law(from), 0};
    CHECK(growth_fit(&growth, points, (size_t)count));
    return growth.exponent;
}

static double linear(double n)
{
    return n;
}

static double with_log(double n)
{
    return n * log(n);
}

static double square(double n)
{
    return n * n;
}

static void check_laws(void)
{
    CHECK(fabs(exponent_of(linear, 1e4, 2, 3) - 1) < 1e-9);
    CHECK(fabs(exponent_of(with_log, 1e4, 2, 3) - 1.1) < 0.1);
    CHECK(fabs(exponent_of(with_log, 1e3, 10, 4) - 1.1) < 0.1);
    CHECK(fabs(exponent_of(square, 1e4, 2, 5) - 2) < 1e-9);
    const struct growth_point dnsmasq[] = {{5000, 0.047, 0}, {10000, 0.197, 0}, {20000, 0.866, 0}};
    struct growth growth;
    CHECK(growth_fit(&growth, dnsmasq, 3));
    CHECK(fabs(growth.exponent - 2.1018) < 1e-4);
    CHECK(growth.ci95[0] > 1.5 && growth.ci95[1] < 2.7);
}

/* x = 0, ln 2, 2 ln 2; y = ln 2, ln 3, ln 10: b = (y3 - y1) / (2 ln 2) = 1.160964, the line is off by
 * 0.133084, -0.266168, 0.133084, so b's error is sqrt(0.106268 / 0.960906) = 0.332553; t(1) is 12.7062. */
static void check_regression(void)
{
    struct growth_point points[] = {{1, 2, 0}, {2, 3, 0}, {4, 10, 0}, {8, 0, 0}};
    struct growth growth;
    CHECK(growth_fit(&growth, points, 4));
    CHECK(fabs(growth.exponent - 1.160964) < 1e-6 && fabs(growth.error - 0.332553) < 1e-5);
    CHECK(fabs(growth.ci95[1] - growth.exponent - 4.22549) < 1e-3 && !growth.weighted);
    CHECK(fabs(growth.at_one - exp(0.560063)) < 1e-5);
    /* All are known to 10 %: off by 3.2599 times as much as they should. */
    for (int i = 0; i < 3; i++)
        points[i].error = points[i].time / 10;
    CHECK(growth_fit(&growth, points, 3) && growth.weighted);
    CHECK(fabs(growth.exponent - 1.160964) < 1e-6 && fabs(growth.error - 0.332553) < 1e-5);
    CHECK(fabs(growth.ci95[1] - growth.exponent - 0.65180) < 1e-4);
    /* All are known to 50 %: that is less than what they are off. */
    for (int i = 0; i < 3; i++)
        points[i].error = points[i].time / 2;
    CHECK(growth_fit(&growth, points, 3));
    CHECK(fabs(growth.error - 0.5 / sqrt(0.960906)) < 1e-5);
    CHECK(fabs(growth.ci95[1] - growth.exponent - 1.959964 * growth.error) < 1e-5);
    /* One that is known better counts for more: with weights 1, 1 and 10^6 the line goes through the last. */
    points[0].error = 2, points[1].error = 3, points[2].error = 0.01;
    CHECK(growth_fit(&growth, points, 3));
    CHECK(fabs(growth.at_one * pow(4, growth.exponent) - 10) < 1e-3);
}

static void check_limits(void)
{
    const struct growth_point two[] = {{1, 1, 0}, {2, 2, 0}, {2, 3, 0}, {3, 0, 0}, {0, 5, 0}};
    struct growth growth;
    CHECK(!growth_fit(&growth, two, 5));
    CHECK(!growth_fit(&growth, two, 0));
    /* A square that takes a third of the time is worth more than what is as it should be. */
    const struct growth_point n[] = {{1, 60, 0}, {2, 120, 0}, {4, 240, 0}};
    const struct growth_point n2[] = {{1, 1, 0}, {2, 4, 0}, {4, 16, 0}};
    struct growth right, wrong;
    CHECK(growth_fit(&right, n, 3) && growth_fit(&wrong, n2, 3));
    CHECK(fabs(growth_rank(&right, 0.6) - 0.6) < 1e-9 &&
          fabs(growth_rank(&wrong, 0.35) - 0.7) < 1e-9);
    const struct growth falls = {.exponent = 0.1, .ci95 = {-0.5, 0.7}};
    CHECK(growth_rank(&falls, 1) == 0);
}

int main(void)
{
    check_laws();
    check_regression();
    check_limits();
    return CHECK_DONE();
}
