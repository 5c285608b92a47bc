/* What a generator made: its lines belong to another file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#line 40 "grammar.y"
static int reduce(int n)
{VPROF_FUNCTION(1)
    return __extension__({VPROF_FUNCTION(4) printf("%s:%d\n", __FILE__, __LINE__);}) + __extension__({VPROF_FUNCTION(5) abs(n);});
}

static int shift(int n) {VPROF_FUNCTION(2) return reduce(n) + __LINE__; }
# 12 "scanner.l"
int main(void)
{VPROF_FUNCTION(3)
    __extension__({VPROF_FUNCTION(7) printf("%d %d\n", VPROF_RESTART(7, shift(-1)), __LINE__);});
    return strcmp(__FILE__, "scanner.l");
}
