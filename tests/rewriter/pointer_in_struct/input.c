#include <stdio.h>
#include <stdlib.h>

struct operations {
    int (*run)(int);
    void (*done)(void);
    struct {
        int (*deep)(const char *, ...);
    } inner;
};

static int square(int n)
{
    return n * n;
}

static void nothing(void)
{
}

static int call(const struct operations *operations, int (*direct)(int), int n)
{
    int (*table[2])(int) = {square, abs};
    int sum = operations->run(n) + (*operations->run)(n);
    sum += direct(abs(n)) + (*direct)(n) + table[n & 1](n);
    sum += (n ? square : abs)(n) + (square)(n) + (*abs)(n);
    (operations->done)();
    return sum + operations->inner.deep("%d\n", sum);
}

int main(void)
{
    struct operations operations = {square, nothing, {printf}};
    return call(&operations, abs, -3) < 0;
}
