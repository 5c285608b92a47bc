/* pace.h: whatever recording costs, it takes its share in the long run, and no more. */
#include "check.h"

#include "sampler/pace.h"

#define STEP_NS UINT64_C(50000000)

struct seen {
    double taken, recorded; /* parts of the time */
    int pauses;
    uint64_t shortest_ns; /* window */
};

/* While it records, `load` processors are taken. */
static struct seen simulate(double share, double load, int steps)
{
    struct pace pace;
    struct seen seen = {.shortest_ns = UINT64_MAX};
    uint64_t now_ns = UINT64_C(1000000000000), began = now_ns;
    bool records = true;
    pace_init(&pace, share, 1e9, now_ns);
    for (int i = 0; i < steps; i++) {
        now_ns += STEP_NS;
        if (records)
            pace_take(&pace, 0, (uint64_t)(load * (double)STEP_NS));
        seen.taken += records ? load / steps : 0;
        seen.recorded += records ? 1.0 / steps : 0;
        bool next = pace_records(&pace, now_ns);
        if (records && !next) {
            seen.pauses++;
            seen.shortest_ns =
                now_ns - began < seen.shortest_ns ? now_ns - began : seen.shortest_ns;
        }
        began = next && !records ? now_ns : began;
        records = next;
    }
    return seen;
}

static void keeps_its_share(void)
{
    static const double loads[] = {0.1, 0.3, 0.6, 1.5};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        struct seen seen = simulate(0.06, loads[i], 20000);
        CHECK(seen.taken > 0.045 && seen.taken < 0.066);
        CHECK(seen.pauses > 50 && seen.shortest_ns >= UINT64_C(200000000));
    }
}

static void cheap_ones_are_never_paused(void)
{
    struct seen seen = simulate(0.06, 0.055, 20000);
    CHECK(!seen.pauses && seen.recorded > 0.999);
}

static void without_a_share_there_is_no_bound(void)
{
    struct seen seen = simulate(0, 1.5, 1000);
    CHECK(!seen.pauses && seen.recorded > 0.999);
}

/* The first second of a processor is free: at 0.5 processors it lasts 2 s. */
static void busy_beginning_is_seen(void)
{
    CHECK(simulate(0.06, 0.5, 39).pauses == 0);
    CHECK(simulate(0.06, 0.5, 42).pauses == 1);
}

int main(void)
{
    keeps_its_share();
    cheap_ones_are_never_paused();
    without_a_share_there_is_no_bound();
    busy_beginning_is_seen();
    return CHECK_DONE();
}
