/* user_locks.c: a lock of the program's own, called as the rewriter would, and a marked spin. */
#include "target.h"

static volatile int held;
static volatile int flag;

static void my_lock(volatile int *l)
{
    while (__atomic_exchange_n(l, 1, __ATOMIC_ACQUIRE))
        sleep_us(100);
}

static void my_unlock(volatile int *l)
{
    __atomic_store_n(l, 0, __ATOMIC_RELEASE);
}

static void *waiter(void *arg)
{
    __extension__({ VPROF_ACQUIRING(1) my_lock(VPROF_OBJECT(1, &held)); });
    my_unlock(VPROF_RELEASED(2, &held));
    VPROF_SPIN_BEGIN(&flag);
    while (!flag)
        ;
    VPROF_SPIN_END(&flag);
    return arg;
}

int main(void)
{
    pthread_t t;
    __extension__({ VPROF_ACQUIRING(3) my_lock(VPROF_OBJECT(3, &held)); });
    CHECK(pthread_create(&t, NULL, waiter, NULL) == 0);
    sleep_us(20000);
    my_unlock(VPROF_RELEASED(4, &held));
    sleep_us(20000);
    VPROF_RELEASE(&flag);
    flag = 1;
    CHECK(pthread_join(t, NULL) == 0);
    printf("%p %p\n", (void *)&held, (void *)&flag);
    return 0;
}
