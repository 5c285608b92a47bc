// point_throws: functions of C++ that are watched: overloaded ones, and one that exceptions leave.
#include <cstdio>
#include <stdexcept>

#if defined(__clang__)
#define OWN __attribute__((noinline, used))
#else
#define OWN __attribute__((noinline, noclone, used))
#endif

namespace shop {
struct Pool {
    int got = 0;
    OWN int run(int n);
    OWN int run(const char *text);
    OWN int may_throw(int n);
};

int Pool::run(int n)
{
    got += n;
    asm volatile("" ::: "memory");
    return got;
}

int Pool::run(const char *text)
{
    got += text[0];
    asm volatile("" ::: "memory");
    return got;
}

int Pool::may_throw(int n)
{
    if (n % 2)
        throw std::runtime_error("odd");
    return run(n) + 1;
}
static int odd(int n)
{
    if (n % 2)
        throw std::runtime_error("odd");
    return n;
}

static int even(int n)
{
    return n + 3;
}

/* Its code does not say where it goes on. */
static int (*volatile kinds[2])(int) = {even, odd};
OWN int relay(int n)
{
    return kinds[n & 1](n);
}
} // namespace shop

int main()
{
    shop::Pool pool;
    int caught = 0;
    for (int i = 0; i < 10; i++) {
        try {
            pool.may_throw(i);
            shop::relay(i);
            shop::relay(i + 1);
        } catch (const std::exception &) {
            caught++;
        }
    }
    std::printf("caught %d %d\n", caught, pool.run("a"));
    return 0;
}
