/* compile_flags.h - the part of a compile command that the parser needs and understands.
 *
 *     gcc -O2 -Iinc -DX=1 -fno-tree-vrp -Wall -c a.c -o a.o   ->   -O2 -Iinc -DX=1 ...
 *
 * What its compiler does by itself (compiler_defaults.h) goes around them, where it is known.
 * A list of what passes, because an unknown flag would stop the parser. Texts are borrowed from the
 * command or put into the arena.
 */
#ifndef REWRITER_COMPILE_FLAGS_H
#define REWRITER_COMPILE_FLAGS_H

#include <stdbool.h>

#include "base/arena.h"
#include "rewriter/compile_db.h"

struct compile_flags {
    const char **items;
    int count;
};

/* `plain` leaves out what depends on the machine and the compiler's version (-m, -f, -std). */
struct compile_flags compile_flags_for_parser(struct arena *arena,
                                              const struct compile_command *command, bool plain);

/* The language is "c" or "c++". */
const char *compile_flags_language(const struct compile_command *command);

/* The flag's value may be the next argument. */
bool compile_flags_takes_value(const char *flag);

#endif
