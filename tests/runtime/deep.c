/* deep.c CASE N [M] - calls nested N deep: as they come, left by a jump to the M-th, with handlers
 * in between that go deep themselves, on two stacks by turns, on stacks that are given up, on one
 * that goes on in another thread. */
#pragma redefine_extname longjmp vprof_longjmp_1
#include "target.h"

VPROF_REDIRECT_JUMP(longjmp)

#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#define ALONE __attribute__((noinline))

static ALONE int leaf(int n)
{
    VPROF_FUNCTION(2)
    __asm__ volatile("" : "+r"(n));
    return n;
}

static ALONE int down(int n)
{
    VPROF_FUNCTION(1)
    int found = leaf(n);
    if (n > 0)
        found += down(n - 1);
    return found + leaf(1);
}

static int (*volatile through)(int) = abs;

/* The call through a pointer begins when its argument is there. */
static void go_down(int n)
{
    int found = __extension__({
        VPROF_FUNCTION(3)
        VPROF_TARGET(3, through)(VPROF_RESTART(3, down(n)));
    });
    CHECK(found > n);
}

static jmp_buf back;

static ALONE int jump(int n, int to)
{
    VPROF_FUNCTION(4)
    if (n == 0)
        longjmp(back, 1);
    if (n != to || setjmp(back) == 0)
        jump(n - 1, to);
    return leaf(n);
}

static ALONE int aside(int n)
{
    VPROF_FUNCTION(6)
    return n > 0 ? aside(n - 1) + 1 : 0;
}

static void handler(int number)
{
    (void)number;
    CHECK(aside(150) == 150);
}

static ALONE int disturbed(int n)
{
    VPROF_FUNCTION(5)
    if (n % 100 == 50)
        raise(SIGUSR1);
    return n > 0 ? disturbed(n - 1) + 1 : 0;
}

static ucontext_t one, other;

static ALONE int here(int n)
{
    VPROF_FUNCTION(7)
    int found = n > 0 ? here(n - 1) + 1 : 0;
    CHECK(swapcontext(&one, &other) == 0);
    return found;
}

static ALONE int there(int n)
{
    VPROF_FUNCTION(8)
    CHECK(swapcontext(&other, &one) == 0);
    return n > 0 ? there(n - 1) + 1 : 0;
}

static void start_there(int n)
{
    CHECK(there(n) == n);
}

static void make_other(int n)
{
    static char stack[1 << 20];
    CHECK(getcontext(&other) == 0);
    other.uc_stack.ss_sp = stack;
    other.uc_stack.ss_size = sizeof stack;
    other.uc_link = &one;
    makecontext(&other, (void (*)(void))(void *)start_there, 1, n);
}

/* One goes up while the other goes down, and then is alone with its calls. */
static void alternate(int n)
{
    make_other(n);
    CHECK(here(n) == n);
    CHECK(swapcontext(&one, &other) == 0);
}

static void go_on(int times)
{
    while (times-- > 0)
        CHECK(swapcontext(&one, &other) == 0);
}

static void give_up(int times)
{
    while (times-- > 0) {
        make_other(9);
        go_on(10);
        down(3);
    }
}

static void *end_there(void *unused)
{
    go_on(1);
    return unused;
}

static void migrate(int n)
{
    pthread_t thread;
    make_other(n);
    go_on(n + 1);
    CHECK(pthread_create(&thread, NULL, end_there, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

int main(int argc, char **argv)
{
    CHECK(argc >= 3 && signal(SIGUSR1, handler) != SIG_ERR);
    int n = atoi(argv[2]);
    if (strcmp(argv[1], "down") == 0)
        go_down(n);
    else if (strcmp(argv[1], "jump") == 0)
        jump(n, n - atoi(argv[3]));
    else if (strcmp(argv[1], "handler") == 0)
        CHECK(disturbed(n) == n);
    else if (strcmp(argv[1], "stacks") == 0)
        alternate(n);
    else if (strcmp(argv[1], "given up") == 0)
        give_up(n);
    else
        migrate(n);
    return 0;
}
