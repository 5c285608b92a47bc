#include "stacks/growth.h"

#include <math.h>

#include "stats/student.h"

#define OUTSIDE 0.05
#define NORMAL_95 1.959964 /* standard errors, of a normal distribution */

/* Weighted sums of the logarithms. */
struct sums {
    double weight, x, y, xx, xy;
    double middle; /* of x */
    bool weighted;
};

static bool usable(const struct growth_point *point)
{
    return point->size > 0 && point->time > 0;
}

static size_t sizes_of(const struct growth_point *points, size_t count)
{
    size_t sizes = 0;
    for (size_t i = 0; i < count; i++) {
        bool anew = usable(&points[i]);
        for (size_t j = 0; j < i && anew; j++)
            anew = !usable(&points[j]) || points[j].size != points[i].size;
        sizes += anew;
    }
    return sizes;
}

static bool errors_known(const struct growth_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (usable(&points[i]) && points[i].error <= 0)
            return false;
    return true;
}

static double weight_of(const struct sums *sums, const struct growth_point *point)
{
    double relative = point->error / point->time;
    return !usable(point) ? 0 : sums->weighted ? 1 / (relative * relative) : 1;
}

static void add_up(struct sums *sums, const struct growth_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double w = weight_of(sums, &points[i]);
        if (w == 0)
            continue;
        sums->weight += w;
        sums->x += w * log(points[i].size);
        sums->y += w * log(points[i].time);
    }
    sums->middle = sums->x / sums->weight;
    for (size_t i = 0; i < count; i++) {
        double w = weight_of(sums, &points[i]);
        if (w == 0)
            continue;
        double x = log(points[i].size) - sums->middle;
        sums->xx += w * x * x;
        sums->xy += w * x * log(points[i].time);
    }
}

/* The weighted squares of what the points are off the line, for each degree of freedom. */
static double scatter_of(const struct sums *sums, const struct growth *growth,
                         const struct growth_point *points, size_t count, unsigned *freedom)
{
    double squares = 0;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        double w = weight_of(sums, &points[i]);
        if (w == 0)
            continue;
        double off = log(points[i].time) - sums->y / sums->weight -
                     growth->exponent * (log(points[i].size) - sums->middle);
        squares += w * off * off;
        used++;
    }
    *freedom = (unsigned)used - 2;
    return squares / *freedom;
}

bool growth_fit(struct growth *growth, const struct growth_point *points, size_t count)
{
    struct sums sums = {.weighted = errors_known(points, count)};
    unsigned freedom;
    if (sizes_of(points, count) < GROWTH_SIZES)
        return false;
    add_up(&sums, points, count);
    *growth = (struct growth){.exponent = sums.xy / sums.xx, .weighted = sums.weighted};
    growth->at_one = exp(sums.y / sums.weight - growth->exponent * sums.middle);
    double scatter = scatter_of(&sums, growth, points, count, &freedom);
    double known = sums.weighted ? NORMAL_95 / sqrt(sums.xx) : 0;
    double seen = sqrt(scatter / sums.xx);
    double half =
        sums.weighted ? known * fmax(1, sqrt(scatter)) : student_beyond(OUTSIDE, freedom) * seen;
    growth->error = sums.weighted ? fmax(1 / sqrt(sums.xx), seen) : seen;
    growth->ci95[0] = growth->exponent - half;
    growth->ci95[1] = growth->exponent + half;
    return true;
}

double growth_rank(const struct growth *growth, double share)
{
    return fmax(0, growth->ci95[0]) * share;
}
