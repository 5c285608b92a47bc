/* 12 ucontext fibers that two threads take from one queue: a fiber goes on where there is a thread, so its calls begin on one
   and end on the other. look_up takes 0.3 or, one time in six, 4 ms; a fiber yields within the calls around it. */
#include <pthread.h>
#include <ucontext.h>
#include "own.h"
#include <vprof_api.h>
enum { FIBERS = 12, PER_FIBER = 25, THREADS = 2 };
struct fiber { ucontext_t context; long active; unsigned long seed; int over; };
static struct fiber fibers[FIBERS];
static char stacks[FIBERS][65536];
static struct fiber *ready[FIBERS * 2];
static int first, last, left = FIBERS;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread ucontext_t scheduler;
static __thread struct fiber *current;
__attribute__((noinline)) static struct fiber **here(void) { __asm__ volatile("" ::: "memory"); return &current; }
__attribute__((noinline)) static ucontext_t *home(void) { __asm__ volatile("" ::: "memory"); return &scheduler; }
void yield_fiber(void) { struct fiber *me = *here(); swapcontext(&me->context, home()); SI_ENTER(me->active); }
void look_up(unsigned r, struct own_row *row) { long a = NOW(); NAP(r % 6 == 0 ? 4000 : 300); row->part[0] += NOW() - a; }
void query(unsigned r, struct own_row *row) { yield_fiber(); look_up(r, row); yield_fiber(); }
void answer(unsigned r, struct own_row *row) { NAP(40); query(r, row); NAP(40); }
void serve(struct fiber *me, int i)
{
    struct own_row *row = OWN_ROW();
    unsigned r = RNG(me->seed);
    me->active = (me - fibers) * 1000 + i + 1;
    row->begin = NOW();
    SI_BEGIN(me->active);
    answer(r, row);
    SI_END(me->active);
    row->end = NOW();
    row->used = 1;
    me->active = (long)SI_NONE;
}
void fiber_main(int number)
{
    struct fiber *me = &fibers[number];
    for (int i = 0; i < PER_FIBER; i++) { serve(me, i); yield_fiber(); }
    me->over = 1;
    swapcontext(&me->context, home());
}
static struct fiber *take(void)
{
    pthread_mutex_lock(&lock);
    struct fiber *next = first < last ? ready[first++ % (FIBERS * 2)] : NULL;
    pthread_mutex_unlock(&lock);
    if (next) VPROF_DEQUEUE(ready, next);
    return next;
}
static void give(struct fiber *f)
{
    pthread_mutex_lock(&lock);
    if (f->over) left--;
    else { VPROF_ENQUEUE(ready, f); ready[last++ % (FIBERS * 2)] = f; }
    pthread_mutex_unlock(&lock);
}
void *work(void *unused)
{
    while (__atomic_load_n(&left, __ATOMIC_RELAXED)) {
        struct fiber *f = take();
        if (!f) { NAP(50); continue; }
        *here() = f;
        swapcontext(home(), &f->context);
        SI_ENTER(SI_NONE);
        give(f);
    }
    return unused;
}
int main(void)
{
    pthread_t threads[THREADS];
    own_open();
    for (int i = 0; i < FIBERS; i++) {
        struct fiber *f = &fibers[i];
        getcontext(&f->context);
        f->context.uc_stack.ss_sp = stacks[i];
        f->context.uc_stack.ss_size = sizeof stacks[i];
        f->active = (long)SI_NONE;
        f->seed = (unsigned)i + 9;
        makecontext(&f->context, (void (*)(void))fiber_main, 1, i);
        ready[last++] = f;
    }
    for (int t = 0; t < THREADS; t++) pthread_create(&threads[t], NULL, work, NULL);
    for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
    own_close("look_up", NULL);
    return 0;
}
