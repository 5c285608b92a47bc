#include "runtime/fork.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/attach.h"
#include "runtime/log.h"
#include "runtime/objects.h"
#include "runtime/recording.h"
#include "runtime/signals.h"
#include "runtime/sites.h"
#include "runtime/system.h"
#include "runtime/trace_file.h"
#include "runtime/wait.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

static __thread struct signal_set signals_before_fork __attribute__((tls_model("initial-exec")));
static bool alone; /* at the fork: no other thread was ever made */

/* The word is 1, in memory that a fork leaves zero in the child; NULL where the kernel has no such
 * memory (before Linux 4.14). */
static uint32_t *fork_mark;
static bool has_forked; /* by a record, before our handler came */

void fork_start_up(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *mark = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mark == MAP_FAILED)
        return;
    if (madvise(mark, page, MADV_WIPEONFORK) != 0) {
        munmap(mark, page);
        return;
    }
    fork_mark = mark;
    *fork_mark = 1;
}

/* No signal handler of the thread comes in between until the child has its own log. */
void fork_begin(void)
{
    int error = errno;
    alone = system_is_single_threaded();
    signals_before_fork = signals_block();
    log_fork_begin();
    errno = error;
}

void fork_parent(void)
{
    int error = errno;
    log_fork_parent();
    signals_restore(signals_before_fork);
    errno = error;
}

static void take_own_log(void)
{
    log_fork_child_begin();
    attach_forked(alone);
    wait_forked();
    if (recording_is_on()) {
        trace_file_forked();
        objects_forked();
        sites_forked();
    }
    recording_forked();
    log_fork_child_end();
    if (fork_mark)
        *fork_mark = 1;
}

bool fork_is_own_log(void)
{
    if (fork_mark && !*fork_mark) {
        take_own_log();
        has_forked = true;
    }
    return fork_mark != NULL;
}

void fork_child(void)
{
    int error = errno;
    if (!has_forked)
        take_own_log();
    has_forked = false;
    signals_restore(signals_before_fork);
    errno = error;
}
