#include "sampler/stack_pace.h"

/* A round number would go with what programs do in turns of round ones. */
#define USUAL_CLOCK_NS UINT64_C(10090000)
/* Stacks a second and processor that cost little (measured: docs/measurements/kernel.md). */
#define USUAL_WAITS 150.0
#define MANY_WAITS 1000.0
/* So few are made whatever they cost. */
#define FEWEST_WAITS 20.0
#define LONGEST_CLOCK_NS 100e6
/* A kernel takes so long to copy a stack (measured: docs/measurements/kernel.md). */
#define COPY_NS 6000.0
/* How much of a new figure counts, and by how much a rate goes up at once (chosen). */
#define NEWEST 0.3
#define UP 1.25

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

void stack_pace_init(struct stack_pace *pace, const struct stack_wish *wish, uint32_t processors)
{
    *pace = (struct stack_pace){.allowed = wish->share * processors,
                                .most_waits = USUAL_WAITS,
                                .least_clock_ns = USUAL_CLOCK_NS};
    if (wish->waits_a_second > 0)
        pace->most_waits = wish->waits_a_second;
    pace->many = pace->most_waits > MANY_WAITS;
    if (wish->clock_ns)
        pace->least_clock_ns = wish->clock_ns;
    pace->waits = pace->most_waits;
    pace->clock_ns = pace->least_clock_ns;
}

static double fewest(const struct stack_pace *pace)
{
    return smaller(FEWEST_WAITS, pace->most_waits);
}

/* By the factor, below 1; what waits can't give, the clock does. */
static void slow_down(struct stack_pace *pace, double factor)
{
    if (pace->waits > fewest(pace))
        pace->waits = larger(pace->waits * factor, fewest(pace));
    else
        pace->clock_ns = (uint64_t)smaller((double)pace->clock_ns / factor, LONGEST_CLOCK_NS);
}

static void speed_up(struct stack_pace *pace, double factor)
{
    if (pace->clock_ns > pace->least_clock_ns)
        pace->clock_ns =
            (uint64_t)larger((double)pace->clock_ns / factor, (double)pace->least_clock_ns);
    else
        pace->waits = smaller(pace->waits * factor, pace->most_waits);
}

void stack_pace_follow(struct stack_pace *pace, uint64_t elapsed_ns, uint64_t stacks,
                       uint64_t own_ns)
{
    double taken = ((double)own_ns + (double)stacks * COPY_NS) / (double)elapsed_ns;
    pace->taken += NEWEST * (taken - pace->taken);
    if (pace->allowed <= 0 || pace->taken <= 0)
        return;
    double factor = pace->allowed / pace->taken;
    if (factor < 1)
        slow_down(pace, larger(factor, 1 / (UP * UP)));
    else
        speed_up(pace, smaller(factor, UP));
}
