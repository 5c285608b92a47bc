// A step is a pointer to a member, called by a template that is given it; one time in six it takes 2..6 ms.
#include "own.h"
#include <vprof_api.h>

static long slow;

struct Machine {
    void (Machine::*step)(unsigned) = &Machine::idle;
    void idle(unsigned r) { NAP(80 + r % 20); }
    void settle(unsigned r)
    {
        long a = NOW();
        NAP(2000 + r / 6 % 4000);
        slow = NOW() - a;
    }
    void choose(unsigned r) { step = r % 6 == 0 ? &Machine::settle : &Machine::idle; }
};

template <class Owner, class Step> static void advance(Owner &owner, Step step, unsigned r)
{
    (owner.*step)(r);
}

static Machine machine;

static void turn(unsigned r)
{
    machine.choose(r);
    advance(machine, machine.step, r);
}

static void serve(long id, unsigned r)
{
    own_row *row = OWN_ROW();
    slow = 0;
    row->begin = NOW();
    SI_BEGIN(id);
    turn(r);
    SI_END(id);
    row->end = NOW();
    row->part[0] = slow;
    row->used = 1;
}

int main()
{
    own_open();
    unsigned long seed = 41;
    for (int i = 0; i < 700; i++)
        serve(i + 1, RNG(seed));
    own_close("settle", nullptr);
    return 0;
}
