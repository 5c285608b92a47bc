// Two mutexes: one is taken by all and held for a moment, the other one is seldom held, but then by checkpoint for long.
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
#include "own.h"
#include <vprof_api.h>

// What everything takes its time with: who calls it says how long.
__attribute__((noinline)) static void rest(long us) { NAP(us); }

struct store { std::mutex index_lock, log_lock; };
static std::unique_ptr<store> data;
static std::atomic<bool> stop{false};

__attribute__((noinline)) static void checkpoint()
{
    std::lock_guard<std::mutex> hold(data->log_lock);
    long a = NOW();
    rest(7000);
    own_planted(a, NOW(), -1);
}

__attribute__((noinline)) static void find_key()
{
    std::lock_guard<std::mutex> hold(data->index_lock);
    rest(30);
}

__attribute__((noinline)) static void append_log(own_row *row)
{
    row->part[1] = NOW();
    std::lock_guard<std::mutex> hold(data->log_lock);
    row->part[2] = NOW();
    rest(15);
}

static void client(long t)
{
    unsigned long seed = (unsigned long)t + 17;
    for (long i = 0; i < 400; i++) {
        own_row *row = OWN_ROW();
        long id = t * 100000 + i + 1;
        row->begin = NOW();
        SI_BEGIN(id);
        find_key();
        find_key();
        append_log(row);
        SI_END(id);
        row->end = NOW();
        row->used = 1;
        NAP(200 + RNG(seed) % 800);
    }
}

int main()
{
    own_open();
    data = std::make_unique<store>();
    std::thread background([] { while (!stop) { NAP(45000); checkpoint(); } });
    std::vector<std::thread> clients;
    for (long t = 0; t < 4; t++)
        clients.emplace_back(client, t);
    for (auto &c : clients)
        c.join();
    stop = true;
    background.join();
    for (long i = 0; i < *own_next; i++)
        own_rows[i].part[0] = own_overlap(own_rows[i].part[1], own_rows[i].part[2], -1);
    own_close("planted", nullptr);
    return 0;
}
