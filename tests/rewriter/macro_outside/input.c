#include "input.h"
int own_has_quick(void), own_has_late(void), own_run_quick(int a);
void own_hook_quick(int (*f)(int)), own_hook_late(int (*f)(int));
static struct { int (*quick)(int); int (*late)(int); } hooks;
HOOK(int, quick, (int a), (a), -1)
BASE(late)
LIBRARY_ONE(direct)
ONE(by_own) LIBRARY_ONE(besides)
TWO(two)
ITSELF(itself);
LIBRARY_PLAIN
HEADER(header_too)
LIBRARY_GIVEN(static int given(int a), { return a + 7; })
LIBRARY_MIXED(mixed)
LIBRARY_TEXT(named)
#undef LIBRARY_BOTH
#define LIBRARY_BOTH(n) static int n(int a) { return a + 8; }
LIBRARY_BOTH(both)

int main(void)
{
    own_hook_quick(direct);
    own_hook_late(by_own);
    printf("%d %d %d\n", own_run_quick(1), own_has_quick(), own_has_late());
    printf("%d %d %d %d %d\n", direct(1), by_own(1), besides(1), two(1), two_own(1));
    printf("%d %d %d %d %d\n", itself(1), plain(1), header_too(1), in_header(1), given(1));
    printf("%d %s %d\n", mixed(1), named(), both(1));
    return 0;
}
