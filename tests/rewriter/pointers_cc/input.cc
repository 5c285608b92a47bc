/* Calls through pointers to members, std::function and objects with a call operator. */
#include <cstdio>
#include <cstdlib>
#include <functional>

struct Counter {
    int n;
    int add(int m) { return n += m; }
    int &slot(int) { return n; }
    virtual ~Counter() {}
    virtual int show(int m) const { return n + m; }
};

struct Wide : Counter {
    int show(int m) const override { return 100 * n + m; }
};

struct Twice {
    int operator()(int n) const { return 2 * n; }
};

static int run(Counter *counter, int (Counter::*step)(int), int &(Counter::*place)(int),
               int (Counter::*show)(int) const, const std::function<int(int)> &function)
{
    int sum = (counter->*step)(2) + ((*counter).*step)(std::abs(-3));
    (counter->*place)(0) = 5;
    sum += (counter->*show)(1) + function(std::abs(-4)) + Twice()(6);
    std::function<int &(Counter *)> member = &Counter::n;
    member(counter)++;
    function(7);
    return sum + counter->n;
}

int main()
{
    Wide wide;
    wide.n = 1;
    std::printf("%d\n", run(&wide, &Counter::add, &Counter::slot, &Counter::show, Twice()));
    return 0;
}
