#include "trace/call_scan.h"

#include <stddef.h>

static uint32_t in_order_plain(const struct trace_function *records, uint32_t most, uint64_t inner,
                               uint64_t *first, uint64_t *last)
{
    uint64_t earliest = *first, latest = *last;
    uint32_t n = 0;
    for (; n < most && TRACE_HEAD_KIND(records[n].head) == TRACE_FUNCTION; n++) {
        uint64_t start = TRACE_HEAD_TICKS(records[n].head);
        uint64_t end = start + (records[n].duration_probe >> TRACE_PROBE_BITS);
        if (start < inner || end < latest)
            break;
        earliest = start < earliest ? start : earliest;
        latest = end;
    }
    *first = earliest;
    *last = latest;
    return n;
}

#if defined(__x86_64__)
#include <immintrin.h>

/* A processor that fetches ahead by itself stops where a page of memory does. */
enum { AHEAD_BYTES = 4096 };

#define AVX2 static inline __attribute__((target("avx2")))

/* Four records are held: their first numbers, and their second ones. */
struct four {
    __m256i heads, others;
};

AVX2 struct four load_four(const struct trace_function *records)
{
    enum { ORDERED = 0xd8 };
    const __m256i *from = (const __m256i *)(const void *)records;
    __m256i a = _mm256_loadu_si256(from), b = _mm256_loadu_si256(from + 1);
    return (struct four){_mm256_permute4x64_epi64(_mm256_unpacklo_epi64(a, b), ORDERED),
                         _mm256_permute4x64_epi64(_mm256_unpackhi_epi64(a, b), ORDERED)};
}

/* All bits are set where a head is not that of a call. */
AVX2 __m256i other_kinds(__m256i heads)
{
    __m256i kinds = _mm256_and_si256(heads, _mm256_set1_epi64x(0xff));
    __m256i same = _mm256_cmpeq_epi64(kinds, _mm256_set1_epi64x(TRACE_FUNCTION));
    return _mm256_xor_si256(same, _mm256_set1_epi64x(-1));
}

/* Ticks have 56 bits, and are compared as signed numbers. */
AVX2 uint32_t in_order_avx2(const struct trace_function *records, uint32_t most, uint64_t inner,
                            uint64_t *first, uint64_t *last)
{
    const __m256i least = _mm256_set1_epi64x((int64_t)inner);
    __m256i earliest = _mm256_set1_epi64x(INT64_MAX), latest = _mm256_set1_epi64x((int64_t)*last);
    uint64_t firsts[4], lasts[4];
    uint32_t n = 0;
    for (; most - n >= 4; n += 4) {
        struct four four = load_four(records + n);
        __builtin_prefetch((const char *)(records + n) + AHEAD_BYTES);
        __m256i start = _mm256_srli_epi64(four.heads, 8);
        __m256i end = _mm256_add_epi64(start, _mm256_srli_epi64(four.others, TRACE_PROBE_BITS));
        __m256i before = _mm256_blend_epi32(_mm256_permute4x64_epi64(end, 0x90), latest, 0x03);
        __m256i wrong = _mm256_or_si256(other_kinds(four.heads), _mm256_cmpgt_epi64(before, end));
        wrong = _mm256_or_si256(wrong, _mm256_cmpgt_epi64(least, start));
        if (!_mm256_testz_si256(wrong, wrong))
            break;
        earliest = _mm256_blendv_epi8(earliest, start, _mm256_cmpgt_epi64(earliest, start));
        latest = _mm256_permute4x64_epi64(end, 0xff);
    }
    _mm256_storeu_si256((__m256i *)(void *)firsts, earliest);
    _mm256_storeu_si256((__m256i *)(void *)lasts, latest);
    for (int i = 0; i < 4 && n; i++)
        *first = firsts[i] < *first ? firsts[i] : *first;
    *last = lasts[0];
    return n + in_order_plain(records + n, most - n, inner, first, last);
}
#endif

const struct call_scan *call_scan_at(uint32_t place)
{
    static const struct call_scan plain = {"plain", in_order_plain};
    const struct call_scan *ways[3] = {NULL};
    uint32_t count = 0;
#if defined(__x86_64__)
    static const struct call_scan avx2 = {"AVX2", in_order_avx2};
    if (__builtin_cpu_supports("avx2"))
        ways[count++] = &avx2;
#endif
    ways[count++] = &plain;
    return place < count ? ways[place] : NULL;
}
