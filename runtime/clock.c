#include "runtime/clock.h"

#include <string.h>
#include <time.h>

#include "runtime/system.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

enum trace_clock clock_kind = TRACE_CLOCK_MONOTONIC;
/* Where a tick is a ns, and a guess for time-stamp counters, until clock_learn() knows. */
enum { THRESHOLD_NS = 1000, THRESHOLD_TSC_GUESS = 2500 };

uint64_t clock_threshold_ticks = THRESHOLD_NS;
#define ONE_32 (UINT64_C(1) << 32)
uint64_t clock_tick_ns_32 = ONE_32;

static uint64_t now_ns(clockid_t id)
{
    struct timespec t = {0, 0};
    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t clock_monotonic_ns(void)
{
    return now_ns(CLOCK_MONOTONIC);
}

uint64_t clock_processor_ns(void)
{
    return now_ns(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t clock_realtime_ns(void)
{
    return now_ns(CLOCK_REALTIME);
}

#if defined(__x86_64__)
static bool kernel_names_tsc(void)
{
    char name[8] = "";
    long fd = system_open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                          O_RDONLY, 0);
    if (fd < 0)
        return false;
    long length = system_read((int)fd, name, sizeof name);
    system_close((int)fd);
    return length >= 4 && memcmp(name, "tsc\n", 4) == 0;
}

/* The clocks of hypervisors (kvm-clock, hyperv_clocksource_tsc_page, xen) have other names. Where
 * the kernel has found them to be one line over the time-stamp counters of all processors, it lets
 * the vDSO compute them from the counter; else the vDSO makes the system call, and takes no less
 * than the system call by itself. The shortest of many is compared, as either may be interrupted.
 */
enum { VDSO_TRIES = 64 };

static bool vdso_reads_tsc(void)
{
    uint64_t by_vdso = UINT64_MAX, by_kernel = UINT64_MAX;
    struct timespec t;
    for (int i = 0; i < VDSO_TRIES; i++) {
        uint64_t start = __rdtsc();
        clock_gettime(CLOCK_MONOTONIC, &t);
        uint64_t middle = __rdtsc();
        system_clock_monotonic(&t);
        uint64_t end = __rdtsc();
        by_vdso = middle - start < by_vdso ? middle - start : by_vdso;
        by_kernel = end - middle < by_kernel ? end - middle : by_kernel;
    }
    return by_vdso < by_kernel / 4 * 3; /* else it is the system call, but for noise */
}

static bool cpu_has_invariant_tsc(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
}
#endif

void clock_start(void)
{
#if defined(__x86_64__)
    if (cpu_has_invariant_tsc() && (kernel_names_tsc() || vdso_reads_tsc())) {
        clock_kind = TRACE_CLOCK_TSC;
        clock_threshold_ticks = THRESHOLD_TSC_GUESS;
        clock_tick_ns_32 = ONE_32 * THRESHOLD_NS / THRESHOLD_TSC_GUESS;
    }
#elif defined(__aarch64__)
    uint64_t hz;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
    clock_kind = TRACE_CLOCK_CNTVCT;
    clock_threshold_ticks = hz / 1000000 + 1;
    clock_tick_ns_32 = (UINT64_C(1000000000) << 32) / hz;
#endif
}

/* An interrupt seldom comes into all of three tries. */
enum { CALIBRATION_TRIES = 3 };

struct trace_calibration clock_calibrate(void)
{
    struct trace_calibration best = {0, 0};
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < CALIBRATION_TRIES; i++) {
        uint64_t before = clock_now();
        uint64_t ns = clock_monotonic_ns();
        uint64_t after = clock_now();
        if (after - before < shortest) {
            shortest = after - before;
            best.ticks = before + shortest / 2;
            best.monotonic_ns = ns;
        }
    }
    return best;
}

/* Two moments err by some ten ns: over a ms that is nothing for a threshold. */
#define APART_MIN_NS UINT64_C(1000000)

void clock_learn(struct trace_calibration from, struct trace_calibration to)
{
    uint64_t ns = to.monotonic_ns - from.monotonic_ns;
    if (clock_kind != TRACE_CLOCK_TSC || ns < APART_MIN_NS || to.monotonic_ns < from.monotonic_ns)
        return;
    double ticks_per_us = (double)(to.ticks - from.ticks) * 1000.0 / (double)ns;
    __atomic_store_n(&clock_threshold_ticks, (uint64_t)ticks_per_us, __ATOMIC_RELAXED);
    __atomic_store_n(&clock_tick_ns_32, (uint64_t)((double)ONE_32 * 1000.0 / ticks_per_us),
                     __ATOMIC_RELAXED);
}
