#include "input.h"
struct rec;
int ap_run_x(int a);
int get_quick(int a);
int run_quick(int a);
void link_quick(int (*f)(int));
int pair(int a), pair_too(int a), plain(int a);
HOOK(x)
BODY(plain)
DEEP(one);
DEEP(
    two
);
IMPLEMENT(int, quick,
          (int a), (a),
          -1)
int rec_of(struct rec *);
RECORDS(rec)
PAIR(pair)
TWINS(left, right)
SAME(abc, xyz)
OPEN(opened) return a + 10; }
THROUGH(through)
BODY_AFTER(after)
AS_TEXT(none)
OUTER_TOO(outer)
ITSELF(itself);
EITHER(either_1)
#undef EITHER
#define EITHER(n) EITHER_OTHER(n)
#define EITHER_OTHER(n) static int n(int a) { return a + 16; }
EITHER(either_2)

int main(void)
{
    link_quick(plain);
    printf("%d %d %d %d %d\n", ap_run_x(1), plain(1), deep_one(1), deep_two(1), get_quick(1));
    printf("%d %d %d %d %d\n", run_quick(1), pair(1), pair_too(1), left(1), right(1));
    printf("%d %d %d %d %d\n", abc(1), xyz(1), opened(1), through(1), after(1));
    printf("%d\n", rec_of(0) + rec_A);
    printf("%s %d %d %d %d\n", text_of(), in_header(1), outer(1), itself(1), either_1(1) + either_2(1));
    return 0;
}
