#include <cstdio>
#include <first.h>
int from_other(int a);
struct Pool {
    explicit Pool(int v) : value(v) {VPROF_FUNCTION(1)}
    int get(int a) const;
    VPROF_MADE_1_LIBRARY_INLINE(less)
    static const char *name();
    int value;
};
VPROF_MADE_1_LIBRARY_MEMBER(Pool, get)
VPROF_MADE_1_LIBRARY_NAMES(Pool,
              name)
VPROF_MADE_1_LIBRARY_TEMPLATE(more)
LIBRARY_LAMBDA(held)
LIBRARY_DIFFERS(differs)

int main()
{VPROF_FUNCTION(9)
    Pool pool(10);
    __extension__({VPROF_FUNCTION(13) printf("%d %d %s %d\n", VPROF_RESTART(13, pool.get(1)), VPROF_RESTART(13, pool.less(1)), VPROF_RESTART(13, Pool::name()), VPROF_RESTART(13, more(1)));});
    __extension__({VPROF_FUNCTION(18) printf("%d %d %d\n", VPROF_RESTART(18, held(1)), VPROF_RESTART(18, differs(1)), VPROF_RESTART(18, from_other(1)));});
    return 0;
}
