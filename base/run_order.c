#include "base/run_order.h"

#include "base/error.h"
#include "base/memory.h"

/* The order is told so many at a time, that who takes has something to do and seldom waits. */
enum { TOLD_AT_ONCE = 16384 };

void run_order_init(struct run_order *order, size_t count)
{
    if (count > UINT32_MAX)
        BUG("more items than can be numbered");
    *order = (struct run_order){.order = memory_alloc(sizeof *order->order * count),
                                .count = count,
                                .lock = PTHREAD_MUTEX_INITIALIZER,
                                .more = PTHREAD_COND_INITIALIZER};
}

void run_order_release(struct run_order *order)
{
    pthread_cond_destroy(&order->more);
    pthread_mutex_destroy(&order->lock);
    memory_free(order->order);
    *order = (struct run_order){0};
}

static void tell(struct run_order *order, size_t made)
{
    pthread_mutex_lock(&order->lock);
    order->made = made;
    pthread_cond_signal(&order->more);
    pthread_mutex_unlock(&order->lock);
}

void run_order_fill(struct run_order *order, run_key_at *key_at, const void *items)
{
    struct run_merge merge;
    run_merge_init(&merge, key_at, items, order->count);
    for (size_t i = 0; i < order->count; i++) {
        order->order[i] = (uint32_t)run_merge_next(&merge);
        if ((i + 1) % TOLD_AT_ONCE == 0)
            tell(order, i + 1);
    }
    tell(order, order->count);
    run_merge_release(&merge);
}

size_t run_order_wait(struct run_order *order, size_t i)
{
    pthread_mutex_lock(&order->lock);
    while (order->made <= i)
        pthread_cond_wait(&order->more, &order->lock);
    size_t made = order->made;
    pthread_mutex_unlock(&order->lock);
    return made;
}
