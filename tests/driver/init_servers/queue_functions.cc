#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
static std::queue<std::function<void()>> tasks;
static std::mutex lock;
static std::condition_variable filled;
static volatile unsigned sum;
static void post(std::function<void()> task)
{
    std::lock_guard<std::mutex> guard(lock);
    tasks.push(std::move(task));
    filled.notify_one();
}
static void loop()
{
    for (;;) {
        std::function<void()> task;
        {
            std::unique_lock<std::mutex> guard(lock);
            filled.wait(guard, [] { return !tasks.empty(); });
            task = std::move(tasks.front());
            tasks.pop();
        }
        task();
    }
}
static void burn(int n)
{
    for (int i = 0; i < n; i++)
        sum = sum + i;
}
int main()
{
    std::thread worker(loop);
    for (int i = 0; i < 1000; i++)
        post([i] { burn(i); });
    worker.detach();
}
