// One request in six signals itself; the handler, which knows more than the number, flushes for 2..6 ms.
#include <csignal>

#include "own.h"
#include <vprof_api.h>

static volatile long slow;
static volatile unsigned wanted;

static void flush_journal(unsigned r)
{
    long a = NOW();
    NAP(2000 + r % 4000);
    slow = NOW() - a;
}

static void on_flush(int, siginfo_t *, void *) { flush_journal(wanted); }

static void check(unsigned r)
{
    wanted = r / 6;
    if (r % 6 == 0)
        raise(SIGUSR1);
    NAP(70 + r % 20);
}

static void serve(long id, unsigned r)
{
    own_row *row = OWN_ROW();
    slow = 0;
    row->begin = NOW();
    SI_BEGIN(id);
    check(r);
    SI_END(id);
    row->end = NOW();
    row->part[0] = slow;
    row->used = 1;
}

int main()
{
    struct sigaction action = {};
    action.sa_sigaction = on_flush;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR1, &action, nullptr);
    own_open();
    unsigned long seed = 13;
    for (int i = 0; i < 700; i++)
        serve(i + 1, RNG(seed));
    own_close("flush_journal", nullptr);
    return 0;
}
