#include "trace/call_times.h"

#include <stddef.h>

#include "trace/span_list.h"

static void read_plain(const struct clock_line *line, const struct trace_function *calls,
                       uint32_t count, struct clock_stretch *times)
{
    const struct clock_line here = *line; /* no store can change it */
    for (uint32_t i = 0; i < count; i++) {
        struct span_ticks ticks = span_ticks_of(&calls[i]);
        times[i] = clock_line_stretch(&here, ticks.start, ticks.end);
    }
}

#if defined(__x86_64__)
#include <immintrin.h>

#define IFMA __attribute__((target("avx512f,avx512dq,avx512ifma")))

enum { LANES = 8, PART_BITS = 52 };

/* The lanes do what clock_line_stretch() does (clock_map.h), with fractions of 52 bits. The rate is
 * less than 2^-52 too small, so a fraction is near to 1 where that much for each tick could carry
 * it over. */
IFMA static void read_ifma(const struct clock_line *line, const struct trace_function *calls,
                           uint32_t count, struct clock_stretch *times)
{
    int ticks_bits = line->near ? __builtin_ctzll(line->near) : PART_BITS;
    if (ticks_bits >= PART_BITS) {
        read_plain(line, calls, count, times);
        return;
    }
    const __m512i none = _mm512_setzero_si512();
    const __m512i zero = _mm512_set1_epi64((int64_t)line->zero);
    const __m512i whole = _mm512_set1_epi64((int64_t)line->whole);
    const __m512i part = _mm512_set1_epi64((int64_t)(line->part >> (64 - PART_BITS)));
    const __m512i near = _mm512_set1_epi64((INT64_C(1) << PART_BITS) - (INT64_C(1) << ticks_bits));
    const __m512i ns = _mm512_set1_epi64(line->ns);
    const __m512i heads = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    const __m512i durations = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    const __m512i first = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const __m512i last = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    for (uint32_t i = 0; i < count; i += LANES) {
        uint32_t some = count - i < LANES ? count - i : LANES;
        uint32_t words = (1u << 2 * some) - 1; /* of the records, a bit each */
        __m512i a = _mm512_maskz_loadu_epi64((__mmask8)words, &calls[i]);
        __m512i b = _mm512_maskz_loadu_epi64((__mmask8)(words >> LANES), &calls[i + LANES / 2]);
        __m512i start = _mm512_srli_epi64(_mm512_permutex2var_epi64(a, heads, b), 8);
        __m512i duration =
            _mm512_srli_epi64(_mm512_permutex2var_epi64(a, durations, b), TRACE_PROBE_BITS);
        __m512i from = _mm512_add_epi64(start, zero), to = _mm512_add_epi64(from, duration);
        __m512i parts = _mm512_or_epi64(_mm512_madd52lo_epu64(none, from, part),
                                        _mm512_madd52lo_epu64(none, to, part));
        if (__builtin_expect(_mm512_cmpge_epu64_mask(parts, near), 0)) {
            read_plain(line, &calls[i], some, &times[i]);
            continue;
        }
        __m512i from_ns = ns, to_ns = ns;
        if (line->whole) { /* a tick is a ns or more */
            from_ns = _mm512_add_epi64(ns, _mm512_mullo_epi64(from, whole));
            to_ns = _mm512_add_epi64(ns, _mm512_mullo_epi64(to, whole));
        }
        from = _mm512_madd52hi_epu64(from_ns, from, part);
        to = _mm512_madd52hi_epu64(to_ns, to, part);
        _mm512_mask_storeu_epi64(&times[i], (__mmask8)words,
                                 _mm512_permutex2var_epi64(from, first, to));
        _mm512_mask_storeu_epi64(&times[i + LANES / 2], (__mmask8)(words >> LANES),
                                 _mm512_permutex2var_epi64(from, last, to));
    }
}
#endif

const struct call_times *call_times_at(uint32_t place)
{
    static const struct call_times plain = {"plain", read_plain};
    const struct call_times *ways[3] = {NULL};
    uint32_t count = 0;
#if defined(__x86_64__)
    static const struct call_times ifma = {"AVX-512 IFMA", read_ifma};
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512ifma"))
        ways[count++] = &ifma;
#endif
    ways[count++] = &plain;
    return place < count ? ways[place] : NULL;
}
