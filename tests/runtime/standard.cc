// standard.cc: the classes of C++ that synchronize. Prints the name, operation and object of what
// must have blocked.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#if __cplusplus >= 202002L
#include <latch>
#include <semaphore>
#endif

#include "await.h"

static std::mutex locked, guarded, waited;
static std::timed_mutex timed;
static std::recursive_mutex recursive;
static std::shared_timed_mutex shared;
static std::condition_variable one, all, until;
static std::condition_variable_any any;
static int waiting;
static bool ready;

template <class Wait, class Wake>
static void run(const char *name, const char *operation, void *object, Wait wait, Wake wake)
{
    waiting = 0;
    std::thread thread([&wait] {
        await_tell(&waiting);
        wait();
    });
    await_sleep(&waiting);
    wake();
    thread.join();
    std::printf("%s %s %lx\n", name, operation, reinterpret_cast<unsigned long>(object));
}

template <class Mutex> static void run_lock(const char *name, const char *operation, Mutex &mutex)
{
    mutex.lock();
    run(
        name, operation, &mutex, [&mutex] { std::lock_guard<Mutex> guard(mutex); },
        [&mutex] { mutex.unlock(); });
}

template <class Condition, class Wait>
static void run_wait(const char *name, Condition &condition, Wait wait, bool everyone)
{
    ready = false;
    run(
        name, "cond", &condition,
        [wait] {
            std::unique_lock<std::mutex> lock(waited);
            while (!ready)
                wait(lock);
        },
        [&condition, everyone] {
            std::lock_guard<std::mutex> guard(waited);
            ready = true;
            everyone ? condition.notify_all() : condition.notify_one();
        });
}

static void check_threads()
{
    int value = 0;
    std::thread moved([&value](int a, std::string b) { value = a + static_cast<int>(b.size()); }, 3,
                      std::string(40, 'x'));
    std::thread other(std::move(moved));
    other.join();
    if (value != 43 || other.joinable())
        std::printf("a thread went wrong\n");
    try {
        other.join();
        std::printf("joined twice\n");
    } catch (const std::system_error &error) {
        if (error.code() != std::errc::invalid_argument)
            std::printf("another error\n");
    }
}

/* What it waits by follows its state's table of functions and its result, in libstdc++. */
static void *word_of(std::future<int> &future)
{
    char *state;
    std::memcpy(&state, static_cast<void *>(&future), sizeof state);
    return state + 2 * sizeof(void *);
}

template <class Wait> static void run_future(const char *name, Wait wait)
{
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    run(
        name, "futex", word_of(future), [&] { wait(future); },
        [&promise] { promise.set_value(7); });
    if (future.get() != 7)
        std::printf("another value\n");
}

static void check_futures(std::chrono::seconds later)
{
    run_future("future", [](std::future<int> &f) { f.wait(); });
    run_future("future_for", [later](std::future<int> &f) { f.wait_for(later); });
    run_future("future_until", [later](std::future<int> &f) {
        f.wait_until(std::chrono::system_clock::now() + later);
    });
    std::promise<int> never;
    if (never.get_future().wait_for(std::chrono::milliseconds(1)) != std::future_status::timeout)
        std::printf("a future that never comes\n");
}

#if __cplusplus >= 202002L
static void check_newer()
{
    static std::atomic<int> number;
    static std::latch latch(1);
    static std::binary_semaphore semaphore(0);
    run(
        "atomic", "futex", &number, [] { number.wait(0); },
        [] {
            number = 1;
            number.notify_one();
        });
    run(
        "latch", "futex", &latch, [] { latch.wait(); }, [] { latch.count_down(); });
    run(
        "semaphore", "futex", &semaphore, [] { semaphore.acquire(); }, [] { semaphore.release(); });
}
#endif

int main()
{
    const auto later = std::chrono::seconds(100);
    check_threads();
    check_futures(later);
#if __cplusplus >= 202002L
    check_newer();
#endif
    run_lock("lock_guard", "mutex", guarded);
    run_lock("recursive", "mutex", recursive);
    locked.lock();
    run(
        "unique_lock", "mutex", &locked, [] { std::unique_lock<std::mutex> lock(locked); },
        [] { locked.unlock(); });
    timed.lock();
    run(
        "try_lock_for", "mutex", &timed,
        [later] { std::unique_lock<std::timed_mutex> lock(timed, later); }, [] { timed.unlock(); });
    shared.lock();
    run(
        "shared_lock", "rwlock_read", &shared,
        [] { std::shared_lock<std::shared_timed_mutex> lock(shared); }, [] { shared.unlock(); });
    shared.lock_shared();
    run(
        "exclusive", "rwlock_write", &shared,
        [later] { shared.try_lock_for(later), shared.unlock(); }, [] { shared.unlock_shared(); });
    typedef std::unique_lock<std::mutex> lock;
    run_wait(
        "notify_one", one, [](lock &l) { one.wait(l); }, false);
    run_wait(
        "notify_all", all, [](lock &l) { all.wait(l); }, true);
    run_wait(
        "wait_for", until, [later](lock &l) { until.wait_for(l, later); }, false);
    run_wait(
        "any", any, [](lock &l) { any.wait(l); }, false);
    std::thread throws([] {
        try {
            throw std::runtime_error("x");
        } catch (const std::exception &) {
        }
    });
    throws.join();
    return 0;
}
