// A loop of callbacks, as libuv's or libevent's: watchers and timers are objects with a std::function, and nothing of the
// loop's knows of requests. One request in forty renders for 9 ms, and the others' callbacks wait.
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <thread>
#include <vector>
#include "own.h"
#include <vprof_api.h>
struct Watcher { int fd; std::function<void()> ready; };
struct Loop {
    int set = epoll_create1(EPOLL_CLOEXEC);
    bool stopped = false;
    std::multimap<long, std::function<void()>> timers;
    void watch(Watcher &w)
    {
        epoll_event e{};
        e.events = EPOLLIN;
        e.data.ptr = &w;
        if (epoll_ctl(set, EPOLL_CTL_ADD, w.fd, &e)) exit(8);
    }
    void after(long ns, std::function<void()> f) { timers.emplace(NOW() + ns, std::move(f)); }
    void run_timers()
    {
        while (!timers.empty() && timers.begin()->first <= NOW()) {
            auto f = std::move(timers.begin()->second);
            timers.erase(timers.begin());
            f();
        }
    }
    void run()
    {
        epoll_event got[16];
        while (!stopped) {
            int n = epoll_wait(set, got, 16, timers.empty() ? 5 : 1);
            for (int i = 0; i < n; i++) static_cast<Watcher *>(got[i].data.ptr)->ready();
            run_timers();
        }
    }
};
struct Connection {
    Loop &loop;
    long number, served = 0, id = 0;
    bool heavy = false;
    own_row *row = nullptr;
    Watcher watcher;
    std::function<void()> finished;
    Connection(Loop &l, long n) : loop(l), number(n), watcher{eventfd(0, EFD_NONBLOCK), [this] { on_ready(); }} { loop.watch(watcher); }
    void render() { NAP(9000); }
    void accept_request() { NAP(30); }
    void answer() { NAP(20); if (heavy) render(); }
    void on_ready()
    {
        eventfd_t v;
        if (eventfd_read(watcher.fd, &v)) return;
        id = number * 100000 + ++served;
        heavy = (served * 12 + number * 7) % 40 == 3;
        row = OWN_ROW();
        row->begin = NOW();
        SI_BEGIN_AS(id, heavy ? "picture" : "text");
        accept_request();
        SI_ENTER(SI_NONE);
        loop.after(500000, [this] { on_timer(); });
    }
    void on_timer()
    {
        SI_ENTER(id);
        long late = NOW() - row->begin;
        answer();
        SI_END(id);
        row->end = NOW();
        row->part[0] = late;
        row->used = 1;
        finished();
    }
};
int main()
{
    own_open();
    Loop loop;
    const long connections = 12, each = 60;
    long left = connections;
    std::vector<std::unique_ptr<Connection>> all;
    std::vector<int> asked(connections, 1);
    for (long n = 0; n < connections; n++) {
        all.push_back(std::make_unique<Connection>(loop, n));
        all.back()->finished = [&, n] {
            if (all[n]->served < each) __atomic_store_n(&asked[n], 1, __ATOMIC_RELEASE);
            else if (--left == 0) loop.stopped = true;
        };
    }
    std::thread clients([&] {
        while (!__atomic_load_n(&loop.stopped, __ATOMIC_ACQUIRE)) {
            for (long n = 0; n < connections; n++)
                if (__atomic_exchange_n(&asked[n], 0, __ATOMIC_ACQ_REL)) eventfd_write(all[n]->watcher.fd, 1);
            NAP(400);
        }
    });
    loop.run();
    clients.join();
    own_close("waited", nullptr);
    return 0;
}
