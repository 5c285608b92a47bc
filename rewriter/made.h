/* made.h - functions whose body stands in a macro's definition, and how they can be timed there.
 *
 *     #define MAKE(t) static int get_##t(void) {VPROF_FUNCTION_MADE(0) return 0; }    one text,
 *     MAKE(a)                                                                          line 23
 *     MAKE(b)                                                                          line 24
 *     #define VPROF_MADE_1(l, k) ((l) * 8 + (k) == 184 ? 7u : ... : 0u)     on top of that file
 *
 * What is put into the definition finds its number by the line of the macro's use. So each use must
 * make as many functions as every definition of that name holds bodies, on one line, in a file
 * that is only compiled itself: in a header, the lines of several files would meet. Anywhere else,
 * and in a file that nobody parsed, the number is 0, and nothing is recorded.
 *
 * Pure; all is owned by the arena that is given.
 */
#ifndef REWRITER_MADE_H
#define REWRITER_MADE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "rewriter/facts.h"

enum { MADE_MOST = 8 }; /* functions that one use may make */

struct made {
    const struct facts *facts;
    bool *usable; /* by function: it is made by a macro and can be timed */
};

struct made made_find(struct arena *arena, const struct facts *facts);

/* The offsets behind the braces that open functions in a macro's body; how many there are. */
uint32_t made_braces(const struct fact_macro *macro, uint32_t offsets[static MADE_MOST]);

/* The lines that go on top of a file: the numbers of its functions that are `chosen`. */
void made_numbers(const struct made *made, uint32_t file, const bool *chosen, struct str *text);

#endif
