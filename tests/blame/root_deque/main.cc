// One executor takes std::function out of a deque in order; who feeds it goes on at once and never says that it leaves.
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <poll.h>
#include <thread>
#include "own.h"
#include <vprof_api.h>

// What everything takes its time with: who calls it says how long.
__attribute__((noinline)) static void rest(long us) { NAP(us); }

static std::mutex mutex;
static std::condition_variable filled;
static std::deque<std::function<void()>> tasks;
static bool done;

__attribute__((noinline)) static void vacuum_pages()
{
    long a = NOW();
    rest(7000);
    own_planted(a, NOW(), -1);
}

__attribute__((noinline)) static void apply_change(unsigned r) { rest(150 + r % 80); }

static void executor()
{
    for (;;) {
        std::unique_lock<std::mutex> lock(mutex);
        filled.wait(lock, [] { return done || !tasks.empty(); });
        if (tasks.empty())
            return;
        auto task = std::move(tasks.front());
        tasks.pop_front();
        lock.unlock();
        task();
    }
}

__attribute__((noinline)) static void feed(long id, unsigned r)
{
    own_row *row = OWN_ROW();
    row->begin = NOW();
    SI_BEGIN(id);
    {
        std::lock_guard<std::mutex> lock(mutex);
        tasks.emplace_back([=] {
            SI_ENTER(id);
            apply_change(r);
            if (r % 35 == 9)
                vacuum_pages();
            SI_END(id);
            row->end = NOW();
            row->used = 1;
        });
    }
    filled.notify_one();
}

int main()
{
    own_open();
    int pipe_ends[2];
    unsigned long seed = 77;
    if (pipe(pipe_ends))
        return 1;
    std::thread thread(executor);
    for (long id = 1; id <= 1200; id++) {
        struct pollfd nothing = {pipe_ends[0], POLLIN, 0};
        feed(id, RNG(seed));
        poll(&nothing, 1, 1);
    }
    { std::lock_guard<std::mutex> lock(mutex); done = true; }
    filled.notify_one();
    thread.join();
    for (long i = 0; i < *own_next; i++)
        own_rows[i].part[0] = own_overlap(own_rows[i].begin, own_rows[i].end, -1);
    own_close("planted", nullptr);
    return 0;
}
