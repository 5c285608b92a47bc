/* A lambda's body is a function of its own: of where it stands, by its line. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

static std::function<int(int)> at_start = [](int n) { return std::abs(n) + 1; };
static const int constant = [] { return 4; }();

struct Server {
    std::function<int()> hook = [this] { return std::abs(port); };
    int port = -80;
};

template <class T> static int each(const std::vector<T> &all, const std::function<int(T)> &visit)
{
    int sum = 0;
    auto add = [&](const T &one) { sum += visit(one); };
    for (const T &one : all)
        add(one);
    return sum;
}

static int handle(int n)
{
    std::vector<int> all{3, 1, 2};
    std::sort(all.begin(), all.end(), [](int a, int b) { return std::abs(a) > std::abs(b); });
    auto outer = [n, m = std::abs(-n)](int k) mutable -> int {
        auto inner = [&](auto more) {
            return std::abs(more) + m++;
        };
        return inner(-k) + n;
    };
    int (*plain)(int) = [](int k) { return k - 1; };
    constexpr auto square = [](int k) constexpr { return k * k; };
    char room[square(3)];
    auto three = [] { return 3; };
    static_assert(three() == 3, "a lambda that never says that it is a constant");
    constexpr int largest = std::max({1, 2}, [](int a, int b) { return a < b; });
    return outer(n) + plain(1) + each<int>(all, [](int k) { return k; }) +
           static_cast<int>(sizeof room) + largest;
}

int main()
{
    Server server;
    std::printf("%d %d %d %d\n", handle(2), at_start(-3), server.hook(), constant);
    return 0;
}
