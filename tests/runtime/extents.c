/* extents.c - what is retired is taken once, the first first, however often the ring goes round. */
#include "runtime/extents.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

enum { ROUNDS = 300000, WAITING = 10, THREADS = 4 };
static unsigned char taken[THREADS * ROUNDS];

static void retire(uint64_t n)
{
    extents_retire((struct extent){.offset = n, .size = n + 1, .ticks = n + 2, .records = 3});
}

static void check_order(void)
{
    struct extent e;
    for (uint64_t n = 0; n < ROUNDS; n++) {
        retire(n);
        if (n >= WAITING)
            CHECK(extents_take_oldest(&e) && e.offset == n - WAITING && e.size == e.offset + 1 &&
                  e.ticks == e.offset + 2 && e.records == 3);
    }
    for (int i = 0; i < WAITING; i++)
        CHECK(extents_take_oldest(&e));
    CHECK(!extents_take_oldest(&e));
}

static void *take_and_retire(void *first)
{
    struct extent e;
    for (uint64_t n = (uint64_t)(uintptr_t)first; n < THREADS * ROUNDS; n += THREADS) {
        retire(n);
        if (extents_take_oldest(&e))
            __atomic_add_fetch(&taken[e.offset], 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

static void check_threads(void)
{
    pthread_t threads[THREADS];
    struct extent e;
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, take_and_retire, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    while (extents_take_oldest(&e))
        taken[e.offset]++;
    for (int n = 0; n < THREADS * ROUNDS; n++)
        CHECK(taken[n] == 1);
}

int main(void)
{
    struct extent e;
    CHECK(!extents_kept() && !extents_take_oldest(&e));
    CHECK(extents_start() && extents_kept());
    check_order();
    check_threads();
    return 0;
}
