#include "variance/lanes.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static void add_group_plain(const struct lanes_group *group, uint64_t latency)
{
    uint64_t *sums = group->sums;
    const uint64_t *x = group->x;
    for (uint32_t i = 0; i < LANES; i++) {
        sums[LANES_SUM * LANES + i] += x[i];
        sums[LANES_SQUARE * LANES + i] += x[i] * x[i];
        sums[LANES_LATENCY * LANES + i] += x[i] * latency;
        sums[LANES_ABOVE * LANES + i] += x[i] * group->above;
        for (uint32_t turn = 1; turn <= LANES / 2; turn++)
            sums[(LANES_TURN + turn - 1) * LANES + i] += x[i] * x[(i + turn) % LANES];
    }
    memset(group->x, 0, sizeof *group->x * LANES);
}

static void add_plain(const struct lanes_group *groups, uint32_t count, uint64_t latency)
{
    for (uint32_t i = 0; i < count; i++)
        add_group_plain(&groups[i], latency);
}

static void add_pairs_plain(uint64_t *sums, const uint64_t *x, const uint64_t *y)
{
    for (uint32_t turn = 0; turn < LANES; turn++)
        for (uint32_t i = 0; i < LANES; i++)
            sums[turn * LANES + i] += x[i] * y[(i + turn) % LANES];
}

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 static inline __attribute__((target("avx2")))
#define AVX512 static inline __attribute__((target("avx512f")))

/* Eight numbers are held in two halves. */
struct halves {
    __m256i low, high;
};

AVX2 struct halves load_avx2(const uint64_t *x)
{
    const __m256i *from = (const __m256i *)(const void *)x;
    return (struct halves){_mm256_load_si256(from), _mm256_load_si256(from + 1)};
}

AVX2 void add_row_avx2(uint64_t *sums, uint32_t row, struct halves x)
{
    __m256i *to = (__m256i *)(void *)(sums + row * LANES);
    to[0] = _mm256_add_epi64(to[0], x.low);
    to[1] = _mm256_add_epi64(to[1], x.high);
}

AVX2 void add_product_avx2(uint64_t *sums, uint32_t row, struct halves x, struct halves y)
{
    add_row_avx2(sums, row,
                 (struct halves){_mm256_mul_epu32(x.low, y.low), _mm256_mul_epu32(x.high, y.high)});
}

/* The first goes to the end. */
AVX2 struct halves turn_avx2(struct halves x)
{
    __m256i low = _mm256_permute4x64_epi64(x.low, 0x39);
    __m256i high = _mm256_permute4x64_epi64(x.high, 0x39);
    return (struct halves){_mm256_blend_epi32(low, high, 0xc0),
                           _mm256_blend_epi32(high, low, 0xc0)};
}

AVX2 void add_avx2(const struct lanes_group *groups, uint32_t count, uint64_t latency)
{
    const __m256i none = _mm256_setzero_si256(), l = _mm256_set1_epi64x((int64_t)latency);
    for (uint32_t g = 0; g < count; g++) {
        uint64_t *sums = groups[g].sums;
        __m256i *x = (__m256i *)(void *)groups[g].x;
        __m256i above = _mm256_set1_epi64x((int64_t)groups[g].above);
        struct halves v = load_avx2(groups[g].x), turned = v;
        x[0] = x[1] = none;
        add_row_avx2(sums, LANES_SUM, v);
        add_product_avx2(sums, LANES_SQUARE, v, v);
        add_product_avx2(sums, LANES_LATENCY, v, (struct halves){l, l});
        add_product_avx2(sums, LANES_ABOVE, v, (struct halves){above, above});
        for (uint32_t row = LANES_TURN; row < LANES_ROWS; row++) {
            turned = turn_avx2(turned);
            add_product_avx2(sums, row, v, turned);
        }
    }
}

AVX2 void add_pairs_avx2(uint64_t *sums, const uint64_t *x, const uint64_t *y)
{
    struct halves v = load_avx2(x), turned = load_avx2(y);
    for (uint32_t row = 0; row < LANES; row++, turned = turn_avx2(turned))
        add_product_avx2(sums, row, v, turned);
}

AVX512 void add_product_avx512(uint64_t *sums, uint32_t row, __m512i x, __m512i y)
{
    __m512i *to = (__m512i *)(void *)(sums + row * LANES);
    *to = _mm512_add_epi64(*to, _mm512_mul_epu32(x, y));
}

AVX512 void add_avx512(const struct lanes_group *groups, uint32_t count, uint64_t latency)
{
    const __m512i one = _mm512_set1_epi64(1), l = _mm512_set1_epi64((int64_t)latency);
    for (uint32_t g = 0; g < count; g++) {
        uint64_t *sums = groups[g].sums;
        __m512i v = _mm512_load_si512(groups[g].x), turned = v;
        _mm512_store_si512(groups[g].x, _mm512_setzero_si512());
        add_product_avx512(sums, LANES_SUM, v, one);
        add_product_avx512(sums, LANES_SQUARE, v, v);
        add_product_avx512(sums, LANES_LATENCY, v, l);
        add_product_avx512(sums, LANES_ABOVE, v, _mm512_set1_epi64((int64_t)groups[g].above));
        for (uint32_t row = LANES_TURN; row < LANES_ROWS; row++) {
            turned = _mm512_alignr_epi64(turned, turned, 1);
            add_product_avx512(sums, row, v, turned);
        }
    }
}

AVX512 void add_pairs_avx512(uint64_t *sums, const uint64_t *x, const uint64_t *y)
{
    __m512i v = _mm512_load_si512(x), turned = _mm512_load_si512(y);
    for (uint32_t row = 0; row < LANES; row++) {
        add_product_avx512(sums, row, v, turned);
        turned = _mm512_alignr_epi64(turned, turned, 1);
    }
}
#endif

const struct lanes *lanes_at(uint32_t place)
{
    static const struct lanes plain = {"plain", add_plain, add_pairs_plain};
    const struct lanes *ways[4] = {NULL};
    uint32_t count = 0;
#if defined(__x86_64__)
    static const struct lanes avx512 = {"AVX-512", add_avx512, add_pairs_avx512};
    static const struct lanes avx2 = {"AVX2", add_avx2, add_pairs_avx2};
    if (__builtin_cpu_supports("avx512f"))
        ways[count++] = &avx512;
    if (__builtin_cpu_supports("avx2"))
        ways[count++] = &avx2;
#endif
    ways[count++] = &plain;
    return place < count ? ways[place] : NULL;
}
