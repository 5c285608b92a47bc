#include "base/run_merge.h"

#include <stdbool.h>

#include "base/error.h"
#include "base/memory.h"

struct run_head {
    size_t at, end;
};

/* Who lost a match, with its next item: key, rank and run; of a run that is over more than any. */
struct run_loser {
    unsigned __int128 order;
    uint32_t run;
};

#define OVER (~(unsigned __int128)0)

static unsigned __int128 order_of(struct run_key key, uint32_t run)
{
    return (unsigned __int128)key.key << 64 | (uint64_t)key.rank << 32 | run;
}

static struct run_loser next_of(const struct run_merge *merge, uint32_t run)
{
    const struct run_head *head = &merge->heads[run];
    bool over = head->at == head->end;
    return (struct run_loser){over ? OVER : order_of(merge->key_at(merge->items, head->at), run),
                              run};
}

static void find_runs(struct run_merge *merge, size_t count)
{
    size_t runs = 0, capacity = 0;
    unsigned __int128 last = OVER;
    for (size_t i = 0; i < count; i++) {
        unsigned __int128 order = order_of(merge->key_at(merge->items, i), 0);
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

/* Where a run loses its match it stays, the other one goes on to the next. */
static struct run_loser play(struct run_merge *merge, uint32_t match, struct run_loser winner)
{
    struct run_loser other = merge->losers[match];
    bool lost = other.order < winner.order;
    merge->losers[match] = lost ? winner : other;
    return lost ? other : winner;
}

/* Before all matches of a place are won, the first of two stays there and waits for the other. */
static void enter(struct run_merge *merge, uint32_t run)
{
    struct run_loser winner = next_of(merge, run);
    for (uint32_t match = (merge->places + run) / 2; match > 0; match /= 2) {
        if (merge->losers[match].run == UINT32_MAX) {
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
        merge->losers[match].run = UINT32_MAX;
    for (uint32_t run = 0; run < merge->places; run++)
        enter(merge, run);
}

size_t run_merge_next(struct run_merge *merge)
{
    uint32_t run = merge->losers[0].run;
    size_t index = merge->heads[run].at++;
    struct run_loser winner = next_of(merge, run);
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
