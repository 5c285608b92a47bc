// report() holds what a request needs, 3 to 9 ms now and then: each kind of lock that C++ has is a variant.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>
#include "own.h"
#include <vprof_api.h>
#if defined(SHARED_READ) || defined(SHARED_WRITE)
static std::shared_mutex lock;
#elif defined(SEMAPHORE)
static std::counting_semaphore<4> lock(1);
#elif defined(RECURSIVE)
static std::recursive_mutex lock;
#elif defined(TIMED)
static std::timed_mutex lock;
#elif defined(SPIN) || defined(ACQUIRE)
static std::atomic<bool> lock{false};
#else
static std::mutex lock;
#endif
static std::mutex other;
static std::atomic<bool> stop{false};

void write_rows(unsigned long &seed) { NAP(3000 + RNG(seed) % 6000); }
void lookup(unsigned key) { NAP(20 + key % 10); }

#if defined(SHARED_READ)
void report(unsigned long &seed) { std::unique_lock<std::shared_mutex> hold(lock); write_rows(seed); }
void take(own_row *row, unsigned key) { long a = NOW(); std::shared_lock<std::shared_mutex> hold(lock); row->part[0] = NOW() - a; lookup(key); }
#elif defined(SHARED_WRITE)
void report(unsigned long &seed) { std::shared_lock<std::shared_mutex> hold(lock); write_rows(seed); }
void take(own_row *row, unsigned key) { long a = NOW(); std::unique_lock<std::shared_mutex> hold(lock); row->part[0] = NOW() - a; lookup(key); }
#elif defined(SEMAPHORE)
void report(unsigned long &seed) { lock.acquire(); write_rows(seed); lock.release(); }
void take(own_row *row, unsigned key) { long a = NOW(); lock.acquire(); row->part[0] = NOW() - a; lookup(key); lock.release(); }
#elif defined(SPIN)
static void lock_it() { if (!lock.exchange(true, std::memory_order_acquire)) return; VPROF_SPIN_BEGIN(&lock); while (lock.exchange(true, std::memory_order_acquire)) NAP(20); VPROF_SPIN_END(&lock); }
static void unlock_it() { VPROF_RELEASE(&lock); lock.store(false, std::memory_order_release); }
void report(unsigned long &seed) { lock_it(); write_rows(seed); unlock_it(); }
void take(own_row *row, unsigned key) { long a = NOW(); lock_it(); row->part[0] = NOW() - a; lookup(key); unlock_it(); }
#elif defined(ACQUIRE)
static void lock_it()
{
    if (lock.exchange(true, std::memory_order_acquire)) {
        VPROF_SPIN_BEGIN(&lock);
        while (lock.exchange(true, std::memory_order_acquire)) lock.wait(true);
        VPROF_SPIN_END(&lock);
    }
    VPROF_ACQUIRE(&lock);
}
static void unlock_it() { VPROF_RELEASE(&lock); lock.store(false, std::memory_order_release); lock.notify_all(); }
void report(unsigned long &seed) { lock_it(); write_rows(seed); unlock_it(); }
void take(own_row *row, unsigned key) { long a = NOW(); lock_it(); row->part[0] = NOW() - a; lookup(key); unlock_it(); }
#elif defined(SCOPED)
void report(unsigned long &seed) { std::scoped_lock hold(lock, other); write_rows(seed); }
void take(own_row *row, unsigned key) { long a = NOW(); std::scoped_lock hold(lock, other); row->part[0] = NOW() - a; lookup(key); }
#else
void report(unsigned long &seed) { std::unique_lock<decltype(lock)> hold(lock); write_rows(seed); }
void take(own_row *row, unsigned key) { long a = NOW(); std::unique_lock<decltype(lock)> hold(lock); row->part[0] = NOW() - a; lookup(key); }
#endif
void reporter() { unsigned long seed = 99; while (!stop) { NAP(9000); report(seed); } }
void serve(long id, unsigned key)
{
    own_row *row = OWN_ROW();
    row->begin = NOW();
    SI_BEGIN(id);
    take(row, key);
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}
int main()
{
    unsigned long seed = 7;
    own_open();
#if defined(LAMBDA)
    std::thread ticking([&] { while (!stop) NAP(5000); });
    std::thread reporting([&] {
        unsigned long rng = 99;
        while (!stop) {
            NAP(9000);
            std::lock_guard<std::mutex> hold(lock);
            write_rows(rng);
        }
    });
#else
    std::thread reporting(reporter);
#endif
    for (int i = 1; i <= 500; i++) { serve(i, RNG(seed)); NAP(400 + RNG(seed) % 1200); }
    stop = true;
    reporting.join();
#if defined(LAMBDA)
    ticking.join();
#endif
    own_close("wait", nullptr);
    return 0;
}
