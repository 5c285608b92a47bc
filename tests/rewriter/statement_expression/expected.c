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
{VPROF_FUNCTION(1)
    int n = __extension__({
        int m = __extension__({VPROF_FUNCTION(2) abs(-3);});
        m + __extension__({VPROF_FUNCTION(3) abs(-4);});
    });
    size_t length = LARGER(strlen("abc"), strlen("d"));
    int copy = LARGER(abs(n), 2);
    return __extension__({VPROF_FUNCTION(7) printf("%d %zu %d\n", n, length, copy);}) < 0;
}
