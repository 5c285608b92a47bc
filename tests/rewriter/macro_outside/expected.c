#include "input.h"
int own_has_quick(void), own_has_late(void), own_run_quick(int a);
void own_hook_quick(int (*f)(int)), own_hook_late(int (*f)(int));
static struct { int (*quick)(int); int (*late)(int); } hooks;
HOOK(int, quick, (int a), (a), -1)
BASE(late)
VPROF_MADE_1_LIBRARY_ONE(direct)
ONE(by_own) VPROF_MADE_1_LIBRARY_ONE(besides)
TWO(two)
ITSELF(itself);
VPROF_MADE_1_LIBRARY_PLAIN
HEADER(header_too)
LIBRARY_GIVEN(static int given(int a), {VPROF_FUNCTION(14) return a + 7; })
VPROF_MADE_1_LIBRARY_MIXED(mixed)
VPROF_MADE_1_LIBRARY_TEXT(named)
#undef LIBRARY_BOTH
#define LIBRARY_BOTH(n) static int n(int a) {VPROF_FUNCTION_MADE(96) return a + 8; }
LIBRARY_BOTH(both)

int main(void)
{VPROF_FUNCTION(18)
    own_hook_quick(direct);
    own_hook_late(by_own);
    __extension__({VPROF_FUNCTION(23) printf("%d %d %d\n", VPROF_RESTART(23, own_run_quick(1)), VPROF_RESTART(23, own_has_quick()), VPROF_RESTART(23, own_has_late()));});
    __extension__({VPROF_FUNCTION(27) printf("%d %d %d %d %d\n", VPROF_RESTART(27, direct(1)), VPROF_RESTART(27, by_own(1)), VPROF_RESTART(27, besides(1)), VPROF_RESTART(27, two(1)), VPROF_RESTART(27, two_own(1)));});
    __extension__({VPROF_FUNCTION(33) printf("%d %d %d %d %d\n", VPROF_RESTART(33, itself(1)), VPROF_RESTART(33, plain(1)), VPROF_RESTART(33, header_too(1)), VPROF_RESTART(33, in_header(1)), VPROF_RESTART(33, given(1)));});
    __extension__({VPROF_FUNCTION(39) printf("%d %s %d\n", VPROF_RESTART(39, mixed(1)), VPROF_RESTART(39, named()), VPROF_RESTART(39, both(1)));});
    return 0;
}
