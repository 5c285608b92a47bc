/* c17_processor.c - a unit of work is w of one thread and f of another, 2 ms each, which could be done at once; but they have one
 * processor between them. A faster f gains 0.5 s, whichever of them the scheduler lets go first. */
#include "work.h"

static int questions[2], answers[2];
static double left_f, left_w;

static __attribute__((noinline)) void f(void)
{
    work_ms(2 * left_f);
}

static __attribute__((noinline)) void w(void)
{
    work_ms(2 * left_w);
}

static void pass(int from, int to)
{
    char byte = 0;
    if ((to >= 0 && write(to, &byte, 1) != 1) || (from >= 0 && read(from, &byte, 1) != 1))
        exit(1);
}

static void *other(void *unused)
{
    while (1) {
        pass(questions[0], -1);
        f();
        pass(-1, answers[1]);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    work_start(argc, argv);
    left_f = left("f");
    left_w = left("w");
    if (pipe(questions) != 0 || pipe(answers) != 0)
        return 1;
    work_on_processor(0);
    pthread_create(&thread, NULL, other, NULL);
    while (work_goes_on()) {
        SI_BEGIN(1);
        pass(-1, questions[1]);
        w();
        pass(answers[0], -1);
        SI_END(1);
    }
    return 0;
}
