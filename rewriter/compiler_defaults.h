/* compiler_defaults.h - asks the user's compilers what they do without being told.
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

#include "rewriter/compile_db.h"

void compiler_defaults_find(struct compile_db *db);

/* compiler_defaults_read is the part of compiler_defaults_find that reads what the compiler
 * printed: macro definitions, and what it told of itself. NULL where it is no such answer. */
struct compiler_defaults *compiler_defaults_read(struct arena *arena, const char *macros,
                                                 const char *told);

#endif
