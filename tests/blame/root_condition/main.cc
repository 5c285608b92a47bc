// A request hands a name to a resolver thread and waits on a condition variable; one in thirty is resolved slowly.
#include <condition_variable>
#include <mutex>
#include <thread>
#include "own.h"
#include <vprof_api.h>

// What everything takes its time with: who calls it says how long.
__attribute__((noinline)) static void rest(long us) { NAP(us); }

static std::mutex mutex;
static std::condition_variable asked, answered;
static long question, answer;
static bool done;

__attribute__((noinline)) static void resolve_name(long q)
{
    long a = NOW();
    rest(q % 30 == 4 ? 5000 + q % 7 * 500 : 40);
    own_planted(a, NOW(), -1);
}

static void resolver()
{
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
        asked.wait(lock, [] { return done || question != answer; });
        if (done)
            return;
        long q = question;
        lock.unlock();
        resolve_name(q);
        lock.lock();
        answer = q;
        answered.notify_one();
    }
}

__attribute__((noinline)) static void ask(long id, own_row *row)
{
    std::unique_lock<std::mutex> lock(mutex);
    question = id;
    asked.notify_one();
    row->part[1] = NOW();
    answered.wait(lock, [id] { return answer == id; });
    row->part[2] = NOW();
}

int main()
{
    own_open();
    std::thread thread(resolver);
    unsigned long seed = 9;
    for (long id = 1; id <= 900; id++) {
        own_row *row = OWN_ROW();
        row->begin = NOW();
        SI_BEGIN(id);
        rest(60 + RNG(seed) % 60);
        ask(id, row);
        SI_END(id);
        row->end = NOW();
        row->used = 1;
    }
    { std::lock_guard<std::mutex> lock(mutex); done = true; }
    asked.notify_one();
    thread.join();
    for (long i = 0; i < *own_next; i++)
        own_rows[i].part[0] = own_overlap(own_rows[i].part[1], own_rows[i].part[2], -1);
    own_close("planted", nullptr);
    return 0;
}
