/* A request fetches its row (it sleeps a little) and computes 1.5 ms on a processor that it shares with two hogs: processes of the
   program's, or its threads (THREADS), or another program (PROGRAM). How long it was runnable and did not run, the kernel's own
   account says. */
#include "kernel.h"
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <vprof_api.h>
static double rate;
static volatile int over;
void *hog(void *p)
{
    prctl(PR_SET_NAME, "hog");
    while (!over) OWN_SPIN(1000);
    return p;
}
#ifdef THREADS
static pthread_t threads[2];
static void start_hogs(void) { for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, hog, NULL); }
static void stop_hogs(void) { over = 1; for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL); }
#else
static pid_t hogs[2];
static void be_a_hog(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#ifdef PROGRAM
    execl("./hog", "hog", (char *)NULL);
#else
    hog(NULL);
#endif
    _exit(9);
}
static void start_hogs(void) { for (int i = 0; i < 2; i++) if ((hogs[i] = fork()) == 0) be_a_hog(); }
static void stop_hogs(void) { for (int i = 0; i < 2; i++) { kill(hogs[i], SIGKILL); waitpid(hogs[i], NULL, 0); } }
#endif
void fetch_row(unsigned r) { NAP(60 + r % 40); }
void compute(unsigned r) { OWN_SPIN(rate * (1500 + r % 100)); }
void serve(long id, unsigned r)
{
    struct own_row *row = OWN_ROW();
    struct own_kernel before = own_asked();
    row->begin = NOW();
    SI_BEGIN(id);
    fetch_row(r);
    struct own_kernel fetched = own_asked();
    compute(r);
    SI_END(id);
    row->end = NOW();
    struct own_kernel after = own_asked();
    row->part[0] = after.runnable - before.runnable;
    row->part[1] = after.runnable - fetched.runnable; /* whoever has slept is often let run for as long as it computes */
    row->used = 1;
}
int main(void)
{
    unsigned long seed = 14;
    own_open();
    rate = own_turns_per_us();
    own_ordinary();
    own_pin(0);
    start_hogs();
    NAP(50000);
    for (int i = 0; i < 320; i++) { serve(i + 1, RNG(seed)); NAP(500 + RNG(seed) % 2000); }
    stop_hogs();
    own_close("runnable compute", NULL);
    return 0;
}
