/* stack_rate.h: however often threads wait, and whichever of them waited long once, no more stacks are taken than are
 * wished for, and those that are taken stand for all waits that there were. */
#include <math.h>

#include "check.h"
#include "sampler/stack_rate.h"

enum { STEPS = 400, SETTLED = 20 };
#define STEP_NS UINT64_C(50000000)

/* A machine's waits a second: of threads that waited long once, and of all others. */
struct machine {
    double slow, others;
};

/* Of what was taken once the rates had settled. */
struct taken {
    double stacks, slow_stood_for, others_stood_for; /* a second */
};

/* Two events as perf's are: each tells one in so many of its own. */
struct counters {
    uint64_t all, slow;
};

static uint32_t told(struct counters *counters, const struct stack_rates *rates, bool is_slow)
{
    uint32_t records = 0;
    if (++counters->all >= rates->all.every) {
        counters->all = 0;
        records++;
    }
    if (is_slow && ++counters->slow >= rates->slow.every) {
        counters->slow = 0;
        records++;
    }
    return records;
}

static void wait_once(struct stack_rates *rates, struct counters *counters, bool is_slow,
                      struct taken *taken)
{
    uint32_t records = told(counters, rates, is_slow);
    for (uint32_t i = 0; i < records; i++)
        stack_rates_note(rates, is_slow);
    taken->stacks += records;
    /* The same wait told twice is one. */
    if (records)
        *(is_slow ? &taken->slow_stood_for : &taken->others_stood_for) +=
            stack_rates_one_in(rates, is_slow);
}

static struct taken run(struct stack_rates *rates, const struct machine *machine,
                        const struct stack_wanted *wanted)
{
    struct counters counters = {0};
    struct taken taken = {0};
    uint64_t random = 1;
    double slow = 0, others = 0, step = (double)STEP_NS / 1e9;
    for (int i = 0; i < STEPS; i++) {
        if (i == SETTLED)
            taken = (struct taken){0};
        for (slow += machine->slow * step; slow >= 1; slow--)
            wait_once(rates, &counters, true, &taken);
        for (others += machine->others * step; others >= 1; others--)
            wait_once(rates, &counters, false, &taken);
        stack_rates_follow(rates, wanted, STEP_NS, &random);
    }
    double seconds = (STEPS - SETTLED) * step;
    return (struct taken){taken.stacks / seconds, taken.slow_stood_for / seconds,
                          taken.others_stood_for / seconds};
}

static const struct stack_wanted wanted = {.all = 150, .slow = 1000};

static struct stack_rates first(void)
{
    return (struct stack_rates){.all = {.every = 8}, .slow = {.every = 1}};
}

static void check_stood_for(const struct taken *taken, const struct machine *machine)
{
    CHECK(fabs(taken->slow_stood_for - machine->slow) <= 0.05 * machine->slow);
    CHECK(fabs(taken->others_stood_for - machine->others) <= 0.05 * machine->others);
}

static void few_are_all_taken(void)
{
    struct stack_rates rates = first();
    struct machine quiet = {.slow = 20, .others = 40};
    struct taken taken = run(&rates, &quiet, &wanted);
    CHECK(rates.all.every == 1 && rates.slow.every == 1);
    CHECK(fabs(taken.slow_stood_for - 20) < 1);
    CHECK(fabs(taken.others_stood_for - 40) < 1);
}

/* Each wait of the slow, and one in 400 of the others. */
static void slow_ones_beside_many(void)
{
    struct stack_rates rates = first();
    struct machine machine = {.slow = 20, .others = 60000};
    struct taken taken = run(&rates, &machine, &wanted);
    CHECK(rates.slow.every == 1 && rates.all.every > 150);
    CHECK(taken.stacks < 1.2 * 170);
    check_stood_for(&taken, &machine);
}

/* Each thread of a server has waited long once: still no more than were wished for. */
static void all_were_slow_once(void)
{
    struct stack_rates rates = first();
    struct machine machine = {.slow = 60000};
    struct taken taken = run(&rates, &machine, &wanted);
    CHECK(taken.stacks < 1.2 * 1150);
    check_stood_for(&taken, &machine);
}

/* Of others that wait long now nothing is known but that they are among all. */
static void other_slow_ones_are_bounded_at_once(void)
{
    struct stack_rates rates = {.all = {.every = 400}, .slow = {.every = 1, .seen = 3}};
    stack_rates_other_slow(&rates, &wanted);
    CHECK(rates.slow.every == 60);
    CHECK(rates.slow.seen == 0);
    rates.all.every = 1;
    stack_rates_other_slow(&rates, &wanted);
    CHECK(rates.slow.every == 1);
}

static void no_time_tells_nothing(void)
{
    struct stack_rates rates = {.all = {.every = 400, .seen = 1}, .slow = {.every = 60}};
    uint64_t random = 1;
    stack_rates_follow(&rates, &wanted, 0, &random);
    CHECK(rates.all.every == 400 && rates.all.seen == 1 && rates.slow.every == 60);
}

int main(void)
{
    few_are_all_taken();
    slow_ones_beside_many();
    all_were_slow_once();
    other_slow_ones_are_bounded_at_once();
    no_time_tells_nothing();
    return CHECK_DONE();
}
