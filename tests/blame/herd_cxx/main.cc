/* Clients wait with a predicate for the next version of a page; a monitor calls notify_all every ms and changes nothing. */
#include "own.h"
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>
#include <vprof_api.h>
static std::mutex m;
static std::condition_variable changed;
static long version;
static volatile int stop;
void render_page(unsigned long &seed) { NAP(2000 + RNG(seed) % 12000); }
void publish(unsigned long &seed)
{
    render_page(seed);
    std::lock_guard<std::mutex> lock(m);
    version++;
    changed.notify_all();
}
void publisher()
{
    unsigned long seed = 5;
    while (!stop)
        publish(seed);
}
void look_around() { NAP(1000); }
void monitor()
{
    while (!stop) {
        look_around();
        changed.notify_all();
    }
}
void await_version(long wanted)
{
    std::unique_lock<std::mutex> lock(m);
    changed.wait(lock, [wanted] { return version >= wanted; });
}
void client(int t)
{
    unsigned long seed = (unsigned)t + 3;
    for (int i = 0; i < 200; i++) {
        long e, a;
        struct own_row *row = OWN_ROW();
        row->begin = NOW();
        SI_BEGIN(t * 1000000L + i + 1);
        NAP(100 + RNG(seed) % 40);
        m.lock();
        e = version + 1;
        m.unlock();
        a = NOW();
        await_version(e);
        row->part[0] = NOW() - a;
        SI_END(t * 1000000L + i + 1);
        row->end = NOW();
        row->used = 1;
        NAP(300 + RNG(seed) % 6000);
    }
}
int main()
{
    std::vector<std::thread> clients;
    own_open();
    std::thread p(publisher), w(monitor);
    for (int t = 0; t < 4; t++)
        clients.emplace_back(client, t);
    for (auto &c : clients)
        c.join();
    stop = 1;
    p.join();
    w.join();
    own_close("wait", NULL);
    return 0;
}
