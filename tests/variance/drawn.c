#include "drawn.h"

#include <math.h>

#define RARE 0.05

/* SplitMix64. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double uniform(uint64_t *state)
{
    return ((double)(next(state) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
    double radius = sqrt(-2 * log(uniform(state)));
    return radius * cos(2 * 3.14159265358979323846 * uniform(state));
}

uint32_t drawn_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)(next(state) % limit);
}

void drawn_start(struct drawn *source, uint64_t seed)
{
    source->state = seed;
    source->normal = normal(&source->state);
}

static double sigma(const struct drawn *source)
{
    return source->shape == DRAWN_LONG_TAIL ? 1 : 0.5;
}

double drawn_next(struct drawn *source)
{
    double rho = source->persistence;
    source->normal = rho * source->normal + sqrt(1 - rho * rho) * normal(&source->state);
    double z = source->normal, above = 0.5 * erfc(z / sqrt(2));
    switch (source->shape) {
    case DRAWN_NORMAL:
        return source->scale_ns * (8 + z);
    case DRAWN_EXPONENTIAL:
        return source->scale_ns * -log(above);
    case DRAWN_RARE:
        return above < RARE ? 10 * source->scale_ns : 0;
    default:
        return source->scale_ns * exp(sigma(source) * z);
    }
}

double drawn_variance(const struct drawn *source)
{
    double square = source->scale_ns * source->scale_ns, s2 = sigma(source) * sigma(source);
    switch (source->shape) {
    case DRAWN_NORMAL:
    case DRAWN_EXPONENTIAL:
        return square;
    case DRAWN_RARE:
        return 100 * square * RARE * (1 - RARE);
    default:
        return square * exp(s2) * (exp(s2) - 1);
    }
}
