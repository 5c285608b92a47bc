/* stack_pace.h: whatever a stack costs, they take no more than their share in the long run, and where
 * they cost little all that were wished for are made. */
#include "check.h"
#include "sampler/stack_pace.h"

enum { PROCESSORS = 2, STEPS = 400 };
#define STEP_NS UINT64_C(50000000)

/* A machine where so many threads wait a second and processor, and a stack takes `stack_ns`. */
struct machine {
    double waits, stack_ns;
};

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* Gives the share of the processors that was taken from the first quarter of the time on. */
static double run(struct stack_pace *pace, const struct machine *machine)
{
    double taken_ns = 0, steps = 0;
    for (int i = 0; i < STEPS; i++) {
        double waits = smaller(machine->waits, pace->waits) * PROCESSORS * (double)STEP_NS / 1e9;
        double ticks = (double)STEP_NS / (double)pace->clock_ns * PROCESSORS;
        double stacks = waits + ticks, own_ns = stacks * machine->stack_ns;
        stack_pace_follow(pace, STEP_NS, (uint64_t)stacks, (uint64_t)own_ns);
        if (i < STEPS / 4)
            continue;
        taken_ns += own_ns;
        steps++;
    }
    return taken_ns / (steps * (double)STEP_NS * PROCESSORS);
}

static const struct stack_wish wish = {
    .on = true, .clock_ns = 1000000, .waits_a_second = 10000, .share = 0.02};

static void all_where_there_is_room(void)
{
    struct stack_pace pace;
    struct machine quiet = {.waits = 300, .stack_ns = 5000};
    stack_pace_init(&pace, &wish, PROCESSORS);
    CHECK(run(&pace, &quiet) < 0.02);
    CHECK(pace.waits == 10000 && pace.clock_ns == 1000000);
}

static void waits_go_down_first(void)
{
    struct stack_pace pace;
    struct machine busy = {.waits = 50000, .stack_ns = 5000};
    stack_pace_init(&pace, &wish, PROCESSORS);
    double taken = run(&pace, &busy);
    CHECK(taken < 0.0205 && taken > 0.005);
    CHECK(pace.waits > 500 && pace.waits < 5000 && pace.clock_ns == 1000000);
    struct machine quiet = {.waits = 100, .stack_ns = 5000};
    run(&pace, &quiet);
    CHECK(pace.waits == 10000);
}

static void then_the_clock(void)
{
    struct stack_pace pace;
    struct machine dear = {.waits = 50000, .stack_ns = 60000};
    stack_pace_init(&pace, &wish, PROCESSORS);
    CHECK(run(&pace, &dear) < 0.022);
    CHECK(pace.waits <= 25 && pace.clock_ns > 2000000);
    struct machine quiet = {.waits = 100, .stack_ns = 2000};
    run(&pace, &quiet);
    CHECK(pace.waits == 10000 && pace.clock_ns == 1000000);
}

static void no_bound(void)
{
    struct stack_pace pace;
    struct machine dear = {.waits = 50000, .stack_ns = 60000};
    stack_pace_init(&pace, &(struct stack_wish){.on = true}, PROCESSORS);
    run(&pace, &dear);
    CHECK(pace.waits == 150 && pace.clock_ns == 10090000);
}

int main(void)
{
    all_where_there_is_room();
    waits_go_down_first();
    then_the_clock();
    no_bound();
    return CHECK_DONE();
}
