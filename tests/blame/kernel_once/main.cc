// A request needs the rules of its kind, which are read when they are first needed (std::call_once). The preloader is about to.
#include <atomic>
#include <mutex>
#include <thread>
#include "own.h"
#include <vprof_api.h>

enum { KINDS = 400 };
static std::once_flag flags[KINDS];
static int rules[KINDS];
static std::atomic<int> asked{0};

__attribute__((noinline)) static void read_rules(int of)
{
    long a = NOW();
    NAP(of % 7 == 0 ? 4000 + of * 7919 % 5000 : 250);
    rules[of] = of;
    own_planted(a, NOW(), -1);
}

__attribute__((noinline)) static void need_rules(int of) { std::call_once(flags[of], read_rules, of); }

static void preload()
{
    for (int of = 0; of < KINDS; of++) {
        asked.wait(of); // until that request has come
        need_rules(of);
    }
}

__attribute__((noinline)) static void read_query(unsigned r) { NAP(100 + r % 40); }

static void serve(int i, unsigned r)
{
    own_row *row = OWN_ROW();
    asked.store(i + 1);
    asked.notify_all();
    row->begin = NOW();
    SI_BEGIN(i + 1);
    read_query(r);
    row->part[1] = NOW();
    need_rules(i);
    row->part[2] = NOW();
    SI_END(i + 1);
    row->end = NOW();
    row->used = 1;
}

int main()
{
    unsigned long seed = 29;
    own_open();
    std::thread preloader(preload);
    NAP(5000);
    for (int i = 0; i < KINDS; i++) {
        serve(i, RNG(seed));
        NAP(500 + RNG(seed) % 1000);
    }
    preloader.join();
    for (long i = 0; i < *own_next; i++) {
        own_row *row = &own_rows[i];
        row->part[0] = own_overlap(row->part[1], row->part[2], -1);
        row->part[1] = row->part[2] - row->part[1];
    }
    own_close("planted need_rules", nullptr);
    return 0;
}
