// Requests share a std::shared_mutex; compact_store, in a thread of its own, has it for itself now and then.
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>
#include "own.h"
#include <vprof_api.h>

// What everything takes its time with: who calls it says how long.
__attribute__((noinline)) static void rest(long us) { NAP(us); }

class Store {
public:
    __attribute__((noinline)) void compact_store()
    {
        std::unique_lock<std::shared_mutex> hold(gate_);
        long a = NOW();
        rest(8000);
        own_planted(a, NOW(), -1);
    }
    __attribute__((noinline)) void read(own_row *row)
    {
        row->part[1] = NOW();
        std::shared_lock<std::shared_mutex> hold(gate_);
        row->part[2] = NOW();
        rest(25);
    }
private:
    std::shared_mutex gate_;
};
static Store store;
static std::atomic<bool> stop{false};

static void client(long t)
{
    unsigned long seed = (unsigned long)t + 41;
    for (long i = 0; i < 450; i++) {
        own_row *row = OWN_ROW();
        long id = t * 100000 + i + 1;
        row->begin = NOW();
        SI_BEGIN(id);
        rest(60 + RNG(seed) % 80);
        store.read(row);
        SI_END(id);
        row->end = NOW();
        row->used = 1;
        NAP(300 + RNG(seed) % 900);
    }
}

int main()
{
    own_open();
    std::thread background([] { while (!stop) { NAP(40000); store.compact_store(); } });
    std::vector<std::thread> clients;
    for (long t = 0; t < 3; t++)
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
