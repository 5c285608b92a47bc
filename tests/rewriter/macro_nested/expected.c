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
#define EITHER_OTHER(n) static int n(int a) {VPROF_FUNCTION_MADE(208) return a + 16; }
EITHER(either_2)

int main(void)
{VPROF_FUNCTION(23)
    link_quick(plain);
    __extension__({VPROF_FUNCTION(27) printf("%d %d %d %d %d\n", VPROF_RESTART(27, ap_run_x(1)), VPROF_RESTART(27, plain(1)), VPROF_RESTART(27, deep_one(1)), VPROF_RESTART(27, deep_two(1)), VPROF_RESTART(27, get_quick(1)));});
    __extension__({VPROF_FUNCTION(33) printf("%d %d %d %d %d\n", VPROF_RESTART(33, run_quick(1)), VPROF_RESTART(33, pair(1)), VPROF_RESTART(33, pair_too(1)), VPROF_RESTART(33, left(1)), VPROF_RESTART(33, right(1)));});
    __extension__({VPROF_FUNCTION(39) printf("%d %d %d %d %d\n", VPROF_RESTART(39, abc(1)), VPROF_RESTART(39, xyz(1)), VPROF_RESTART(39, opened(1)), VPROF_RESTART(39, through(1)), VPROF_RESTART(39, after(1)));});
    __extension__({VPROF_FUNCTION(45) printf("%d\n", VPROF_RESTART(45, rec_of(0) + rec_A));});
    __extension__({VPROF_FUNCTION(47) printf("%s %d %d %d %d\n", VPROF_RESTART(47, text_of()), VPROF_RESTART(47, in_header(1)), VPROF_RESTART(47, outer(1)), VPROF_RESTART(47, itself(1)), VPROF_RESTART(47, either_1(1) + either_2(1)));});
    return 0;
}
