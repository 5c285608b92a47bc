#include "variance/lanes.h"

#include <stddef.h>

void lanes_multiply_wide(const uint64_t *x, const struct lanes_product *products, uint32_t count,
                         uint32_t steps)
{
    for (uint32_t i = 0; i < count; i++) {
        __int128 sum = 0;
        for (uint32_t r = 0; r < LANES * steps; r++)
            sum += (__int128)x[r] * products[i].column[r];
        *products[i].total += sum;
    }
}

static inline __attribute__((always_inline)) void move(uint64_t *to, uint64_t *from, uint32_t steps)
{
    typedef uint64_t lanes __attribute__((vector_size(LANES * sizeof(uint64_t)), may_alias));
    lanes *sums = (lanes *)(void *)to, *x = (lanes *)(void *)from;
    for (uint32_t s = 0; s < steps; s++) {
        sums[s] += x[s];
        x[s] = (lanes){0};
    }
}

static void move_plain(uint64_t *to, uint64_t *from, uint32_t steps)
{
    move(to, from, steps);
}

static void multiply_plain(const uint64_t *x, const struct lanes_product *products, uint32_t count,
                           uint32_t steps)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t sum = 0;
        for (uint32_t r = 0; r < LANES * steps; r++)
            sum += (uint64_t)(uint32_t)x[r] * (uint32_t)products[i].column[r];
        *products[i].total += sum;
    }
}

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f")))

AVX2 static void move_avx2(uint64_t *to, uint64_t *from, uint32_t steps)
{
    move(to, from, steps);
}

AVX512 static void move_avx512(uint64_t *to, uint64_t *from, uint32_t steps)
{
    move(to, from, steps);
}

AVX2 static inline uint64_t sum_avx2(__m256i x)
{
    __m128i half = _mm_add_epi64(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(half, _mm_unpackhi_epi64(half, half)));
}

AVX2 static void multiply_avx2(const uint64_t *x, const struct lanes_product *products,
                               uint32_t count, uint32_t steps)
{
    const __m256i *a = (const __m256i *)(const void *)x;
    for (uint32_t i = 0; i < count; i++) {
        const __m256i *b = (const __m256i *)(const void *)products[i].column;
        __m256i even = _mm256_setzero_si256(), odd = even;
        for (uint32_t s = 0; s < 2 * steps; s += 2) {
            even = _mm256_add_epi64(even, _mm256_mul_epu32(a[s], b[s]));
            odd = _mm256_add_epi64(odd, _mm256_mul_epu32(a[s + 1], b[s + 1]));
        }
        *products[i].total += sum_avx2(_mm256_add_epi64(even, odd));
    }
}

/* Where the steps are known, x stays in registers. */
AVX512 static inline __attribute__((always_inline)) void
multiply_steps(const uint64_t *x, const struct lanes_product *products, uint32_t count,
               uint32_t steps)
{
    __m512i a[LANES_MOST_STEPS];
    for (uint32_t s = 0; s < steps; s++)
        a[s] = _mm512_load_si512(x + LANES * s);
    for (uint32_t i = 0; i < count; i++) {
        const __m512i *b = (const __m512i *)(const void *)products[i].column;
        __m512i sum = _mm512_mul_epu32(a[0], b[0]);
        for (uint32_t s = 1; s < steps; s++)
            sum = _mm512_add_epi64(sum, _mm512_mul_epu32(a[s], b[s]));
        *products[i].total += sum_avx2(
            _mm256_add_epi64(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64(sum, 1)));
    }
}

AVX512 static void multiply_avx512(const uint64_t *x, const struct lanes_product *products,
                                   uint32_t count, uint32_t steps)
{
    if (steps == LANES_MOST_STEPS)
        multiply_steps(x, products, count, LANES_MOST_STEPS);
    else
        multiply_steps(x, products, count, steps);
}

#endif

const struct lanes *lanes_at(uint32_t place)
{
    static const struct lanes plain = {"plain", move_plain, multiply_plain};
    const struct lanes *ways[4] = {NULL};
    uint32_t count = 0;
#if defined(__x86_64__)
    static const struct lanes avx512 = {"AVX-512", move_avx512, multiply_avx512};
    static const struct lanes avx2 = {"AVX2", move_avx2, multiply_avx2};
    if (__builtin_cpu_supports("avx512f"))
        ways[count++] = &avx512;
    if (__builtin_cpu_supports("avx2"))
        ways[count++] = &avx2;
#endif
    ways[count++] = &plain;
    return place < count ? ways[place] : NULL;
}
