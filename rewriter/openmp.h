/* openmp.h - the directives of OpenMP, as far as reading and editing the text around them needs it.
 *
 *     #pragma omp parallel for default(none)         openmp_uses: OPENMP_TEAM
 *         for (...)                                  openmp_before: OPENMP_ANY, too
 *
 * The parser reads the program as if it had no such directives: what stands in a region is then
 * where it stands in the text, and belongs to the function that holds the region. Pure.
 */
#ifndef REWRITER_OPENMP_H
#define REWRITER_OPENMP_H

#include <stdbool.h>
#include <stdint.h>

#include "rewriter/source_text.h"

enum openmp_use {
    OPENMP_TEAM = 1,   /* a region that a team of threads runs */
    OPENMP_HIDDEN = 2, /* and of which it can't be told who waits in it for whom: its end may run
                          tasks, or it says where its threads run */
    OPENMP_NAMED = 4,  /* a region that has to name each variable that it uses */
    OPENMP_VECTOR = 8, /* a loop that is to be vectorized */
    OPENMP_ANY = 16
};

/* The flag makes the compiler heed the directives. */
bool openmp_is_flag(const char *flag);

/* The answer says what the directives in `begin`..`end` are, as enum openmp_use. */
unsigned openmp_uses(const struct source_text *text, uint32_t begin, uint32_t end);

/* The answer says what the directives are that the text at `offset` follows with nothing but
 * blanks between; 0 where it follows none. */
unsigned openmp_before(const struct source_text *text, uint32_t offset);

#endif
