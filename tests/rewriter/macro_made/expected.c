#include "input.h"
MAKE_PAIR(int);
MAGIC;
#line 100
MAKE_PAIR(long);
MAKE_PAIR(double);
static int three(void) BODY_ONLY
NESTING(int)
MAKE_SHARED(int) MAKE_SHARED(long)
MAKE_SPREAD(int,
            4)
EITHER(int)

int main(void)
{VPROF_FUNCTION(14)
    __extension__({VPROF_FUNCTION(19) printf("%d %ld %g %d\n", VPROF_RESTART(19, add_int(1, 2)), VPROF_RESTART(19, add_long(3, 4)), VPROF_RESTART(19, add_double(5, 6)), VPROF_RESTART(19, magic()));});
    __extension__({VPROF_FUNCTION(24) printf("%d %ld %g %d\n", VPROF_RESTART(24, sub_int(1, 2)), VPROF_RESTART(24, sub_long(3, 4)), VPROF_RESTART(24, sub_double(5, 6)), VPROF_RESTART(24, three()));});
    __extension__({VPROF_FUNCTION(29) printf("%d %d %d %d %d\n", VPROF_RESTART(29, one_int() + shared_int() + (int)shared_long()), VPROF_RESTART(29, spread_int()),
           VPROF_RESTART(29, header_int()), VPROF_RESTART(29, either_int()), __LINE__);});
    return 0;
}
