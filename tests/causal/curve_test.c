/* Curves whose kinks are known: lines, plateaus, two slopes, a kink before the first point, and noise. */
#include "causal/curve.h"
#include "tests/causal/expect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int near(double a, double b, double within)
{
    return fabs(a - b) <= within;
}

static double convoy(double s)
{
    double x = 1 - s;
    return fmax(3 * x, (1 + 3 * x) / 2) / 3;
}

static double barrier(double s)
{
    return fmax(1 - s, 0.9);
}

static double pipeline(double s)
{
    return fmax(1 - s, 0.5);
}

static double chain(double s)
{
    return 1 - 0.3 * s;
}

static double flat(double s)
{
    return 1 + 0 * s;
}

static double normal(unsigned *state)
{
    return sqrt(-2 * log(uniform(state))) * cos(2 * acos(-1) * uniform(state));
}

static struct curve fit(double (*of)(double), double error, unsigned *state)
{
    struct curve_point points[4];
    for (int i = 0; i < 4; i++) {
        double x = 0.25 * (i + 1);
        points[i] = (struct curve_point){x, of(x) + (state ? error * normal(state) : 0), error};
    }
    return curve_fit(points, 4);
}

static void look_at_exact(void)
{
    struct curve c = fit(chain, 0.01, NULL);
    expect(c.pieces == 1 && near(c.slopes[0], -0.3, 1e-9), "a chain is a line");
    c = fit(pipeline, 0.01, NULL);
    expect(c.pieces == 2 && near(c.slopes[0], -1, 1e-9) && near(c.slopes[1], 0, 1e-9) &&
               near(c.kinks[0].from, 0.5, 1e-9) && near(c.kinks[0].to, 0.5, 1e-9),
           "a pipeline has a plateau from a half on");
    c = fit(convoy, 0.01, NULL);
    expect(c.pieces == 2 && near(c.slopes[1], -0.5, 1e-9) && near(c.kinks[0].to, 2.0 / 3, 1e-9),
           "a convoy's kink is at two thirds");
    c = fit(barrier, 0.01, NULL);
    expect(c.pieces == 2 && near(c.kinks[0].from, 0.1, 1e-9) && near(c.kinks[0].to, 0.25, 1e-9),
           "a kink before the first point lies between what is possible and that point");
    c = fit(flat, 0.01, NULL);
    expect(c.pieces == 1 && near(c.slopes[0], 0, 1e-9), "nothing is flat");
    expect(near(curve_at(&c, 0.5), 1, 1e-9), "and is 1");
    c = fit(convoy, 0.01, NULL);
    for (int i = 0; i <= 4; i++)
        expect(near(curve_at(&c, i / 4.0), convoy(i / 4.0), 1e-9),
               "a curve goes through its points");
    expect(curve_fit(NULL, 0).pieces == 0, "no points are no curve");
}

/* A kink that is none is told in one of twenty, about. */
static void look_at_noise(void)
{
    enum { TRIES = 2000 };
    unsigned state = 5;
    int kinks = 0, found = 0;
    for (int i = 0; i < TRIES; i++) {
        kinks += fit(chain, 0.01, &state).pieces > 1;
        struct curve c = fit(pipeline, 0.01, &state);
        found += c.pieces >= 2 && near(c.kinks[0].to, 0.5, 0.06);
    }
    expect(kinks < TRIES / 12, "noise on a line seldom has a kink");
    expect(found > TRIES * 9 / 10, "noise on a plateau keeps its kink");
}

int main(void)
{
    look_at_exact();
    look_at_noise();
    return failures != 0;
}
