/* choice.h - what a round times, and how short a function is.
 *
 *     struct rewrite_choice choice = {.timed = timed, .opened = opened, .synchronization = true};
 *
 * Arrays go by function index of the table and are `table->function_count` long; they are borrowed.
 */
#ifndef REWRITER_CHOICE_H
#define REWRITER_CHOICE_H

#include <stdbool.h>

/* A pace says what time a call of a function itself can take (pace.h). */
enum pace { PACE_ANY, PACE_LINEAR, PACE_SHORT };

struct rewrite_choice {
    const bool *timed;      /* prolog and epilog */
    const bool *opened;     /* also its calls without a body in the tree, and indirect calls */
    bool synchronization;   /* wrap the synchronization calls, everywhere in the tree */
    const enum pace *paces; /* not NULL: no probe in what is short, nor at calls of it */
};

#endif
