/* Forms of C++ that are rare: where a body can stand, and how a function can be left. */
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>

static int made = std::abs(-3); /* of no function */

struct Number {
    int n = std::abs(-4);
    Number() = default;
    Number(int m) noexcept : n(std::abs(m)) {VPROF_FUNCTION(1)}
    Number(const Number &) = delete;
    Number(Number &&other) noexcept : n(other.n) {VPROF_FUNCTION(2) other.n = __extension__({VPROF_FUNCTION(24) std::abs(0);}); }
    ~Number() noexcept(false) {VPROF_FUNCTION(3) n = __extension__({VPROF_FUNCTION(25) std::abs(n);}); }
    Number &operator+=(int m) & noexcept {VPROF_FUNCTION(4) return n += __extension__({VPROF_FUNCTION(26) std::abs(m);}), *this; }
    explicit operator bool() const noexcept {VPROF_FUNCTION(5) return __extension__({VPROF_FUNCTION(27) std::abs(n);}) > 0; }
    friend Number operator+(const Number &a, const Number &b) {VPROF_FUNCTION(6) return Number(a.n + b.n); }
    static void *operator new(std::size_t size) {VPROF_FUNCTION(7) return __extension__({VPROF_FUNCTION(28) std::malloc(size);}); }
    static void operator delete(void *at) {VPROF_FUNCTION(8) __extension__({VPROF_FUNCTION(29) std::free(at);}); }
    auto twice() const -> int {VPROF_FUNCTION(9) return 2 * __extension__({VPROF_FUNCTION(30) std::abs(n);}); }
    struct Inner {
        int deep() {VPROF_FUNCTION(10) return __extension__({VPROF_FUNCTION(31) std::abs(-9);}); }
    };
};

static Number operator""_n(unsigned long long n) {VPROF_FUNCTION(11) return Number(static_cast<int>(n)); }

static void note(int n) {VPROF_FUNCTION(12) __extension__({VPROF_FUNCTION(32) std::printf("note %d\n", n);}); }

static void forward(int n)
{VPROF_FUNCTION(13)
    return note(__extension__({VPROF_FUNCTION(34) std::abs(n);}));
}

static void tried(int n)
try {
    if (n < 0)
        throw std::runtime_error("negative");
    return note(n);
} catch (const std::exception &error) {
    std::puts(error.what());
}

static int thrown(int n)
{VPROF_FUNCTION(15)
    try {
        if (__extension__({VPROF_FUNCTION(36) std::abs(n);}) > 1)
            throw n;
        return forward(n), 0;
    } catch (int caught) {
        return __extension__({VPROF_FUNCTION(38) std::abs(caught);});
    }
}

static int once(int n)
{VPROF_FUNCTION(16)
    static const int kept = __extension__({VPROF_FUNCTION(39) std::abs(n);});
    static Number number(__extension__({VPROF_FUNCTION(40) std::abs(n);}));
    thread_local int own = __extension__({VPROF_FUNCTION(41) std::abs(n);}) + 1;
    return kept + number.n + own;
}

static int local(int n)
{VPROF_FUNCTION(17)
    struct Local {
        int n;
        int get() {VPROF_FUNCTION(18) return __extension__({VPROF_FUNCTION(44) std::abs(n);}); }
    } value{n};
    if (int got = value.get(); got > 2)
        return got;
    return [&] {VPROF_FUNCTION(19) return value.get() + 1; }();
}

namespace {
namespace deep {
inline int hidden() {VPROF_FUNCTION(20) return __extension__({VPROF_FUNCTION(46) std::abs(-6);}); }
} // namespace deep
} // namespace

extern "C" {
static int plain(int n) {VPROF_FUNCTION(21) return __extension__({VPROF_FUNCTION(47) std::abs(n);}); }
}

int main()
{VPROF_FUNCTION(22)
    Number a = 3_n, b;
    Number sum = a + b;
    sum += -2;
    Number moved(static_cast<Number &&>(sum));
    Number *heap = new Number(5);
    __extension__({VPROF_FUNCTION(48) std::printf("%d %d %d %d\n", VPROF_RESTART(48, moved.twice()), heap->n, VPROF_RESTART(48, sum ? 1 : 0), Number::Inner().deep());});
    delete heap;
    tried(-1);
    tried(1);
    __extension__({VPROF_FUNCTION(53) std::printf("%d %d %d %d\n", VPROF_RESTART(53, thrown(-5)), VPROF_RESTART(53, thrown(1)), VPROF_RESTART(53, once(-2)), VPROF_RESTART(53, once(-3)));});
    __extension__({VPROF_FUNCTION(58) std::printf("%d %d %d %d %d\n", VPROF_RESTART(58, local(1)), VPROF_RESTART(58, local(-3)), VPROF_RESTART(58, deep::hidden()), VPROF_RESTART(58, plain(-7)), made);});
    return 0;
}
