// Two workers take functions out of a deque. One task in twenty-five compresses a block, and those behind it wait.
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>
#include "own.h"
#include <vprof_api.h>

// What everything takes its time with: who calls it says how long.
__attribute__((noinline)) static void rest(long us) { NAP(us); }

static std::mutex mutex;
static std::condition_variable filled;
static std::deque<std::function<void(int)>> tasks;
static bool done;

__attribute__((noinline)) static void compress_block(int worker)
{
    long a = NOW();
    rest(6000);
    own_planted(a, NOW(), worker);
}

__attribute__((noinline)) static void answer(unsigned r) { rest(250 + r % 100); }

static void work(int worker)
{
    for (;;) {
        std::unique_lock<std::mutex> lock(mutex);
        filled.wait(lock, [] { return done || !tasks.empty(); });
        if (tasks.empty())
            return;
        auto task = std::move(tasks.front());
        tasks.pop_front();
        lock.unlock();
        task(worker);
    }
}

__attribute__((noinline)) static void submit(long id, unsigned r)
{
    own_row *row = OWN_ROW();
    row->begin = NOW();
    SI_BEGIN(id);
    {
        std::lock_guard<std::mutex> lock(mutex);
        tasks.push_back([=](int worker) {
            SI_ENTER(id);
            row->part[2] = NOW();
            row->part[1] = worker;
            answer(r);
            if (r % 25 == 3)
                compress_block(worker);
            SI_END(id);
            row->end = NOW();
            row->used = 1;
        });
    }
    filled.notify_one();
    VPROF_LEAVE();
}

int main()
{
    own_open();
    unsigned long seed = 21;
    std::vector<std::thread> workers;
    for (int w = 0; w < 2; w++)
        workers.emplace_back(work, w);
    for (long id = 1; id <= 1500; id++) {
        submit(id, RNG(seed));
        NAP(250 + RNG(seed) % 500);
    }
    { std::lock_guard<std::mutex> lock(mutex); done = true; }
    filled.notify_all();
    for (auto &w : workers)
        w.join();
    for (long i = 0; i < *own_next; i++) {
        own_row &row = own_rows[i];
        row.part[0] = own_overlap(row.begin, row.end, (int)row.part[1]);
    }
    own_close("planted", nullptr);
    return 0;
}
