#include "runtime/delay_window.h"

#include <stdbool.h>

#include "trace/trace_format.h"

#define VPROF_TYPES_ONLY
#include "vprof_api.h"

enum { PROBES = 32 }; /* places of the table where a key may be */

static void add(uint64_t *count)
{
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
}

static uint64_t key_of(uint32_t process, unsigned long id)
{
    uint64_t key = trace_mix((uint64_t)id ^ (uint64_t)process << 32);
    return key + (key == 0);
}

static uint64_t *place(struct trace_delays *delays, uint64_t key, unsigned probe)
{
    return &delays->open_keys[(key + probe) % TRACE_DELAYS_OPEN];
}

/* Replaces `from` by `to` where the key may be. False: there is no `from`. */
static bool replace(struct trace_delays *delays, uint64_t key, uint64_t from, uint64_t to)
{
    bool done = false;
    for (unsigned i = 0; i < PROBES && !done; i++) {
        uint64_t expected = from;
        done = __atomic_load_n(place(delays, key, i), __ATOMIC_RELAXED) == from &&
               __atomic_compare_exchange_n(place(delays, key, i), &expected, to, false,
                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    return done;
}

/* An id that begins again while it is open takes the place of its earlier interval. */
static void begin(struct trace_delays *delays, uint64_t key)
{
    add(&delays->begun);
    bool again = __atomic_load_n(&delays->open, __ATOMIC_RELAXED) && replace(delays, key, key, 0);
    if (again)
        __atomic_fetch_sub(&delays->open, 1, __ATOMIC_RELAXED);
    if (!__atomic_load_n(&delays->counting, __ATOMIC_RELAXED))
        return;
    add(&delays->counted);
    if (replace(delays, key, 0, key))
        add(&delays->open);
    else
        add(&delays->untold);
}

static void end(struct trace_delays *delays, uint64_t key)
{
    add(&delays->ended);
    if (__atomic_load_n(&delays->open, __ATOMIC_RELAXED) && replace(delays, key, key, 0))
        __atomic_fetch_sub(&delays->open, 1, __ATOMIC_RELAXED);
}

void delay_window_mark(struct trace_delays *delays, uint32_t process, unsigned what,
                       unsigned long id)
{
    if (what == VPROF_MARK_BEGIN && id != SI_NONE)
        begin(delays, key_of(process, id));
    else if (what == VPROF_MARK_END)
        end(delays, key_of(process, id));
    else if (what == VPROF_MARK_PROGRESS)
        add(&delays->visits);
}
