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
        Task get_return_object() {VPROF_FUNCTION(3) return Task{std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_never initial_suspend() noexcept {VPROF_FUNCTION(4) return {}; }
        std::suspend_always final_suspend() noexcept {VPROF_FUNCTION(5) return {}; }
        std::suspend_always yield_value(int n)
        {VPROF_FUNCTION(6)
            value = __extension__({VPROF_FUNCTION(18) std::abs(n);});
            return {};
        }
        void return_void() {VPROF_FUNCTION(7)}
        void unhandled_exception() {VPROF_FUNCTION(8) std::abort(); }
    };
    std::coroutine_handle<promise_type> handle;
    explicit Task(std::coroutine_handle<promise_type> handle) : handle(handle) {VPROF_FUNCTION(9)}
    Task(Task &&other) noexcept : handle(other.handle) {VPROF_FUNCTION(10) other.handle = nullptr; }
    ~Task()
    {VPROF_FUNCTION(11)
        if (handle)
            __extension__({VPROF_FUNCTION(20) handle.destroy();});
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
{VPROF_FUNCTION(13)
    return static_cast<int>(thing.size());
}

struct Three {
    int size() const {VPROF_FUNCTION(14) return __extension__({VPROF_FUNCTION(24) std::abs(-3);}); }
};

int main()
{VPROF_FUNCTION(15)
    char room[square(2)];
    static_assert(cube(2) == 8);
    Task task = count(3);
    int sum = 0;
    for (; !__extension__({VPROF_FUNCTION(28) task.handle.done();}); __extension__({VPROF_FUNCTION(29) task.handle.resume();}))
        sum += vprof_lvalue_1(__extension__({VPROF_FUNCTION(30) __builtin_addressof(task.handle.promise());})).value;
    auto lambda = []<class T>(T n) {VPROF_FUNCTION(16) return n + __extension__({VPROF_FUNCTION(34) std::abs(-1);}); };
    __extension__({VPROF_FUNCTION(31) std::printf("%d %zu %d %d\n", sum, sizeof room, measure(Three()), VPROF_RESTART(31, lambda(2)));});
    return 0;
}
