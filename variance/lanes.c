#include "variance/lanes.h"

static void add_products_plain(uint64_t *sums, const size_t *at, const uint64_t *x, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint64_t *row = sums + at[i], by = x[i];
        for (uint32_t j = 0; j < i && by; j++)
            row[j] += by * x[j];
    }
}

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2"))) static void add_products_avx2(uint64_t *sums, const size_t *at,
                                                              const uint64_t *x, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        __m256i by = _mm256_set1_epi64x((int64_t)x[i]);
        for (uint32_t j = 0; j < i; j += LANES) {
            __m256i *row = (__m256i *)(void *)(sums + at[i] + j);
            __m256i some = _mm256_loadu_si256((const __m256i *)(const void *)(x + j));
            some = _mm256_mul_epu32(some, by);
            _mm256_storeu_si256(row, _mm256_add_epi64(_mm256_loadu_si256(row), some));
        }
    }
}
#endif

const struct lanes *lanes_at(uint32_t place)
{
    static const struct lanes plain = {"plain", add_products_plain};
    const struct lanes *ways[3] = {NULL};
    uint32_t count = 0;
#if defined(__x86_64__)
    static const struct lanes avx2 = {"AVX2", add_products_avx2};
    if (__builtin_cpu_supports("avx2"))
        ways[count++] = &avx2;
#endif
    ways[count++] = &plain;
    return place < count ? ways[place] : NULL;
}
