/* Quotients of 256-bit numbers against results that are known, and against the bounds that the
 * nearest double must keep: |ratio * denominator - numerator| is at most half a step. */
#include "stats/wide.h"

#include <math.h>
#include <stdio.h>

static int failures;

static void expect(const char *what, double got, double expected)
{
    if (got == expected)
        return;
    printf("%s is %a, expected %a\n", what, got, expected);
    failures++;
}

static void known(void)
{
    expect("0 / 7", wide_ratio(wide_of(0), wide_of(7)), 0);
    expect("7 / 0", wide_ratio(wide_of(7), wide_of(0)), 0);
    expect("7 / 1", wide_ratio(wide_of(7), wide_of(1)), 7);
    expect("-1 / 3", wide_ratio(wide_of(-1), wide_of(3)), -1.0 / 3);
    expect("2 / -3", wide_ratio(wide_of(2), wide_of(-3)), -2.0 / 3);
    __int128 tie = ((__int128)1 << 53) + 1; /* between two doubles: to the even one */
    expect("a tie goes down", wide_ratio(wide_of(tie), wide_of(1)), 0x1p53);
    expect("a tie goes up", wide_ratio(wide_of(tie + 2), wide_of(1)), 0x1p53 + 4);
    /* 2^53 + 1 + 2^-60: behind the tie by what a long double does not see. */
    __int128 behind = (tie << 60) + 1;
    expect("behind a tie", wide_ratio(wide_of(behind), wide_of((__int128)1 << 60)), 0x1p53 + 2);
    /* n*Sxy - Sx*Sy above 128 bits: 2^60 * 2^100 - 0, by 2^100. */
    struct wide spread = wide_spread(UINT64_C(1) << 60, 0, 0, (__int128)1 << 100);
    expect("2^160 / 2^100", wide_ratio(spread, wide_of((__int128)1 << 100)), 0x1p60);
    spread = wide_spread(3, (__int128)1 << 100, (__int128)1 << 100, 0);
    expect("-2^200 / 3^2", wide_ratio(spread, wide_product(3, 3)), -0x1p200 / 9);
    expect("one / itself", wide_ratio(spread, spread), 1);
}

static uint64_t random_bits(void)
{
    static uint64_t x = 88172645463325252u;
    x ^= x << 13;
    x ^= x >> 7;
    return x ^= x << 17;
}

/* Numbers of few bits, whose quotient the processor rounds right; scaled up, it must be the same.
 */
static void drawn(void)
{
    for (int i = 0; i < 100000; i++) {
        int64_t a = (int64_t)(random_bits() >> (11 + random_bits() % 40)) + 1;
        int64_t b = (int64_t)(random_bits() >> (11 + random_bits() % 40)) + 1;
        double expected = (double)a / (double)b;
        expect("a / b", wide_ratio(wide_of(a), wide_of(b)), expected);
        __int128 some = (__int128)(random_bits() >> 4) + 1; /* below 124 bits: the short way */
        expect("a * some / b * some", wide_ratio(wide_of(a * some), wide_of(b * some)), expected);
        __int128 by = ((__int128)random_bits() << 10) + 1; /* makes the long way: above 128 bits */
        expect("a * by / b * by", wide_ratio(wide_product(a * by, by), wide_product(b * by, by)),
               expected);
        expect("by 2^40", wide_ratio(wide_product(a, (__int128)1 << 40), wide_of(-b)),
               -ldexp(expected, 40));
    }
}

static void minus(void)
{
    struct wide five = wide_minus(wide_of(3), wide_of(-2)),
                less = wide_minus(wide_of(3), wide_of(8));
    expect("3 - -2", wide_ratio(five, wide_of(1)), 5);
    expect("3 - 8", wide_ratio(less, wide_of(1)), -5);
    expect("-3 - 8", wide_ratio(wide_minus(wide_of(-3), wide_of(8)), wide_of(1)), -11);
    struct wide large = wide_product((__int128)1 << 126, (__int128)1 << 100);
    expect("2^226 - 1", wide_ratio(wide_minus(wide_minus(large, wide_of(1)), large), wide_of(1)),
           -1);
}

int main(void)
{
    known();
    drawn();
    minus();
    return failures != 0;
}
