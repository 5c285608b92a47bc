#include "runtime/process.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/attach.h"
#include "runtime/clock.h"
#include "runtime/jump_target.h"
#include "runtime/log.h"
#include "runtime/objects.h"
#include "runtime/probe_cost.h"
#include "runtime/sites.h"
#include "runtime/stacks.h"
#include "runtime/system.h"
#include "runtime/thread.h"
#include "runtime/trace_file.h"
#include "runtime/wait.h"
#include "runtime/waiters.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

static enum { PROCESS_LOOKING, PROCESS_RECORDING, PROCESS_FAILED } state;
static __thread struct signal_set signals_before_fork __attribute__((tls_model("initial-exec")));

bool process_record(void)
{
    if (state == PROCESS_LOOKING) {
        clock_start();
        trace_file_probe_cost(probe_cost_measure());
        state = trace_file_create() ? PROCESS_RECORDING : PROCESS_FAILED;
        if (state == PROCESS_RECORDING) {
            waiters_start();
            objects_record();
        }
    }
    return state == PROCESS_RECORDING;
}

bool process_is_recording(void)
{
    return state == PROCESS_RECORDING;
}

static bool alone; /* at the fork: no other thread was ever made */

/* 1 in memory that a fork leaves zero in the child; NULL where the kernel has none (before 4.14).
 */
static uint32_t *fork_mark;
static bool has_forked; /* by a record, before our handler came */

static void fork_mark_make(void)
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

/* Until the child has its own log no signal handler runs. */
void process_fork_begin(void)
{
    int error = errno;
    alone = system_is_single_threaded();
    signals_before_fork = system_signals_block();
    log_fork_begin();
    errno = error;
}

void process_fork_parent(void)
{
    int error = errno;
    log_fork_parent();
    system_signals_restore(signals_before_fork);
    errno = error;
}

static void take_own_log(void)
{
    log_fork_child_begin();
    attach_forked(alone);
    wait_forked();
    if (state == PROCESS_RECORDING) {
        trace_file_forked();
        objects_forked();
        sites_forked();
    }
    log_fork_child_end();
    if (fork_mark)
        *fork_mark = 1;
}

bool process_has_log(void)
{
    if (fork_mark && !*fork_mark) {
        take_own_log();
        has_forked = true;
    }
    return fork_mark != NULL;
}

void process_fork_child(void)
{
    int error = errno;
    if (!has_forked)
        take_own_log();
    has_forked = false;
    system_signals_restore(signals_before_fork);
    errno = error;
}

/* This handler runs after, and the other two before those of who registered later. */
static void before_fork(void)
{
    int error = errno;
    attach_scan();
    sites_check();
    process_fork_begin();
    errno = error;
}

/* Before the constructors of the program itself. */
static __attribute__((constructor(101))) void process_start(void)
{
    int error = errno;
    if (trace_file_configure()) {
        stacks_start_up();
        jump_target_start_up();
        log_start_up(thread_notice, process_has_log);
        if (!thread_start_up())
            state = PROCESS_FAILED;
        fork_mark_make();
        pthread_atfork(before_fork, process_fork_parent, process_fork_child);
        attach_scan();
        sites_program_runs();
    }
    errno = error;
}

/* Modules loaded late have no other chance to become known by name. */
static __attribute__((destructor(101))) void process_end(void)
{
    if (state != PROCESS_RECORDING)
        return;
    int error = errno;
    if (attach_has_news() || objects_are_due())
        objects_record();
    trace_file_end();
    errno = error;
}
