#include "runtime/process.h"

#include <errno.h>
#include <pthread.h>

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

/* From the fork until the child has its own log no handler may run: it would write to the
 * parent's. */
void process_fork_begin(void)
{
    int error = errno;
    alone = system_is_single_threaded();
    signals_before_fork = system_signals_block();
    log_pause();
    errno = error;
}

void process_fork_parent(void)
{
    int error = errno;
    log_resume_parent();
    system_signals_restore(signals_before_fork);
    errno = error;
}

void process_fork_child(void)
{
    int error = errno;
    attach_forked(alone);
    wait_forked();
    if (state == PROCESS_RECORDING) {
        trace_file_forked();
        objects_forked();
        sites_forked();
    }
    log_resume_child();
    system_signals_restore(signals_before_fork);
    errno = error;
}

/* This handler runs last before a fork, and the other two first after it. */
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
        if (!thread_start_up())
            state = PROCESS_FAILED;
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
