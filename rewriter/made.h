/* made.h - functions whose body stands in a macro's definition, and how they can be timed there.
 *
 *     #define BODY(n) int n(void) {VPROF_FUNCTION_MADE(0) return 0; }     one text, number 0
 *     #define HOOK(n) BODY(run_##n)                                        it stands there for it
 *     HOOK(a)                                                              line 23
 *     BODY(b) BODY(other)                                                  line 24
 *     #define VPROF_MADE_1(l, k) ((k) == 0 && (l) == 23 ? 7u : ... : 0u)   on top of that file
 *
 * What is put into a definition finds its number by which text it is and by the line of the use:
 * its first line to gcc, its last one to clang. Two uses of one text on a line are told apart by
 * the length of the functions' names, or not at all. Each use must make as many functions as every
 * definition of that name holds bodies, its own and those of the macros that it uses in turn, in a
 * file that is only compiled itself: in a header, the lines of several files would meet. One use
 * that is not so leaves all uses of the same texts alone. Anywhere else, and in a file that nobody
 * parsed, the number is 0, and nothing is recorded.
 *
 * A macro of another tree is not edited; a copy of it is, on top of each file that names it:
 *
 *     #define VPROF_MADE_1_OUTER(n) int n(void) {VPROF_FUNCTION_MADE(16) return 0; }
 *     #define INNER(n) VPROF_MADE_1_OUTER(n)                               here it was OUTER(n)
 *
 * That takes one that has a single definition, none of them in the tree, and does not name itself.
 *
 * Pure; all is owned by the arena that is given.
 */
#ifndef REWRITER_MADE_H
#define REWRITER_MADE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash_map.h"
#include "base/str.h"
#include "rewriter/facts.h"

enum {
    MADE_MOST = 16, /* functions that one use may make */
    MADE_WAYS = 4   /* texts that a function's body may be, by the definitions of the names */
};

struct made_shape;

struct made {
    const struct facts *facts;
    struct arena *arena;
    bool *usable;    /* by function: it is made by a macro and can be timed */
    bool *by_length; /* and its name's length has to tell it from others */
    struct intern names;
    uint32_t *last, *earlier;   /* definitions of a name: index + 1; by name, by macro */
    struct made_shape **shapes; /* by name */
    uint32_t *numbers;          /* by name: from 1; 0: none of its texts can be used */
    bool *blocked;              /* by name: nothing may be put into its definitions */
    bool *edited;               /* by name: some function of its definitions is chosen */
    uint32_t number_count;
};

struct made made_find(struct arena *arena, const struct facts *facts);
void made_release(struct made *made);

/* These lines go on top of a file: the numbers of its functions that are `chosen`. */
void made_numbers(struct made *made, uint32_t file, const bool *chosen, struct str *text);

/* After made_numbers this says what goes into the body of facts->macros[macro], if it is a text of
 * the chosen or names a copy. */
#define MADE_COPY "VPROF_MADE_1_" /* before a macro's name: its copy */
struct made_place {
    uint32_t offset; /* behind the brace, or before the name */
    uint32_t number; /* or MADE_NAMES: of a copy */
};
#define MADE_NAMES UINT32_MAX
uint32_t made_places(struct made *made, uint32_t macro,
                     struct made_place places[static 2 * MADE_MOST]);

/* Does the use that makes this function name a macro of which there is a copy? */
bool made_names_copy(struct made *made, uint32_t function);

/* The definitions of all copies are appended. */
void made_copies(struct made *made, struct str *text);

#endif
