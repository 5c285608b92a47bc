/* checkup.h - what this machine and this tree have for vprofiler, each thing with its cure.
 *
 *     struct checkup checkup = {0};
 *     checkup_machine(&checkup, "vprofiler-out");
 *     checkup_tree(&checkup, ".");
 *     checkup_program(&checkup, "./server");
 *     checkup_trial(&checkup);                     parse, compile, run and trace a small program
 *     ... checkup.findings[i] ...
 *     checkup_release(&checkup);
 *
 * A checkup only looks: nothing of the user's is changed or made, the trial has a folder of its
 * own.
 */
#ifndef DRIVER_COMMANDS_CHECKUP_H
#define DRIVER_COMMANDS_CHECKUP_H

#include <stddef.h>

#include "base/arena.h"

enum finding_state {
    FINDING_FINE,
    FINDING_NOTE, /* good to know */
    FINDING_MEND  /* vprofiler will not work well */
};

struct finding {
    const char *name; /* "compiler" */
    enum finding_state state;
    const char *message;
    const char *cure; /* NULL where there is nothing to mend */
};

struct checkup {
    struct arena arena; /* the texts */
    struct finding *findings;
    size_t count, capacity;
};

void checkup_machine(struct checkup *checkup, const char *out);
void checkup_tree(struct checkup *checkup, const char *source);
/* Looks whether the runtime can be loaded into this program. */
void checkup_program(struct checkup *checkup, const char *path);
void checkup_trial(struct checkup *checkup);
void checkup_release(struct checkup *checkup);

/* The parts add their findings; `message` is in the arena or constant. */
void checkup_add(struct checkup *checkup, const char *name, enum finding_state state,
                 const char *message, const char *cure);

#endif
