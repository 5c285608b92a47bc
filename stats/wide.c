#include "stats/wide.h"

#include <math.h>
#include <string.h>

enum { LIMBS = 4, BITS = 64 * LIMBS, SHORT_BITS = 124 };

static unsigned __int128 magnitude(__int128 value)
{
    return value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;
}

struct wide wide_of(__int128 value)
{
    unsigned __int128 m = magnitude(value);
    return (struct wide){value < 0, {(uint64_t)m, (uint64_t)(m >> 64), 0, 0}};
}

struct wide wide_product(__int128 a, __int128 b)
{
    struct wide x = wide_of(a), y = wide_of(b), product = {x.negative != y.negative, {0}};
    for (int i = 0; i < 2; i++) {
        unsigned __int128 carry = 0;
        for (int j = 0; j < 2; j++) {
            carry += (unsigned __int128)x.limbs[i] * y.limbs[j] + product.limbs[i + j];
            product.limbs[i + j] = (uint64_t)carry;
            carry >>= 64;
        }
        product.limbs[i + 2] = (uint64_t)carry;
    }
    return product;
}

/* The magnitudes are compared. */
static int compare(const struct wide *a, const struct wide *b)
{
    for (int i = LIMBS - 1; i >= 0; i--)
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
    return 0;
}

static void add_to(struct wide *a, const struct wide *b)
{
    unsigned __int128 carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (unsigned __int128)a->limbs[i] + b->limbs[i];
        a->limbs[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

/* The magnitude of a is that of b at least. */
static void take_from(struct wide *a, const struct wide *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < LIMBS; i++) {
        unsigned __int128 rest = (unsigned __int128)a->limbs[i] - b->limbs[i] - borrow;
        a->limbs[i] = (uint64_t)rest;
        borrow = (uint64_t)(rest >> 64) & 1;
    }
}

struct wide wide_minus(struct wide a, struct wide b)
{
    b.negative = !b.negative;
    if (a.negative == b.negative) {
        add_to(&a, &b);
        return a;
    }
    if (compare(&a, &b) < 0) {
        struct wide swap = a;
        a = b;
        b = swap;
    }
    take_from(&a, &b);
    return a;
}

struct wide wide_spread(uint64_t n, __int128 sum_x, __int128 sum_y, __int128 product)
{
    return wide_minus(wide_product(n, product), wide_product(sum_x, sum_y));
}

static int bit_length(const struct wide *a)
{
    for (int i = LIMBS - 1; i >= 0; i--)
        if (a->limbs[i])
            return 64 * i + 64 - __builtin_clzll(a->limbs[i]);
    return 0;
}

static void shift_left(struct wide *a, int bits)
{
    for (; bits >= 64; bits -= 64) {
        memmove(a->limbs + 1, a->limbs, (LIMBS - 1) * sizeof *a->limbs);
        a->limbs[0] = 0;
    }
    for (int i = LIMBS - 1; bits && i >= 0; i--)
        a->limbs[i] = a->limbs[i] << bits | (i ? a->limbs[i - 1] >> (64 - bits) : 0);
}

/* The quotient of two numbers of one length, bit by bit, until 55 bits count; then one more, which
 * says whether there is a rest. *exponent is of the last bit. */
static uint64_t divide_long(struct wide a, const struct wide *b, int *exponent)
{
    uint64_t quotient = 0;
    for (; quotient < UINT64_C(1) << 54; --*exponent) {
        quotient <<= 1;
        if (compare(&a, b) >= 0) {
            take_from(&a, b);
            quotient |= 1;
        }
        shift_left(&a, 1);
    }
    return quotient << 1 | (bit_length(&a) != 0);
}

/* The next `bits` of the quotient of rest and b, 32 at the most; rest < b. They are reckoned with
 * the highest 64 bits of b first: that is off by one or two, and so mended by as many steps. */
static uint64_t divide_bits(unsigned __int128 *rest, unsigned __int128 b, int bits)
{
    enum { LOW = SHORT_BITS - 64 };
    uint64_t high = (uint64_t)(b >> LOW);
    uint64_t quotient = (uint64_t)(((*rest >> LOW) << bits) / high);
    __int128 left = (__int128)((*rest << bits) - quotient * b); /* the carry of both is the same */
    for (; left < 0; left += (__int128)b)
        quotient--;
    for (; left >= (__int128)b; left -= (__int128)b)
        quotient++;
    *rest = (unsigned __int128)left;
    return quotient;
}

/* A shorter way to the quotient of two numbers that have SHORT_BITS bits each. */
static uint64_t divide_short(unsigned __int128 a, unsigned __int128 b, int *exponent)
{
    uint64_t whole = a >= b;
    int more = whole ? 27 : 28;
    a -= whole ? b : 0;
    *exponent -= 28 + more;
    uint64_t quotient = whole << 27 | divide_bits(&a, b, 27);
    quotient = quotient << more | divide_bits(&a, b, more);
    return quotient << 1 | (a != 0);
}

static unsigned __int128 low_limbs(const struct wide *a)
{
    return (unsigned __int128)a->limbs[1] << 64 | a->limbs[0];
}

/* The two numbers have `bits` bits. */
static uint64_t divide(const struct wide *a, const struct wide *b, int bits, int *exponent)
{
    if (bits > SHORT_BITS)
        return divide_long(*a, b, exponent);
    return divide_short(low_limbs(a) << (SHORT_BITS - bits), low_limbs(b) << (SHORT_BITS - bits),
                        exponent);
}

double wide_ratio(struct wide numerator, struct wide denominator)
{
    int from = bit_length(&numerator), to = bit_length(&denominator);
    if (!from || !to)
        return 0;
    int exponent = from - to;
    shift_left(exponent > 0 ? &denominator : &numerator, exponent > 0 ? exponent : -exponent);
    uint64_t quotient = divide(&numerator, &denominator, from > to ? from : to, &exponent);
    double ratio = ldexp((double)quotient, exponent);
    return numerator.negative != denominator.negative ? -ratio : ratio;
}
