/* many.c - of a request's 5 ms f takes 2, g 1 and each of a to e 0.1 to 0.5: the mean falls by 0.4 s if f is faster, by 0.2 s
 * if g is. */
#include "work.h"

#define PART(name, ms)                                                                             \
    static __attribute__((noinline)) void name(void)                                               \
    {                                                                                              \
        work_ms(ms);                                                                               \
    }
PART(a, 0.1)
PART(b, 0.2)
PART(c, 0.3)
PART(d, 0.4)
PART(e, 0.5)
PART(f, 2)
PART(g, 1)

int main(int argc, char **argv)
{
    work_start(argc, argv);
    while (work_goes_on()) {
        SI_BEGIN(1);
        a();
        f();
        b();
        c();
        g();
        d();
        e();
        work_ms(0.5);
        SI_END(1);
    }
    return 0;
}
