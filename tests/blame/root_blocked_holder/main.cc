// flush_cache holds the lock that requests want, and is itself blocked: by write_journal, which holds the other one.
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>
#include "own.h"
#include <vprof_api.h>

// What everything takes its time with: who calls it says how long.
__attribute__((noinline)) static void rest(long us) { NAP(us); }

static std::mutex cache_lock, journal_lock;
static std::atomic<bool> stop{false};

__attribute__((noinline)) static void write_journal()
{
    std::lock_guard<std::mutex> hold(journal_lock);
    long a = NOW();
    rest(9000);
    own_planted(a, NOW(), -1);
}

__attribute__((noinline)) static void flush_cache()
{
    std::lock_guard<std::mutex> cache(cache_lock);
    std::lock_guard<std::mutex> journal(journal_lock);
    rest(60);
}

__attribute__((noinline)) static void get(own_row *row)
{
    row->part[1] = NOW();
    std::lock_guard<std::mutex> hold(cache_lock);
    row->part[2] = NOW();
    rest(20);
}

static void client(long t)
{
    unsigned long seed = (unsigned long)t + 29;
    for (long i = 0; i < 450; i++) {
        own_row *row = OWN_ROW();
        long id = t * 100000 + i + 1;
        row->begin = NOW();
        SI_BEGIN(id);
        rest(80 + RNG(seed) % 50);
        get(row);
        SI_END(id);
        row->end = NOW();
        row->used = 1;
        NAP(300 + RNG(seed) % 900);
    }
}

int main()
{
    own_open();
    std::thread journal([] { while (!stop) { write_journal(); NAP(30000); } });
    std::thread flusher([] { while (!stop) { NAP(5000); flush_cache(); } });
    std::vector<std::thread> clients;
    for (long t = 0; t < 3; t++)
        clients.emplace_back(client, t);
    for (auto &c : clients)
        c.join();
    stop = true;
    journal.join();
    flusher.join();
    for (long i = 0; i < *own_next; i++)
        own_rows[i].part[0] = own_overlap(own_rows[i].part[1], own_rows[i].part[2], -1);
    own_close("planted", nullptr);
    return 0;
}
