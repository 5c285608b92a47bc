#include "runtime/recording.h"

#include "runtime/break_point.h"
#include "runtime/clock.h"
#include "runtime/delay.h"
#include "runtime/marks.h"
#include "runtime/objects.h"
#include "runtime/probe_cost.h"
#include "runtime/target_code.h"
#include "runtime/trace_file.h"
#include "runtime/waiters.h"

static enum { RECORDING_NOT_YET, RECORDING_ON, RECORDING_FAILED } state;
static bool watches; /* it is told when units of work begin */

/* ---- units of work that no probe tells of ---- */

static __thread uint64_t came_last __attribute__((tls_model("initial-exec"))); /* ticks; 0: never */

/* How much of the threads' time goes into their traps is known by how long they have from one to the next. */
static void come_to_place(void)
{
    uint64_t now = clock_now();
    if (came_last) {
        __atomic_fetch_add(&delay_shared->place_gaps, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&delay_shared->place_gaps_ns, clock_ns(now - came_last),
                           __ATOMIC_RELAXED);
    }
    came_last = now;
    marks_progress(delay_shared->place_name, 0);
}

static size_t find_places(uintptr_t addresses[BREAK_POINTS])
{
    return delay_is_on() ? target_code_places(delay_shared, addresses, BREAK_POINTS) : 0;
}

static void tell_watched(int error)
{
    if (error)
        __atomic_store_n(&delay_shared->place_error, (uint32_t)error, __ATOMIC_RELAXED);
    else
        __atomic_store_n(&delay_shared->place_ns, break_point_ns(), __ATOMIC_RELAXED);
    __atomic_fetch_add(error ? &delay_shared->places_refused : &delay_shared->places_watched, 1,
                       __ATOMIC_RELEASE);
}

static void watch_places(void)
{
    uintptr_t addresses[BREAK_POINTS];
    size_t count = find_places(addresses);
    if (!count)
        return;
    int error = break_point_start(addresses, count, come_to_place);
    watches = !error;
    tell_watched(error);
}

/* ---- the process ---- */

bool recording_start(const struct vprof_hooks_1 *table)
{
    if (state == RECORDING_NOT_YET) {
        clock_start();
        trace_file_probe_cost(probe_cost_measure(table));
        state = trace_file_create() ? RECORDING_ON : RECORDING_FAILED;
        if (state == RECORDING_ON) {
            waiters_start();
            delay_start(true);
            objects_record();
            watch_places();
        }
    }
    return state == RECORDING_ON;
}

void recording_beside(void)
{
    if (state != RECORDING_NOT_YET)
        return;
    clock_start();
    waiters_start();
    delay_start(false);
    uintptr_t addresses[BREAK_POINTS];
    if (find_places(addresses))
        recording_start(NULL);
}

void recording_forked(void)
{
    delay_forked();
    if (watches)
        tell_watched(break_point_forked());
}

void recording_fail(void)
{
    state = RECORDING_FAILED;
}

bool recording_is_on(void)
{
    return state == RECORDING_ON;
}
