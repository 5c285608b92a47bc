#include <cstdio>
#include <cstring>
#include <limits>

template <int N> struct Sized {
    char bytes[N];
};

constexpr int twice(int n)
{
    return n * 2;
}

static int pick(int n)
{
    switch (n) {
    case twice(2):
        return 1;
    default:
        return std::numeric_limits<signed char>::max();
    }
}

int main()
{
    constexpr int limit = std::numeric_limits<signed char>::max();
    static const int size = twice(4);
    Sized<twice(3)> sized;
    std::memset(sized.bytes, 0, sizeof sized);
    enum { ONE = twice(1) };
    static_assert(twice(1) == ONE, "twice");
    static const std::size_t length = std::strlen(sized.bytes);
    if (const char *at = std::strchr(sized.bytes, 'x'))
        std::puts(at);
    std::printf("%d %d %d %d %zu\n", limit, size, pick(4), pick(5), length);
    return 0;
}
