// C++20 coroutines without stacks of their own: 8 are resumed by a loop, and in the middle of a request by another thread.
// They are not timed themselves; what they call is: render takes 0.2 or, one time in seven, 4 ms.
#include <condition_variable>
#include <coroutine>
#include <deque>
#include <mutex>
#include <thread>
#include "own.h"
#include <vprof_api.h>
enum { COROUTINES = 8, EACH = 30 };
struct task {
    struct promise_type {
        task get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
};
struct loop {
    std::mutex mutex;
    std::condition_variable more;
    std::deque<std::coroutine_handle<>> ready;
    bool over = false;
    void add(std::coroutine_handle<> h) { std::lock_guard<std::mutex> guard(mutex); VPROF_ENQUEUE(this, h.address()); ready.push_back(h); more.notify_one(); }
    void end() { std::lock_guard<std::mutex> guard(mutex); over = true; more.notify_all(); }
    bool take(std::coroutine_handle<> &h)
    {
        std::unique_lock<std::mutex> guard(mutex);
        more.wait(guard, [&] { return over || !ready.empty(); });
        if (ready.empty()) return false;
        h = ready.front();
        ready.pop_front();
        VPROF_DEQUEUE(this, h.address());
        return true;
    }
    void run() { std::coroutine_handle<> h; while (take(h)) { h.resume(); SI_ENTER(SI_NONE); } }
};
static loop loops[2];
static int left = COROUTINES;
struct on {
    loop &where;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> h) { where.add(h); }
    void await_resume() const noexcept {}
};
void parse(unsigned r) { NAP(40 + r % 30); }
void render(unsigned r, own_row *row) { long a = NOW(); NAP(r % 7 == 0 ? 4000 : 200); row->part[0] += NOW() - a; }
void page(unsigned r, own_row *row) { parse(r); render(r, row); }
task serve(int me)
{
    unsigned long seed = (unsigned)me + 3;
    for (int i = 0; i < EACH; i++) {
        co_await on{loops[0]};
        own_row *row = OWN_ROW();
        unsigned r = RNG(seed);
        long id = me * 1000 + i + 1;
        row->begin = NOW();
        SI_BEGIN(id);
        parse(r);
        co_await on{loops[1]};
        SI_ENTER(id);
        page(r, row);
        co_await on{loops[0]};
        SI_ENTER(id);
        parse(r);
        SI_END(id);
        row->end = NOW();
        row->used = 1;
    }
    if (__atomic_sub_fetch(&left, 1, __ATOMIC_RELAXED) == 0) { loops[0].end(); loops[1].end(); }
}
int main()
{
    own_open();
    for (int i = 0; i < COROUTINES; i++) serve(i);
    std::thread other([] { loops[1].run(); });
    loops[0].run();
    other.join();
    own_close("render", NULL);
    return 0;
}
