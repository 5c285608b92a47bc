/* Two coroutines on one thread: the second half of each request is a nap of 2 or 6 ms, after a yield in which the other
   one runs. What a request waits for is the other one's nap. */
#include <ucontext.h>
#include "own.h"
#include <vprof_api.h>
static ucontext_t scheduler, coroutine[2];
static char stacks[2][65536];
static long request[2];
static int over[2], current;
void nap(long us) { NAP(us); }
void yield(void) { int me = current; SI_ENTER(SI_NONE); swapcontext(&coroutine[me], &scheduler); SI_ENTER(request[me]); }
void second(long i, struct own_row *row) { long a = NOW(); nap(i % 4 ? 2000 : 6000); row->part[0] += NOW() - a; }
void handle(long i)
{
    struct own_row *row = OWN_ROW();
    row->begin = NOW();
    SI_BEGIN(i);
    yield();
    second(i, row);
    SI_END(i);
    row->end = NOW();
    row->used = 1;
}
void run(void) { int me = current; handle(request[me]); over[me] = 1; swapcontext(&coroutine[me], &scheduler); }
void begin(int c, long i)
{
    getcontext(&coroutine[c]);
    coroutine[c].uc_stack.ss_sp = stacks[c];
    coroutine[c].uc_stack.ss_size = sizeof stacks[c];
    coroutine[c].uc_link = &scheduler;
    makecontext(&coroutine[c], run, 0);
    request[c] = i;
    over[c] = 0;
}
int main(void)
{
    own_open();
    for (long next = 1; next <= 200; next += 2) {
        begin(0, next);
        begin(1, next + 1);
        for (int left = 2; left;)
            for (current = 0; current < 2; current++)
                if (!over[current]) { swapcontext(&scheduler, &coroutine[current]); left -= over[current]; }
    }
    own_close("second", NULL);
    return 0;
}
