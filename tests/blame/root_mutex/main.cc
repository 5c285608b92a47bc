// collect_stats walks a table under a std::mutex: now and then in a request itself, and in the background.
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>
#include "own.h"
#include <vprof_api.h>

// What everything takes its time with: who calls it says how long.
__attribute__((noinline)) static void rest(long us) { NAP(us); }

static std::mutex table_lock;
static std::atomic<bool> stop{false};

__attribute__((noinline)) static void collect_stats(long us)
{
    std::lock_guard<std::mutex> hold(table_lock);
    long a = NOW();
    rest(us);
    own_planted(a, NOW(), -1);
}

__attribute__((noinline)) static void look_up(own_row *row)
{
    row->part[1] = NOW();
    std::lock_guard<std::mutex> hold(table_lock);
    row->part[2] = NOW();
    rest(20);
}

static void serve(long id, unsigned r)
{
    own_row *row = OWN_ROW();
    row->begin = NOW();
    SI_BEGIN(id);
    rest(100 + r % 60);
    look_up(row);
    if (r % 60 == 7) {
        row->part[3] = NOW();
        collect_stats(3500);
        row->part[4] = NOW();
    }
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}

static void client(long t)
{
    unsigned long seed = (unsigned long)t + 3;
    for (long i = 0; i < 500; i++) {
        serve(t * 100000 + i + 1, RNG(seed));
        NAP(300 + RNG(seed) % 900);
    }
}

int main()
{
    own_open();
    std::thread background([] { while (!stop) { NAP(40000); collect_stats(6000); } });
    std::vector<std::thread> clients;
    for (long t = 0; t < 3; t++)
        clients.emplace_back(client, t);
    for (auto &c : clients)
        c.join();
    stop = true;
    background.join();
    for (long i = 0; i < *own_next; i++) {
        own_row &row = own_rows[i];
        row.part[0] = own_overlap(row.part[1], row.part[2], -1) + own_overlap(row.part[3], row.part[4], -1);
    }
    own_close("planted", nullptr);
    return 0;
}
