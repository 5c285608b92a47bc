#include "symbol/kernel_name.h"

#include "base/str.h"
#include "symbol/waker_name.h"

static uint32_t named(struct callee_table *callees, enum wait_kind wait, const char *name)
{
    uint32_t callee = callee_named(callees, name);
    callees->items[callee].wait = wait;
    return callee;
}

static const char *device_name(const struct callee_table *callees, uint32_t device)
{
    const char *name = device ? kernel_device_name(callees->run->kernel_side, device) : NULL;
    return name && name[0] ? name : "?";
}

static uint32_t callee_of_disk(struct callee_table *callees, const struct off_cpu *off)
{
    struct str name = {0};
    const char *device = device_name(callees, off->device);
    if (off->fault)
        str_printf(&name, "page fault (%s)", device);
    else
        str_printf(&name, "disk %s (%s)", device, off->cause == OFF_READ ? "read" : "write");
    uint32_t callee = named(callees, off->fault ? WAIT_FAULT : WAIT_DISK, name.data);
    str_release(&name);
    return callee;
}

/* Who let it go on is no thread of the run. */
static uint32_t callee_of_outsider(struct callee_table *callees, const struct off_cpu *off)
{
    const struct kernel_task *task =
        off->waker == TASK_NONE ? NULL : &callees->run->kernel_side->tasks[off->waker];
    struct str name = {0};
    if (!task || !task->name[0])
        return callee_of_wait(callees, WAIT_ASLEEP);
    str_printf(&name, "%s (process)", task->name);
    uint32_t callee = named(callees, WAIT_OUTSIDE, name.data);
    str_release(&name);
    return callee;
}

static uint32_t find_off(struct callee_table *callees, const struct off_cpu *off)
{
    switch ((enum off_cause)off->cause) {
    case OFF_RUNNABLE:
        return callee_of_wait(callees, WAIT_PREEMPTED);
    case OFF_TIMER:
        return callee_of_wait(callees, WAIT_TIMER);
    case OFF_NETWORK:
        return callee_of_wait(callees, WAIT_NETWORK);
    case OFF_INTERRUPT:
        return callee_of_wait(callees, WAIT_INTERRUPT);
    case OFF_READ:
    case OFF_WRITE:
        return callee_of_disk(callees, off);
    case OFF_THREAD:
    case OFF_LOCK:
        return off->fault ? callee_of_wait(callees, WAIT_FAULT) : callee_of_outsider(callees, off);
    case OFF_UNKNOWN:
    case OFF_CAUSES:
        break;
    }
    return callee_of_wait(callees, off->fault ? WAIT_FAULT : WAIT_ASLEEP);
}

static uint32_t find_task(struct callee_table *callees, uint32_t task)
{
    const struct kernel_task *who = &callees->run->kernel_side->tasks[task];
    struct str name = {0};
    if (who->thread != THREAD_NONE)
        return callee_of_unknown(callees, who->thread);
    if (who->name[0])
        str_printf(&name, "%s (process)", who->name);
    else
        str_printf(&name, "process %u", who->pid);
    uint32_t callee = callee_named(callees, name.data);
    str_release(&name);
    return callee;
}

/* A name is written once: there are millions of waits, for few causes. */
static uint64_t *known_of(struct callee_table *callees, unsigned cause, bool fault, uint32_t number)
{
    return hash_map_put(&callees->of_kernel,
                        (uint64_t)cause << 33 | (uint64_t)fault << 32 | number);
}

uint32_t callee_of_off(struct callee_table *callees, const struct off_cpu *off)
{
    bool disk = off->cause == OFF_READ || off->cause == OFF_WRITE;
    bool other = off->cause == OFF_THREAD || off->cause == OFF_LOCK;
    uint32_t number = disk ? off->device : other ? off->waker : 0;
    uint64_t *known = known_of(callees, off->cause, off->fault, number);
    if (!*known)
        *known = 1 + find_off(callees, off);
    return (uint32_t)*known - 1;
}

uint32_t callee_of_task(struct callee_table *callees, uint32_t task)
{
    uint64_t *known = known_of(callees, OFF_CAUSES, false, task);
    if (!*known)
        *known = 1 + find_task(callees, task);
    return (uint32_t)*known - 1;
}
