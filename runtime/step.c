#include "runtime/step.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <ucontext.h>

#include "runtime/claim.h"
#include "runtime/trap.h"

/* An event's length can't be changed for the threads that have it already. */
static const uint32_t lengths_ns[] = {100000, 250000, 1000000};
enum { LENGTHS = sizeof lengths_ns / sizeof lengths_ns[0], NONE = LENGTHS };

static struct {
    void (*take)(const struct step *step);
    int fds[LENGTHS];
    uint32_t on; /* index, or NONE */
    uint32_t busy;
    bool open;
    bool stale; /* the descriptors are those of the parent's events */
} steps = {.on = NONE};

static struct step step_of(const void *context)
{
    const ucontext_t *c = context;
    uint32_t on = __atomic_load_n(&steps.on, __ATOMIC_RELAXED);
    struct step step = {.length_ns = on < LENGTHS ? lengths_ns[on] : 0};
#if defined(__x86_64__)
    step.at = (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
    step.frame = (uintptr_t)c->uc_mcontext.gregs[REG_RBP];
    step.stack = (uintptr_t)c->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    step.at = (uintptr_t)c->uc_mcontext.pc;
    step.frame = (uintptr_t)c->uc_mcontext.regs[29];
    step.stack = (uintptr_t)c->uc_mcontext.sp;
    step.link = (uintptr_t)c->uc_mcontext.regs[30];
#else
    (void)c;
#endif
    return step;
}

static void come(const void *context)
{
    struct step step = step_of(context);
    steps.take(&step);
}

/* ---- the events ---- */

static int open_event(uint32_t length_ns)
{
    struct perf_event_attr event = {
        .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK, .sample_period = length_ns};
    return trap_event_open(TRAP_STEP, &event);
}

static void close_events(void)
{
    for (int i = 0; i < LENGTHS; i++)
        trap_event_close(steps.fds[i]);
}

static bool open_events(void)
{
    bool all = true;
    for (int i = 0; i < LENGTHS; i++) {
        steps.fds[i] = open_event(lengths_ns[i]);
        all = all && steps.fds[i] >= 0;
    }
    steps.on = NONE;
    return all;
}

static void set(uint32_t index, bool on)
{
    if (index != NONE)
        trap_event_enable(steps.fds[index], on);
}

static uint32_t index_of(uint32_t ns)
{
    uint32_t index = 0;
    while (index + 1 < LENGTHS && lengths_ns[index + 1] <= ns)
        index++;
    return ns ? index : NONE;
}

static void renew(void)
{
    if (!steps.stale)
        return;
    steps.stale = false;
    close_events();
    steps.open = open_events();
}

void step_every(uint32_t ns)
{
    uint32_t index = steps.open && trap_is_ours() ? index_of(ns) : NONE;
    if (!steps.open || (index == steps.on && !steps.stale) ||
        __atomic_exchange_n(&steps.busy, 1, __ATOMIC_ACQUIRE))
        return;
    renew();
    if (index != steps.on) {
        set(steps.on, false);
        set(index, true);
        steps.on = index;
    }
    claim_release(&steps.busy);
}

bool step_start(void (*take)(const struct step *step))
{
    if (steps.open)
        return true;
    steps.take = take;
    steps.open = trap_start(TRAP_STEP, come) && open_events();
    return steps.open;
}

void step_forked(void)
{
    steps.stale = true;
    steps.busy = 0;
}
