/* proof_choice.h - which functions are measured after stacks were looked at, and where their files lie.
 *
 *     --prove 3                        the three that had most time by stacks, and can be measured
 *     --prove serve --prove deflate@libz.so.1
 *
 *     struct proof_choice choice;
 *     if (proof_choice_read(&choice, values.prove, &error)) ...           of the command line
 *     struct point_plan plan;
 *     proof_choice_plan(&choice, stacks, &place, &plan, &error)
 *     choice.refused        "parse: /usr/sbin/server has no function parse. It may have been inlined ..."
 *     proof_choice_release(&choice);
 *
 * Functions of the kernel, generated code and what is no function are passed over.
 */
#ifndef DRIVER_COMMANDS_PROOF_CHOICE_H
#define DRIVER_COMMANDS_PROOF_CHOICE_H

#include "base/error.h"
#include "base/str.h"
#include "driver/commands/request_values.h"
#include "stacks/stacks.h"

enum { PROOF_MOST = 5 };

struct proof_choice {
    uint32_t first; /* so many, by stacks */
    const char *functions[PROOF_MOST];
    uint32_t count;
    struct str refused; /* lines: those that cannot be measured, and why */
};

/* Where the program is. */
struct proof_place {
    const char *program; /* its file, as points are looked for in it (sampler/point_plan.h) */
    uint32_t pid;        /* 0: it is started anew */
    const struct request_values *requests; /* are watched beside */
};

/* `values` ends with NULL; NULL: nothing is asked for, as is false of proof_choice_any. */
bool proof_choice_read(struct proof_choice *choice, const char *const *values, struct error *error);
bool proof_choice_any(const struct proof_choice *choice);
/* ERROR_USAGE: of those that are named one cannot be measured. */
bool proof_choice_check(const struct proof_choice *choice, const char *program,
                        struct error *error);
/* ERROR_NOTHING: none of them can be measured. Release the plan either way. */
bool proof_choice_plan(struct proof_choice *choice, const struct stacks *stacks,
                       const struct proof_place *place, struct point_plan *plan,
                       struct error *error);
void proof_choice_release(struct proof_choice *choice);

#endif
