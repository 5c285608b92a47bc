#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HERE() here(__LINE__)

static int here(int line)
{VPROF_FUNCTION(1)
    return __extension__({VPROF_FUNCTION(3) printf("line %d\n", line);});
}

int main(void)
{VPROF_FUNCTION(2)
    here(__LINE__);
    HERE(); __extension__({VPROF_FUNCTION(6) printf("%d %d\n", __LINE__,
                   VPROF_RESTART(6, __extension__({VPROF_FUNCTION(7) abs(__LINE__);})));}); here(__LINE__);
    __extension__({VPROF_FUNCTION(9) printf("%s %d %d\n", /* a comment, with a ( */
           "text ) with a bracket",
           VPROF_RESTART(9, __extension__({VPROF_FUNCTION(10) abs(
               -1);})), // a comment at the end
           __LINE__ /* another */ // and one
    );});
    return strcmp(&__FILE__[strlen(__FILE__) - 7], "input.c");
}
