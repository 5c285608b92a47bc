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
{
    printf("%d %ld %g %d\n", add_int(1, 2), add_long(3, 4), add_double(5, 6), magic());
    printf("%d %ld %g %d\n", sub_int(1, 2), sub_long(3, 4), sub_double(5, 6), three());
    printf("%d %d %d %d %d\n", one_int() + shared_int() + (int)shared_long(), spread_int(),
           header_int(), either_int(), __LINE__);
    return 0;
}
