#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;

static void work(int n)
{
    std::lock_guard<std::mutex> guard(mutex);
    ready = n == 7;
    changed.notify_one();
}

int main()
{
    std::unique_lock<std::mutex> lock(mutex);
    std::thread thread(work, 7);
    while (!ready)
        changed.wait(lock);
    lock.unlock();
    thread.join();
    std::printf("%d\n", ready);
    return 0;
}
