/* forks_handled_library.c: its constructor comes before the runtime's, so that of its handlers the
 * first runs behind the runtime's own, and the other two before it. */
#include "target.h"

#include "forks_handled.h"

static void work(long id)
{
    VPROF_FUNCTION(2)
    VPROF_ENQUEUE(0, id);
}

void handle(long id)
{
    for (int i = 0; i < HANDLER_CALLS; i++)
        work(id);
}

static void prepare(void)
{
    handle(PREPARE);
}

static void in_parent(void)
{
    handle(PARENT);
}

static void in_child(void)
{
    handle(CHILD);
}

static __attribute__((constructor)) void start(void)
{
    CHECK(pthread_atfork(prepare, in_parent, in_child) == 0);
}
