#include "base/run_merge.h"

#include <stdbool.h>

#include "base/error.h"
#include "base/memory.h"

struct run_head {
    size_t at, end;
};

/* A loser lost a match: it is the run and its next item's key. */
struct run_loser {
    uint64_t key;
    uint32_t run;
};

#define OVER UINT64_MAX /* the key of a run that has no more */
#define NOBODY UINT32_MAX

static uint64_t key_of(const struct run_merge *merge, size_t index)
{
    uint64_t key = merge->key_at(merge->items, index);
    return key < OVER ? key : OVER - 1;
}

static struct run_loser next_of(const struct run_merge *merge, uint32_t run)
{
    const struct run_head *head = &merge->heads[run];
    bool over = head->at == head->end;
    return (struct run_loser){over ? OVER : key_of(merge, head->at), run};
}

static void find_runs(struct run_merge *merge, size_t count)
{
    size_t runs = 0, capacity = 0;
    uint64_t last = OVER;
    for (size_t i = 0; i < count; i++) {
        uint64_t key = key_of(merge, i);
        if (key < last)
            VEC_PUSH(merge->heads, runs, capacity) = (struct run_head){.at = i};
        merge->heads[runs - 1].end = i + 1;
        last = key;
    }
    for (merge->places = 1; merge->places < runs; merge->places *= 2)
        if (merge->places > UINT32_MAX / 4)
            BUG("more runs than can be numbered");
    while (runs < merge->places)
        VEC_PUSH(merge->heads, runs, capacity) = (struct run_head){0};
}

/* A run stays where it loses its match, the other one goes on to the next. Who wins is a toss, so
 * they change places without a branch. */
static struct run_loser play(struct run_merge *merge, uint32_t match, struct run_loser goes_on)
{
    struct run_loser *stays = &merge->losers[match];
    bool wins = stays->key < goes_on.key;
    if (stays->key == goes_on.key)
        wins = stays->run < goes_on.run;
    uint64_t key = (stays->key ^ goes_on.key) & -(uint64_t)wins;
    uint32_t run = (stays->run ^ goes_on.run) & -(uint32_t)wins;
    *stays = (struct run_loser){stays->key ^ key, stays->run ^ run};
    return (struct run_loser){goes_on.key ^ key, goes_on.run ^ run};
}

/* The first of two stays at a place and waits for the other, before all matches of it are won. */
static void enter(struct run_merge *merge, uint32_t run)
{
    struct run_loser winner = next_of(merge, run);
    for (uint32_t match = (merge->places + run) / 2; match > 0; match /= 2) {
        if (merge->losers[match].run == NOBODY) {
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
        merge->losers[match].run = NOBODY;
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
