/* Forms of C++ that are rare: where a body can stand, and how a function can be left. */
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>

static int made = std::abs(-3); /* of no function */

struct Number {
    int n = std::abs(-4);
    Number() = default;
    Number(int m) noexcept : n(std::abs(m)) {}
    Number(const Number &) = delete;
    Number(Number &&other) noexcept : n(other.n) { other.n = std::abs(0); }
    ~Number() noexcept(false) { n = std::abs(n); }
    Number &operator+=(int m) & noexcept { return n += std::abs(m), *this; }
    explicit operator bool() const noexcept { return std::abs(n) > 0; }
    friend Number operator+(const Number &a, const Number &b) { return Number(a.n + b.n); }
    static void *operator new(std::size_t size) { return std::malloc(size); }
    static void operator delete(void *at) { std::free(at); }
    auto twice() const -> int { return 2 * std::abs(n); }
    struct Inner {
        int deep() { return std::abs(-9); }
    };
};

static Number operator""_n(unsigned long long n) { return Number(static_cast<int>(n)); }

static void note(int n) { std::printf("note %d\n", n); }

static void forward(int n)
{
    return note(std::abs(n));
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
{
    try {
        if (std::abs(n) > 1)
            throw n;
        return forward(n), 0;
    } catch (int caught) {
        return std::abs(caught);
    }
}

static int once(int n)
{
    static const int kept = std::abs(n);
    static Number number(std::abs(n));
    thread_local int own = std::abs(n) + 1;
    return kept + number.n + own;
}

static int local(int n)
{
    struct Local {
        int n;
        int get() { return std::abs(n); }
    } value{n};
    if (int got = value.get(); got > 2)
        return got;
    return [&] { return value.get() + 1; }();
}

namespace {
namespace deep {
inline int hidden() { return std::abs(-6); }
} // namespace deep
} // namespace

extern "C" {
static int plain(int n) { return std::abs(n); }
}

int main()
{
    Number a = 3_n, b;
    Number sum = a + b;
    sum += -2;
    Number moved(static_cast<Number &&>(sum));
    Number *heap = new Number(5);
    std::printf("%d %d %d %d\n", moved.twice(), heap->n, sum ? 1 : 0, Number::Inner().deep());
    delete heap;
    tried(-1);
    tried(1);
    std::printf("%d %d %d %d\n", thrown(-5), thrown(1), once(-2), once(-3));
    std::printf("%d %d %d %d %d\n", local(1), local(-3), deep::hidden(), plain(-7), made);
    return 0;
}
