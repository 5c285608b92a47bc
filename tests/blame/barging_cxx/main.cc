/* The same through a std::mutex: compaction holds it, a statistics thread takes it by try_lock, often before the request
 * that was there first, and works without it for longer than with it. */
#include "own.h"
#include <chrono>
#include <mutex>
#include <thread>
#include <vprof_api.h>
static std::mutex table;
static volatile int stop;
static volatile long held_total, held_since;
static long held(long t) { return held_total + (held_since ? t - held_since : 0); }
void compact_table(unsigned long &seed) { NAP(5000 + RNG(seed) % 3000); }
void compaction()
{
    unsigned long seed = 4;
    while (!stop) {
        NAP(9000);
        std::lock_guard<std::mutex> lock(table);
        held_since = NOW();
        compact_table(seed);
        long h = NOW() - held_since;
        held_since = 0;
        held_total += h;
    }
}
void format_page() { NAP(1500); }
void count_rows() { NAP(1000); }
void statistics()
{
    while (!stop) {
        format_page();
        std::unique_lock<std::mutex> lock(table, std::defer_lock);
        while (!lock.try_lock() && !stop)
            std::this_thread::sleep_for(std::chrono::microseconds(10));
        count_rows();
    }
}
void update(struct own_row *row)
{
    long a = NOW(), h = held(a), e;
    std::lock_guard<std::mutex> lock(table);
    e = NOW();
    row->part[0] = e - a;
    row->part[1] = held(e) - h;
    NAP(50);
}
void serve(long id, unsigned r)
{
    struct own_row *row = OWN_ROW();
    row->begin = NOW();
    SI_BEGIN(id);
    NAP(150 + r % 60);
    update(row);
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}
int main()
{
    unsigned long seed = 9;
    own_open();
    std::thread a(compaction), b(statistics);
    for (int i = 0; i < 500; i++) {
        serve(i + 1, RNG(seed));
        NAP(700 + RNG(seed) % 1500);
    }
    stop = 1;
    a.join();
    b.join();
    own_close("wait compact_held", NULL);
    return 0;
}
