/* a lexer in C++: a short method for each character, called from one that loops, 4,000 to 40,000 times a request; the reply is
   written in a few long calls. Only the lexer is worth a word about probes */
#include "own.h"
#include <vprof_api.h>
static own_row *row;
struct lexer {
    unsigned state = 1;
    unsigned tokens = 0;
    bool take(unsigned c);
    void run(unsigned size);
};
__attribute__((noinline)) bool lexer::take(unsigned c) { for (int i = 0; i < 20; i++) state = state * 1103515245u + c; return state >> 31; }
void lexer::run(unsigned size) { for (unsigned i = 0; i < size; i++) if (take(i)) tokens++; }
static void write_part(unsigned us) { NAP(us); }
void reply(unsigned r) { long a = NOW(); for (int i = 0; i < 3; i++) write_part(100 + r % 200); row->part[1] += NOW() - a; }
int main()
{
    unsigned long seed = 4;
    own_open();
    for (long id = 1; id <= 250; id++) {
        unsigned r = RNG(seed);
        row = OWN_ROW();
        row->begin = NOW();
        SI_BEGIN(id);
        long a = NOW();
        lexer l;
        l.run(4000 + r % 36000);
        row->part[0] = NOW() - a;
        reply(r >> 8);
        SI_END(id);
        row->end = NOW();
        row->used = 1;
        NAP(1500);
    }
    own_close("lexer reply", NULL);
    return 0;
}
