#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGER(a, b)                  \
    __extension__({                   \
        __typeof__(a) left_ = (a);    \
        __typeof__(b) right_ = (b);   \
        left_ > right_ ? left_ : right_; \
    })

int main(void)
{
    int n = __extension__({
        int m = abs(-3);
        m + abs(-4);
    });
    size_t length = LARGER(strlen("abc"), strlen("d"));
    int copy = LARGER(abs(n), 2);
    return printf("%d %zu %d\n", n, length, copy) < 0;
}
