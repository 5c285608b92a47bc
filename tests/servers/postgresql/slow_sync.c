/* slow_sync.so, preloaded into the server: a disk whose slowness is known. In place of syncing,
 * fdatasync sleeps $SYNC_US microseconds and an exponential time of mean $SYNC_SPREAD_US, whose
 * standard deviation is its mean. */
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double number(const char *name)
{
    const char *text = getenv(name);
    return text ? atof(text) : 0;
}

/* Processes that were forked from one draw different numbers. */
static double uniform(void)
{
    static unsigned state;
    static pid_t seeded;
    if (seeded != getpid()) {
        seeded = getpid();
        state = (unsigned)seeded * 2654435761u | 1;
    }
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (state + 1.0) / 4294967297.0;
}

int fdatasync(int fd)
{
    (void)fd;
    double us = number("SYNC_US") - number("SYNC_SPREAD_US") * log(uniform());
    struct timespec pause = {(time_t)(us / 1e6), (long)(fmod(us, 1e6) * 1e3)};
    nanosleep(&pause, NULL);
    return 0;
}
