#include "sampler/own_events.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"

static struct perf_event_attr attr_of(uint64_t config)
{
    struct perf_event_attr attr = perf_rings_attr(PERF_TYPE_SOFTWARE, config);
    attr.exclude_kernel = attr.exclude_hv = 1;
    return attr;
}

/* A ring needs an event, which is one of this thread that never happens. */
static bool add_processor(struct perf_rings *rings, uint32_t processor)
{
    struct perf_event_attr attr = attr_of(PERF_COUNT_SW_DUMMY);
    return perf_rings_add_ring(rings, processor, &attr, 0) || errno == ENODEV;
}

static bool may_see_switches(struct perf_rings *rings)
{
    struct perf_event_attr attr = attr_of(PERF_COUNT_SW_DUMMY);
    attr.context_switch = 1;
    return perf_rings_add(rings, 0, &attr, 0) >= 0;
}

bool own_events_open(struct perf_rings *rings)
{
    long processors = sysconf(_SC_NPROCESSORS_CONF);
    bool open = true;
    for (uint32_t i = 0; i < (uint32_t)processors && open; i++)
        open = add_processor(rings, i);
    if (open && rings->count && may_see_switches(rings))
        return true;
    int was = errno;
    perf_rings_close(rings);
    errno = was;
    return false;
}

/* 0, or errno: a thread that has just ended is none that was refused. */
static int attach(void *context, pid_t tid)
{
    struct perf_rings *rings = context;
    int refused = 0;
    for (uint32_t place = 0; place < rings->count; place++) {
        struct perf_event_attr switches = attr_of(PERF_COUNT_SW_DUMMY);
        struct perf_event_attr faults = attr_of(PERF_COUNT_SW_PAGE_FAULTS_MAJ);
        switches.context_switch = switches.task = switches.comm = 1;
        switches.inherit = faults.inherit = 1;
        switches.disabled = faults.disabled = 0;
        if (perf_rings_add(rings, place, &switches, tid) < 0 && errno != ESRCH)
            refused = errno;
        perf_rings_add(rings, place, &faults, tid);
    }
    return refused;
}

static bool has(const pid_t *tids, size_t count, pid_t tid)
{
    for (size_t i = 0; i < count; i++)
        if (tids[i] == tid)
            return true;
    return false;
}

/* A thread that was made meanwhile by one that had no event yet is found when they are looked at
 * once more. */
size_t own_events_each(pid_t pid, int (*each)(void *context, pid_t tid), void *context)
{
    char path[64];
    pid_t *tids = NULL;
    size_t count = 0, capacity = 0, before, refused = 0;
    int reason = 0;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    do {
        before = count;
        DIR *folder = opendir(path);
        for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
            pid_t tid = atoi(entry->d_name);
            if (tid <= 0 || has(tids, count, tid))
                continue;
            VEC_PUSH(tids, count, capacity) = tid;
            int failed = each(context, tid);
            refused += failed != 0;
            reason = failed ? failed : reason;
        }
        if (folder)
            closedir(folder);
    } while (count > before);
    memory_free(tids);
    errno = reason;
    return refused;
}

size_t own_events_watch(struct perf_rings *rings, pid_t pid)
{
    return own_events_each(pid, attach, rings);
}
