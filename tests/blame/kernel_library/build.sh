#!/bin/sh
set -e
away=$(mktemp -d)
trap 'rm -rf "$away"' EXIT
cat > "$away/cache.c" <<'E'
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef FUTEX
static int word; /* 0: free, 1: held, 2: and somebody waits */
static void lock(void)
{
    int seen = 0;
    if (__atomic_compare_exchange_n(&word, &seen, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return;
    while (__atomic_exchange_n(&word, 2, __ATOMIC_ACQUIRE) != 0) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL);
}
static void unlock(void) { if (__atomic_exchange_n(&word, 0, __ATOMIC_RELEASE) == 2) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1); }
#else
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void lock(void) { pthread_mutex_lock(&mutex); }
static void unlock(void) { pthread_mutex_unlock(&mutex); }
#endif
static int values[1024];
int cache_get(unsigned key);
void cache_compact(void (*move)(void));
int cache_get(unsigned key)
{
    lock();
    int value = values[key % 1024];
    unlock();
    return value;
}
void cache_compact(void (*move)(void))
{
    lock();
    move();
    unlock();
}
E
(cd "$away" && ${CC:-cc} -O2 -g -fPIC -shared $VARIANT cache.c -o libcache.so -lpthread)
cp "$away/libcache.so" .
${CC:-cc} -O2 -g -Wall $VARIANT $VPROF_CFLAGS main.c -o prog -ldl -lm -lpthread $VPROF_LIBS
if [ -z "$BUILD_ONLY" ]; then ./run.sh; fi
