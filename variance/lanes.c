#include "variance/lanes.h"

#include <stdbool.h>

static void add_plain(uint64_t *sums, const size_t *at, const uint64_t *x, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint64_t *row = sums + at[i], by = x[i];
        for (uint32_t j = 0; j < i && by; j++)
            row[j] += by * x[j];
    }
}

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f")))

/* The rows from `first` on. */
AVX2 static void add_rows(uint64_t *sums, const size_t *at, const uint64_t *x, uint32_t first,
                          uint32_t count)
{
    for (uint32_t i = first; i < count; i++) {
        __m256i by = _mm256_set1_epi64x((int64_t)x[i]);
        for (uint32_t j = 0; j < i; j += LANES) {
            __m256i *row = (__m256i *)(void *)(sums + at[i] + j);
            __m256i some = _mm256_loadu_si256((const __m256i *)(const void *)(x + j));
            some = _mm256_mul_epu32(some, by);
            _mm256_storeu_si256(row, _mm256_add_epi64(_mm256_loadu_si256(row), some));
        }
    }
}

static void add_avx2(uint64_t *sums, const size_t *at, const uint64_t *x, uint32_t count)
{
    add_rows(sums, at, x, 1, count);
}

/* A row of eight products or less is one step. */
AVX512 static void add_avx512(uint64_t *sums, const size_t *at, const uint64_t *x, uint32_t count)
{
    enum { STEP = 8 };
    uint32_t end = count <= STEP ? count : STEP + 1;
    __m512i others = _mm512_maskz_loadu_epi64((__mmask8)((1u << (end - 1)) - 1), x);
    for (uint32_t i = 1; i < end; i++) {
        __mmask8 some = (__mmask8)((1u << i) - 1);
        __m512i row = _mm512_maskz_loadu_epi64(some, sums + at[i]);
        __m512i products = _mm512_mul_epu32(others, _mm512_set1_epi64((int64_t)x[i]));
        _mm512_mask_storeu_epi64(sums + at[i], some, _mm512_add_epi64(row, products));
    }
    if (end < count)
        add_rows(sums, at, x, end, count);
}
#endif

const struct lanes *lanes_at(uint32_t place)
{
    static const struct lanes plain = {"plain", add_plain};
    const struct lanes *ways[4] = {NULL};
    uint32_t count = 0;
#if defined(__x86_64__)
    static const struct lanes avx512 = {"AVX-512", add_avx512}, avx2 = {"AVX2", add_avx2};
    bool has_avx2 = __builtin_cpu_supports("avx2");
    if (has_avx2 && __builtin_cpu_supports("avx512f"))
        ways[count++] = &avx512;
    if (has_avx2)
        ways[count++] = &avx2;
#endif
    ways[count++] = &plain;
    return place < count ? ways[place] : NULL;
}
