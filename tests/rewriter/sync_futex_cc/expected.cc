// What waits by a futex: a future in the library, an atomic in its header, here in a template.
#include <atomic>
#include <cstdio>
#include <future>
#include <thread>

template <class T> struct gate {
    std::atomic<T> open;
    void pass(T closed)
    {
        open.wait(closed);
    }
};

static gate<int> gates[2];

int main()
{
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread([&promise] {
        gates[0].pass(0);
        promise.set_value(7);
    });
    gates[0].open = 1;
    gates[0].open.notify_one();
    std::printf("%d\n", future.get());
    thread.join();
    return 0;
}
