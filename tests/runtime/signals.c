/* signals.c: a handler that records interrupts a thread that records, also in the middle of a
 * record. Prints how many records each made. */
#include "target.h"

#include <signal.h>
#include <sys/time.h>

#define CALLS 1000000

static volatile unsigned long handled;
static volatile unsigned long made;

static void handler(int n)
{
    (void)n;
    for (int i = 0; i < 20; i++) {
        VPROF_FUNCTION(2)
        VPROF_ENQUEUE(1, 2);
        handled++;
    }
}

int main(void)
{
    struct itimerval every = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
    struct sigaction a = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &a, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    for (; made < CALLS; made++) {
        VPROF_FUNCTION(1)
    }
    setitimer(ITIMER_REAL, &never, NULL);
    printf("%lu %lu\n", made, handled);
    return 0;
}
