/* A lambda's body is a function of its own: of where it stands, by its line. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

static std::function<int(int)> at_start = [](int n) {VPROF_FUNCTION(1) return __extension__({VPROF_FUNCTION(16) std::abs(n);}) + 1; };
static const int constant = [] {VPROF_FUNCTION(2) return 4; }();

struct Server {
    std::function<int()> hook = [this] {VPROF_FUNCTION(3) return __extension__({VPROF_FUNCTION(17) std::abs(port);}); };
    int port = -80;
};

template <class T> static int each(const std::vector<T> &all, const std::function<int(T)> &visit)
{VPROF_FUNCTION(4)
    int sum = 0;
    auto add = [&](const T &one) {VPROF_FUNCTION(5) sum += visit(one); };
    for (const T &one : all)
        add(one);
    return sum;
}

static int handle(int n)
{VPROF_FUNCTION(6)
    std::vector<int> all{3, 1, 2};
    __extension__({VPROF_FUNCTION(20) std::sort(__extension__({VPROF_FUNCTION(21) all.begin();}), __extension__({VPROF_FUNCTION(22) all.end();}), [](int a, int b) {VPROF_FUNCTION(7) return __extension__({VPROF_FUNCTION(29) std::abs(a);}) > __extension__({VPROF_FUNCTION(30) std::abs(b);}); });});
    auto outer = [n, m = std::abs(-n)](int k) mutable -> int {VPROF_FUNCTION(8)
        auto inner = [&](auto more) {VPROF_FUNCTION(9)
            return std::abs(more) + m++;
        };
        return inner(-k) + n;
    };
    int (*plain)(int) = [](int k) {VPROF_FUNCTION(10) return k - 1; };
    constexpr auto square = [](int k) constexpr { return k * k; };
    char room[square(3)];
    auto three = [] { return 3; };
    static_assert(three() == 3, "a lambda that never says that it is a constant");
    constexpr int largest = std::max({1, 2}, [](int a, int b) { return a < b; });
    return outer(n) + __extension__({VPROF_FUNCTION(27) VPROF_TARGET(27, plain)(1);}) + each<int>(all, [](int k) {VPROF_FUNCTION(14) return k; }) +
           static_cast<int>(sizeof room) + largest;
}

int main()
{VPROF_FUNCTION(15)
    Server server;
    __extension__({VPROF_FUNCTION(33) std::printf("%d %d %d %d\n", VPROF_RESTART(33, handle(2)), VPROF_RESTART(33, __extension__({VPROF_FUNCTION(35) at_start(-3);})), VPROF_RESTART(33, __extension__({VPROF_FUNCTION(36) server.hook();})), constant);});
    return 0;
}
