// An epoll loop begins all that is ready and answers one after the other; one request in forty renders a report.
#include <sys/epoll.h>
#include <sys/socket.h>
#include <thread>
#include <vector>
#include "own.h"
#include <vprof_api.h>

// What everything takes its time with: who calls it says how long.
__attribute__((noinline)) static void rest(long us) { NAP(us); }

enum { CLIENTS = 6, EACH = 250 };
static int ends[CLIENTS][2];
static own_row *open_rows[CLIENTS];

__attribute__((noinline)) static void render_report()
{
    long a = NOW();
    rest(5000);
    own_planted(a, NOW(), -1);
}

__attribute__((noinline)) static void reply(int c, unsigned char byte)
{
    rest(120 + byte % 40);
    if (byte % 40 == 11)
        render_report();
    if (write(ends[c][0], &byte, 1) != 1)
        abort();
}

static void loop()
{
    int epoll = epoll_create1(0), left = CLIENTS * EACH;
    long id = 0, ids[CLIENTS];
    for (int c = 0; c < CLIENTS; c++) {
        struct epoll_event event = {};
        event.events = EPOLLIN;
        event.data.u32 = (unsigned)c;
        epoll_ctl(epoll, EPOLL_CTL_ADD, ends[c][0], &event);
    }
    while (left > 0) {
        struct epoll_event ready[CLIENTS];
        int count = epoll_wait(epoll, ready, CLIENTS, -1);
        for (int i = 0; i < count; i++) {
            int c = (int)ready[i].data.u32;
            open_rows[c] = OWN_ROW();
            open_rows[c]->begin = NOW();
            ids[c] = ++id;
            SI_BEGIN(ids[c]);
            SI_ENTER(SI_NONE);
        }
        for (int i = 0; i < count; i++, left--) {
            int c = (int)ready[i].data.u32;
            unsigned char byte = 0;
            SI_ENTER(ids[c]);
            if (read(ends[c][0], &byte, 1) != 1)
                abort();
            reply(c, byte);
            SI_END(ids[c]);
            open_rows[c]->end = NOW();
            open_rows[c]->used = 1;
        }
    }
    close(epoll);
}

static void client(int c)
{
    unsigned long seed = (unsigned long)c + 1;
    for (int i = 0; i < EACH; i++) {
        unsigned char byte = (unsigned char)(RNG(seed) % 240);
        if (write(ends[c][1], &byte, 1) != 1 || read(ends[c][1], &byte, 1) != 1)
            abort();
        NAP(300 + RNG(seed) % 1500);
    }
}

int main()
{
    own_open();
    std::vector<std::thread> clients;
    for (int c = 0; c < CLIENTS; c++) {
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends[c]))
            return 1;
        clients.emplace_back(client, c);
    }
    loop();
    for (auto &c : clients)
        c.join();
    for (long i = 0; i < *own_next; i++)
        own_rows[i].part[0] = own_overlap(own_rows[i].begin, own_rows[i].end, -1);
    own_close("planted", nullptr);
    return 0;
}
