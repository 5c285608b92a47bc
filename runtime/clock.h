/* clock.h - the one clock of a run, read on every probe.
 *
 *     uint64_t start = clock_now();              ticks: only differences are meaningful
 *     ...
 *     bool waited = clock_now() - start > clock_threshold_ticks;
 *
 * It is the time-stamp counter where the kernel's own time is made of it, CNTVCT on aarch64, else
 * CLOCK_MONOTONIC in ns. All three are the same for all processes of a machine, so traces of one
 * run compare. Signal-safe; no call fails; errno is kept.
 */
#ifndef RUNTIME_CLOCK_H
#define RUNTIME_CLOCK_H

#include <stdbool.h>

#include "trace/trace_format.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

extern enum trace_clock clock_kind;

/* Acquires that the user declared, and spins, that took no longer than this did not wait: it is
 * about 1 us. */
extern uint64_t clock_threshold_ticks;

/* The clock is chosen here. Until then it is CLOCK_MONOTONIC. */
void clock_start(void);

uint64_t clock_monotonic_ns(void);
uint64_t clock_realtime_ns(void);
uint64_t clock_processor_ns(void); /* time of a processor that the thread has had */

/* A calibration is one moment on both clocks. */
struct trace_calibration clock_calibrate(void);

/* Two moments that lie well apart correct the threshold, and what a tick is. */
void clock_learn(struct trace_calibration from, struct trace_calibration to);

/* A tick is so many ns, times 2^32. */
extern uint64_t clock_tick_ns_32;

/* A stretch of time in ns; of less than an hour, or as wrong as the last clock_learn() was. */
static inline uint64_t clock_ns(uint64_t ticks)
{
    uint64_t scale = __atomic_load_n(&clock_tick_ns_32, __ATOMIC_RELAXED);
    return (ticks >> 32) * scale + ((ticks & UINT32_MAX) * scale >> 32);
}

/* The result is false where the clock is none that a single instruction reads. The read is not
 * fenced: a fence costs more than the probe, and both ends of a call err alike. */
static inline bool clock_read(uint64_t *ticks)
{
#if defined(__x86_64__)
    if (__builtin_expect(clock_kind == TRACE_CLOCK_TSC, 1)) {
        *ticks = __rdtsc();
        return true;
    }
#elif defined(__aarch64__)
    if (__builtin_expect(clock_kind == TRACE_CLOCK_CNTVCT, 1)) {
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(*ticks));
        return true;
    }
#endif
    *ticks = 0;
    return false;
}

static inline uint64_t clock_now(void)
{
    uint64_t ticks;
    return clock_read(&ticks) ? ticks : clock_monotonic_ns();
}

#endif
