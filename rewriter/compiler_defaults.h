/* compiler_defaults.h - what the user's compilers do without being told.
 *
 *     compiler_defaults_find(&db);              each command's `defaults`, asked of its own
 * compiler
 *
 *     g++ -O2 -c a.cc     ->   -std=gnu++17 --target=x86_64-linux-gnu -D_GNU_SOURCE=1 ...
 *
 * The parser is another compiler, with another language version, other macros and other headers.
 * Each compiler is asked once for each set of flags that may make a difference (`-E -dM -v` of
 * nothing); a wrapper around it answers with what it adds. A compiler that is not there, says
 * nothing or does not end leaves `defaults` NULL: then the parser has its own.
 *
 * The texts are owned by the db's arena.
 */
#ifndef REWRITER_COMPILER_DEFAULTS_H
#define REWRITER_COMPILER_DEFAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "rewriter/compile_db.h"

struct compiler_defaults {
    const char **first; /* flags before those of the command, which may undo them */
    uint32_t first_count;
    const char **last; /* folders of headers after those of the command */
    uint32_t last_count;
    bool standard; /* the language's version is among them, as the command has it */
    bool machine;  /* so is what the processor can do */
};

void compiler_defaults_find(struct compile_db *db);

/* Of what the compiler printed: macro definitions, and what it told of itself. Part of
 * compiler_defaults_find. NULL where it is no such answer. */
struct compiler_defaults *compiler_defaults_read(struct arena *arena, const char *macros,
                                                 const char *told);

#endif
