/* run_order.h - a merge of runs (base/run_merge.h), made by one thread while another one takes it.
 *
 *     struct run_order order;
 *     run_order_init(&order, count);
 *     run_order_fill(&order, key_at, items);                                        one thread
 *     for (i = 0; i < count; i++) ... items[run_order_at(&order, i)]                another
 *     run_order_release(&order);
 *
 * Who takes waits for who makes; where one thread does both, it makes first. 4 bytes an item.
 */
#ifndef BASE_RUN_ORDER_H
#define BASE_RUN_ORDER_H

#include <pthread.h>

#include "base/run_merge.h"

struct run_order {
    uint32_t *order;
    size_t count;
    size_t known; /* to who takes: so many are there */
    size_t made;
    pthread_mutex_t lock; /* of `made` */
    pthread_cond_t more;  /* it has grown */
};

void run_order_init(struct run_order *order, size_t count);
void run_order_release(struct run_order *order);
void run_order_fill(struct run_order *order, run_key_at *key_at, const void *items);
/* The result is how many are there, more than i. */
size_t run_order_wait(struct run_order *order, size_t i);

static inline size_t run_order_at(struct run_order *order, size_t i)
{
    if (i >= order->known)
        order->known = run_order_wait(order, i);
    return order->order[i];
}

#endif
