/* covary.c - two functions that are slow together.
 *
 *     main:   |--digest--|----pack----|           a usual item
 *             |------digest------|------pack------|   a large one
 *
 * Both go over the whole item, so both take long for the same items. Neither has much variance of
 * its own; what makes the latency vary is that they go up and down together: 2 Cov(digest, pack).
 *
 * They call nothing and use the processor all the time, so that they cannot be opened any further.
 */
#include <stddef.h>
#include <stdint.h>

#include "planted.h"
#include "vprof_api.h"

enum { ITEMS = 320, USUAL_UNITS = 4, LARGE_UNITS = 32 };
enum { DIGEST = 1, PACK = 2 };

struct item {
    unsigned units; /* the hidden cause: a unit is 0.2 ms of work for digest, and for pack */
    unsigned state;
};

static struct truth_row rows[ITEMS];

/* Turns of the loops below for a unit; the same number for both, set before the first item. */
static uint64_t turns_of_unit;

static __attribute__((noinline)) void digest(struct item *item)
{
    unsigned state = item->state;
    for (uint64_t turn = 0; turn < turns_of_unit * item->units; turn++)
        state = state * 1664525u + 1013904223u;
    item->state = state;
}

static __attribute__((noinline)) void pack(struct item *item)
{
    unsigned state = item->state;
    for (uint64_t turn = 0; turn < turns_of_unit * item->units; turn++)
        state = state * 22695477u + 12345u;
    item->state = state;
}

/* The fastest of several tries is the one that nothing interrupted. */
static void calibrate(void)
{
    int64_t best_ns = INT64_MAX;
    struct item item = {.units = 1, .state = 1};
    turns_of_unit = 200000;
    for (int try = 0; try < 20; try++) {
        int64_t start = now_ns();
        digest(&item);
        int64_t took_ns = now_ns() - start;
        best_ns = took_ns < best_ns ? took_ns : best_ns;
    }
    turns_of_unit = turns_of_unit * 200000 / (uint64_t)best_ns;
}

int main(void)
{
    unsigned chance = 362436069;
    calibrate();
    for (int i = 0; i < ITEMS; i++) {
        struct item item = {.units = random_below(&chance, 100) < 20 ? LARGE_UNITS : USUAL_UNITS,
                            .state = (unsigned)i};
        SI_BEGIN(&item);
        int64_t start = now_ns();
        digest(&item);
        int64_t between = now_ns();
        pack(&item);
        int64_t end = now_ns();
        SI_END(&item);
        rows[i] = (struct truth_row){{end - start, between - start, end - between}};
    }
    truth_write((const char *const[]){"digest", "pack"}, 2, rows, ITEMS);
    return 0;
}
