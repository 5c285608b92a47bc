#include "base/run_merge.h"

#include <stdbool.h>

#include "base/error.h"
#include "base/memory.h"

struct run_head {
    size_t at, end;
};

/* Who lost a match, with its next item: from the highest bits key, rank and run. A run that is over
 * has the highest key and rank. */
typedef unsigned __int128 run_order;

#define NOBODY (~(run_order)0)
#define OVER (NOBODY << 32)

static uint32_t run_of(run_order order)
{
    return (uint32_t)order;
}

static run_order order_of(struct run_key key, uint32_t run)
{
    return (run_order)key.key << 64 | (uint64_t)key.rank << 32 | run;
}

static run_order next_of(const struct run_merge *merge, uint32_t run)
{
    const struct run_head *head = &merge->heads[run];
    bool over = head->at == head->end;
    return over ? OVER | run : order_of(merge->key_at(merge->items, head->at), run);
}

static void find_runs(struct run_merge *merge, size_t count)
{
    size_t runs = 0, capacity = 0;
    run_order last = OVER;
    for (size_t i = 0; i < count; i++) {
        run_order order = order_of(merge->key_at(merge->items, i), 0);
        if (order < last)
            VEC_PUSH(merge->heads, runs, capacity) = (struct run_head){.at = i};
        merge->heads[runs - 1].end = i + 1;
        last = order;
    }
    for (merge->places = 1; merge->places < runs; merge->places *= 2)
        if (merge->places > UINT32_MAX / 4)
            BUG("more runs than can be numbered");
    while (runs < merge->places)
        VEC_PUSH(merge->heads, runs, capacity) = (struct run_head){0};
}

/* Where a run loses its match it stays, the other one goes on to the next. Who wins is a toss: they
 * change places without a branch. */
static run_order play(struct run_merge *merge, uint32_t match, run_order goes_on)
{
    run_order stays = merge->losers[match];
    uint64_t key = (uint64_t)(stays >> 64), other_key = (uint64_t)(goes_on >> 64);
    uint64_t rest = (uint64_t)stays, other_rest = (uint64_t)goes_on;
    uint64_t first = (key < other_key) | ((key == other_key) & (rest < other_rest));
    run_order change =
        (run_order)((key ^ other_key) & -first) << 64 | ((rest ^ other_rest) & -first);
    merge->losers[match] = stays ^ change;
    return goes_on ^ change;
}

/* Before all matches of a place are won, the first of two stays there and waits for the other. */
static void enter(struct run_merge *merge, uint32_t run)
{
    run_order winner = next_of(merge, run);
    for (uint32_t match = (merge->places + run) / 2; match > 0; match /= 2) {
        if (merge->losers[match] == NOBODY) {
            merge->losers[match] = winner;
            return;
        }
        winner = play(merge, match, winner);
    }
    merge->losers[0] = winner;
}

void run_merge_init(struct run_merge *merge, run_key_at *key_at, const void *items, size_t count)
{
    *merge = (struct run_merge){.key_at = key_at, .items = items};
    find_runs(merge, count);
    merge->losers = memory_alloc(sizeof *merge->losers * merge->places);
    for (uint32_t match = 0; match < merge->places; match++)
        merge->losers[match] = NOBODY;
    for (uint32_t run = 0; run < merge->places; run++)
        enter(merge, run);
}

size_t run_merge_next(struct run_merge *merge)
{
    uint32_t run = run_of(merge->losers[0]);
    size_t index = merge->heads[run].at++;
    run_order winner = next_of(merge, run);
    for (uint32_t match = (merge->places + run) / 2; match > 0; match /= 2)
        winner = play(merge, match, winner);
    merge->losers[0] = winner;
    return index;
}

void run_merge_release(struct run_merge *merge)
{
    memory_free(merge->heads);
    memory_free(merge->losers);
    *merge = (struct run_merge){0};
}
