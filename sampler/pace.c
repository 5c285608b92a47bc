#include "sampler/pace.h"

#include "base/hash_map.h"

/* The least that a window is long: long beside most requests. */
#define WINDOW_NS 200e6
/* What is not used in so long is lost. */
#define KEPT_NS 1e9
#define LONGEST_PAUSE_NS 10e9
/* An event takes so much from a program whose caches are cold when it is switched, call chains of
 * some counted in; of one that does little between two events, 1.8 us (measured:
 * docs/measurements/kernel.md). */
#define EVENT_NS 3000.0

void pace_init(struct pace *pace, double share, double free_ns, uint64_t now_ns)
{
    *pace = (struct pace){.share = share,
                          .left_ns = free_ns,
                          .most_ns = share * KEPT_NS,
                          .at_ns = now_ns,
                          .since_ns = now_ns,
                          .random = now_ns};
}

void pace_take(struct pace *pace, uint64_t events, uint64_t own_ns)
{
    double taken = (double)events * EVENT_NS + (double)own_ns;
    pace->left_ns -= taken;
    pace->taken_ns += taken;
}

/* Between 0 and 1. */
static double draw(struct pace *pace)
{
    return (double)(hash_mix(pace->random++) >> 11) / (double)(UINT64_C(1) << 53);
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* When it ends, there is enough for another window like this one. */
static void begin_pause(struct pace *pace, uint64_t now_ns)
{
    double window_ns = (double)(now_ns - pace->since_ns);
    double next_ns = pace->taken_ns / window_ns * WINDOW_NS;
    double pause_ns = (next_ns - pace->left_ns) / pace->share * (0.5 + draw(pace));
    pace->most_ns = larger(pace->share * KEPT_NS, 2 * next_ns);
    if (pause_ns > LONGEST_PAUSE_NS)
        pause_ns = LONGEST_PAUSE_NS;
    pace->until_ns = now_ns + (uint64_t)pause_ns;
    pace->since_ns = now_ns;
}

static void begin_window(struct pace *pace, uint64_t now_ns)
{
    pace->until_ns = 0;
    pace->since_ns = now_ns;
    pace->taken_ns = 0;
}

bool pace_records(struct pace *pace, uint64_t now_ns)
{
    if (pace->share <= 0)
        return true;
    double gained_ns = pace->share * (double)(now_ns - pace->at_ns);
    if (pace->left_ns < pace->most_ns)
        pace->left_ns = smaller(pace->left_ns + gained_ns, pace->most_ns);
    pace->at_ns = now_ns;
    bool long_enough = (double)(now_ns - pace->since_ns) >= WINDOW_NS;
    if (!pace->until_ns && pace->left_ns < 0 && long_enough)
        begin_pause(pace, now_ns);
    else if (pace->until_ns && now_ns >= pace->until_ns)
        begin_window(pace, now_ns);
    return !pace->until_ns;
}
