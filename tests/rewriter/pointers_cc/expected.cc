/* Calls through pointers to members, std::function and objects with a call operator. */
#include <cstdio>
#include <cstdlib>
#include <functional>

struct Counter {
    int n;
    int add(int m) {VPROF_FUNCTION(1) return n += m; }
    int &slot(int) {VPROF_FUNCTION(2) return n; }
    virtual ~Counter() {VPROF_FUNCTION(3)}
    virtual int show(int m) const {VPROF_FUNCTION(4) return n + m; }
};

struct Wide : Counter {
    int show(int m) const override {VPROF_FUNCTION(5) return 100 * n + m; }
};

struct Twice {
    int operator()(int n) const {VPROF_FUNCTION(6) return 2 * n; }
};

static int run(Counter *counter, int (Counter::*step)(int), int &(Counter::*place)(int),
               int (Counter::*show)(int) const, const std::function<int(int)> &function)
{VPROF_FUNCTION(7)
    int sum = __extension__({VPROF_FUNCTION(9) (counter->*step)(2);}) + __extension__({VPROF_FUNCTION(10) ((*counter).*step)(VPROF_RESTART(10, __extension__({VPROF_FUNCTION(11) std::abs(-3);})));});
    vprof_lvalue_1(__extension__({VPROF_FUNCTION(12) __builtin_addressof((counter->*place)(0));})) = 5;
    sum += __extension__({VPROF_FUNCTION(13) (counter->*show)(1);}) + __extension__({VPROF_FUNCTION(14) function(__extension__({VPROF_FUNCTION(15) std::abs(-4);}));}) + Twice()(6);
    std::function<int &(Counter *)> member = &Counter::n;
    vprof_lvalue_1(__extension__({VPROF_FUNCTION(17) __builtin_addressof(member(counter));}))++;
    __extension__({VPROF_FUNCTION(18) function(7);});
    return sum + counter->n;
}

int main()
{VPROF_FUNCTION(8)
    Wide wide;
    wide.n = 1;
    __extension__({VPROF_FUNCTION(19) std::printf("%d\n", run(&wide, &Counter::add, &Counter::slot, &Counter::show, Twice()));});
    return 0;
}
