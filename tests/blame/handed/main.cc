// A request waits for what a worker makes, which takes it 2 to 8 ms now and then: each way to hand it over is a variant.
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <thread>
#include "own.h"
#include <vprof_api.h>
int bake(unsigned key) { if (key % 8 == 0) NAP(2000 + key % 6000); else NAP(100 + key % 20); return (int)key; }

#if defined(ASYNC)
void start() {}
void end() {}
void order(unsigned key, own_row *row)
{
    std::future<int> cake = std::async(std::launch::async, bake, key);
    long a = NOW();
    cake.get();
    row->part[0] = NOW() - a;
}
#elif defined(ASYNC_LAMBDA)
void start() {}
void end() {}
void order(unsigned key, own_row *row)
{
    auto cake = std::async(std::launch::async, [key] { return bake(key); });
    long a = NOW();
    cake.wait();
    row->part[0] = NOW() - a;
}
#elif defined(PACKAGED)
void start() {}
void end() {}
void order(unsigned key, own_row *row)
{
    std::packaged_task<int(unsigned)> recipe(bake);
    std::shared_future<int> cake = recipe.get_future().share();
    std::thread cook(std::move(recipe), key);
    long a = NOW();
    cake.wait();
    row->part[0] = NOW() - a;
    cook.join();
}
#elif defined(JTHREAD)
void start() {}
void end() {}
void order(unsigned key, own_row *row)
{
    long a;
    {
        std::jthread cook([key](std::stop_token) { bake(key); });
        a = NOW();
    }
    row->part[0] = NOW() - a;
}
#elif defined(JOIN)
void start() {}
void end() {}
void order(unsigned key, own_row *row)
{
    std::thread cook(bake, key);
    long a = NOW();
    cook.join();
    row->part[0] = NOW() - a;
}
#else
static unsigned wanted;
static std::counting_semaphore<8> orders(0);
static std::thread baker;
#if defined(LATCH)
static std::latch *done;
#elif defined(BARRIER)
static std::barrier<> done(2);
#elif defined(PROMISE)
static std::promise<int> *done;
#elif defined(ATOMIC)
static std::atomic<int> done{0};
#elif defined(CONDITION) || defined(CONDITION_ANY)
static std::mutex door;
static bool done;
#if defined(CONDITION)
static std::condition_variable changed;
#else
static std::condition_variable_any changed;
#endif
#else
static std::binary_semaphore done(0);
#endif
void deliver(int cake)
{
#if defined(LATCH)
    (void)cake;
    done->count_down();
#elif defined(BARRIER)
    (void)cake;
    done.arrive_and_wait();
#elif defined(PROMISE)
    done->set_value(cake);
#elif defined(ATOMIC)
    done.store(cake | 1);
    done.notify_one();
#elif defined(CONDITION) || defined(CONDITION_ANY)
    std::lock_guard<std::mutex> hold(door);
    (void)cake;
    done = true;
    changed.notify_one();
#else
    (void)cake;
    done.release();
#endif
}
void kitchen() { for (;;) { orders.acquire(); if (!wanted) return; deliver(bake(wanted)); } }
void start() { baker = std::thread(kitchen); }
void end() { wanted = 0; orders.release(); baker.join(); }
void order(unsigned key, own_row *row)
{
    long a;
#if defined(LATCH)
    std::latch one(1);
    done = &one;
#elif defined(PROMISE)
    std::promise<int> one;
    std::future<int> cake = one.get_future();
    done = &one;
#elif defined(ATOMIC)
    done.store(0);
#endif
    wanted = key ? key : 1;
    orders.release();
    a = NOW();
#if defined(LATCH)
    one.wait();
#elif defined(BARRIER)
    done.arrive_and_wait();
#elif defined(PROMISE)
    cake.wait();
#elif defined(ATOMIC)
    done.wait(0);
#elif defined(CONDITION) || defined(CONDITION_ANY)
    { std::unique_lock<std::mutex> hold(door); changed.wait(hold, [] { return done; }); done = false; }
#else
    done.acquire();
#endif
    row->part[0] = NOW() - a;
#if defined(PROMISE) || defined(LATCH)
    NAP(300); /* whoever delivers may still be at it */
#endif
}
#endif
void serve(long id, unsigned key)
{
    own_row *row = OWN_ROW();
    row->begin = NOW();
    SI_BEGIN(id);
    order(key, row);
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}
int main()
{
    unsigned long seed = 7;
    own_open();
    start();
    for (int i = 1; i <= 600; i++) { serve(i, RNG(seed)); NAP(300); }
    end();
    own_close("wait", nullptr);
    return 0;
}
