/* C++20: consteval functions and coroutines are left as they are. */
#include <coroutine>
#include <cstdio>
#include <cstdlib>

consteval int square(int n)
{
    return n * n;
}

constexpr int cube(int n)
{
    return n * n * n;
}

struct Task {
    struct promise_type {
        int value = 0;
        Task get_return_object() { return Task{std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int n)
        {
            value = std::abs(n);
            return {};
        }
        void return_void() {}
        void unhandled_exception() { std::abort(); }
    };
    std::coroutine_handle<promise_type> handle;
    explicit Task(std::coroutine_handle<promise_type> handle) : handle(handle) {}
    Task(Task &&other) noexcept : handle(other.handle) { other.handle = nullptr; }
    ~Task()
    {
        if (handle)
            handle.destroy();
    }
};

static Task count(int n)
{
    for (int i = 0; i < n; i++)
        co_yield std::abs(-i);
}

template <class T>
concept Sized = requires(T t) { t.size(); };

static int measure(auto const &thing) requires Sized<decltype(thing)>
{
    return static_cast<int>(thing.size());
}

struct Three {
    int size() const { return std::abs(-3); }
};

int main()
{
    char room[square(2)];
    static_assert(cube(2) == 8);
    Task task = count(3);
    int sum = 0;
    for (; !task.handle.done(); task.handle.resume())
        sum += task.handle.promise().value;
    auto lambda = []<class T>(T n) { return n + std::abs(-1); };
    std::printf("%d %zu %d %d\n", sum, sizeof room, measure(Three()), lambda(2));
    return 0;
}
