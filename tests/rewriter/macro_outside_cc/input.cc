#include <cstdio>
#include <first.h>
int from_other(int a);
struct Pool {
    explicit Pool(int v) : value(v) {}
    int get(int a) const;
    LIBRARY_INLINE(less)
    static const char *name();
    int value;
};
LIBRARY_MEMBER(Pool, get)
LIBRARY_NAMES(Pool,
              name)
LIBRARY_TEMPLATE(more)
LIBRARY_LAMBDA(held)
LIBRARY_DIFFERS(differs)

int main()
{
    Pool pool(10);
    printf("%d %d %s %d\n", pool.get(1), pool.less(1), Pool::name(), more(1));
    printf("%d %d %d\n", held(1), differs(1), from_other(1));
    return 0;
}
