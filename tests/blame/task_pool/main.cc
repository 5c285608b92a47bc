// Requests are functions in a queue; a worker takes them out and calls them. One in seven rebuilds an index.
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "own.h"
#include <vprof_api.h>

static std::mutex mutex;
static std::condition_variable filled, emptied;
static std::deque<std::pair<long, std::function<void()>>> queue;
static bool done;
static long slow;

static void rebuild_index(unsigned r)
{
    long a = NOW();
    NAP(2500 + r / 7 % 4000);
    slow = NOW() - a;
}

static void append_entry(unsigned r) { NAP(100 + r % 30); }

static void push(long id, std::function<void()> task)
{
    std::lock_guard<std::mutex> guard(mutex);
    queue.emplace_back(id, std::move(task));
    filled.notify_one();
}

static void work()
{
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
        filled.wait(lock, [] { return done || !queue.empty(); });
        if (queue.empty())
            return;
        auto task = std::move(queue.front());
        queue.pop_front();
        lock.unlock();
        own_row *row = OWN_ROW();
        slow = 0;
        row->begin = NOW();
        SI_BEGIN(task.first);
        task.second();
        SI_END(task.first);
        row->end = NOW();
        row->part[0] = slow;
        row->used = 1;
        lock.lock();
        emptied.notify_one();
    }
}

static void submit(long id, unsigned r)
{
    if (r % 7 == 0)
        push(id, [r] { rebuild_index(r); });
    else
        push(id, std::bind(append_entry, r));
    std::unique_lock<std::mutex> lock(mutex);
    emptied.wait(lock, [] { return queue.empty(); });
}

int main()
{
    own_open();
    unsigned long seed = 43;
    std::thread worker(work);
    for (int i = 0; i < 600; i++)
        submit(i + 1, RNG(seed));
    {
        std::lock_guard<std::mutex> guard(mutex);
        done = true;
    }
    filled.notify_one();
    worker.join();
    own_close("rebuild_index", nullptr);
    return 0;
}
