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
{VPROF_FUNCTION(2)
    switch (n) {
    case twice(2):
        return 1;
    default:
        return std::numeric_limits<signed char>::max();
    }
}

int main()
{VPROF_FUNCTION(3)
    constexpr int limit = std::numeric_limits<signed char>::max();
    static const int size = twice(4);
    Sized<twice(3)> sized;
    __extension__({VPROF_FUNCTION(9) std::memset(sized.bytes, 0, sizeof sized);});
    enum { ONE = twice(1) };
    static_assert(twice(1) == ONE, "twice");
    static const std::size_t length = __extension__({VPROF_FUNCTION(12) std::strlen(sized.bytes);});
    if (const char *at = __extension__({VPROF_FUNCTION(13) std::strchr(sized.bytes, 'x');}))
        __extension__({VPROF_FUNCTION(14) std::puts(at);});
    __extension__({VPROF_FUNCTION(15) std::printf("%d %d %d %d %zu\n", limit, size, VPROF_RESTART(15, pick(4)), VPROF_RESTART(15, pick(5)), length);});
    return 0;
}
