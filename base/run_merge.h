/* run_merge.h - many items in order, one after another: the faster the longer the runs are that
 * ascend already.
 *
 *     items  3 8 9 | 1 8          two runs
 *     next   3 0 1 4 2            1, 3, 8 (of the first run), 8, 9
 *
 *     struct run_merge merge;
 *     run_merge_init(&merge, key_at, items, 5);
 *     for (size_t i = 0; i < 5; i++) ... items[run_merge_next(&merge)]
 *     run_merge_release(&merge);
 *
 * For what several threads logged, each in order of time. Where keys are the same, in the order in
 * which the items stand. No item is moved, and no memory is needed but for each run. O(n log r), r
 * runs.
 */
#ifndef BASE_RUN_MERGE_H
#define BASE_RUN_MERGE_H

#include <stddef.h>
#include <stdint.h>

/* UINT64_MAX counts as one less. */
typedef uint64_t run_key_at(const void *items, size_t index);

struct run_head;
struct run_loser;
struct run_merge {
    run_key_at *key_at;
    const void *items;
    struct run_head *heads;   /* by run: its next item */
    struct run_loser *losers; /* by match, the first one last; [0]: the run whose item is next */
    uint32_t places;          /* runs, and as many empty ones as make a power of two */
};

void run_merge_init(struct run_merge *merge, run_key_at *key_at, const void *items, size_t count);
/* The result is the index of the next item. No more than `count` times. */
size_t run_merge_next(struct run_merge *merge);
void run_merge_release(struct run_merge *merge);

#endif
