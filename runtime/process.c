/* process.c - the runtime in this process, put together: what begins with it, and ends with it.
 *
 *   loaded --VPROF_TRACE_DIR set--> looking --a hook table found--> recording --exit--> ended
 *     fork: the child of a recording process records, into a file of its own (fork.h)
 *     exec: the new program's constructor begins anew
 */
#include <errno.h>
#include <pthread.h>

#include "runtime/attach.h"
#include "runtime/fork.h"
#include "runtime/hooks.h"
#include "runtime/jump_target.h"
#include "runtime/log.h"
#include "runtime/objects.h"
#include "runtime/recording.h"
#include "runtime/site_hit.h"
#include "runtime/sites.h"
#include "runtime/stacks.h"
#include "runtime/thread.h"
#include "runtime/trace_file.h"

/* Handlers of others that are registered later are all called before this one, and after the other
 * two: what they record is kept (fork.h). */
static void before_fork(void)
{
    int error = errno;
    attach_scan();
    sites_check();
    fork_begin();
    errno = error;
}

static void start(void)
{
    stacks_start_up();
    jump_target_start_up();
    log_start_up(thread_notice, fork_is_own_log);
    attach_start_up((struct attach_hooks){&hooks_table, hooks_give, site_hit_hooks});
    if (!thread_start_up())
        recording_fail();
    fork_start_up();
    pthread_atfork(before_fork, fork_parent, fork_child);
    attach_scan();
    sites_program_started();
}

/* A priority of 101 comes before the constructors of the program itself. */
static __attribute__((constructor(101))) void process_start(void)
{
    int error = errno;
    if (trace_file_configure())
        start();
    errno = error;
}

/* Modules loaded late have no other chance to become known by name. */
static __attribute__((destructor(101))) void process_end(void)
{
    if (!recording_is_on())
        return;
    int error = errno;
    if (attach_has_news() || objects_are_due())
        objects_record();
    trace_file_end();
    errno = error;
}
