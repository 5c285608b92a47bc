/* compiler_name.h - which word of a command line is the compiler.
 *
 *     gcc -c a.c                                  0
 *     ccache gcc -c a.c                           1: what comes before is a launcher
 *     distcc -c a.c                               0: it stands for cc
 *     sh ./cached.sh gcc-12 -c a.c                2: of a launcher that nobody knows
 *     grep gcc a.c                                -1
 *
 * A launcher that has the result need not start the compiler at all. The C library only: the
 * recorder asks in the user's processes.
 */
#ifndef REWRITER_COMPILER_NAME_H
#define REWRITER_COMPILER_NAME_H

#include <stdbool.h>

/* A driver is a compiler as users call it: "/usr/bin/x86_64-linux-gnu-gcc-12". */
bool compiler_name_is_driver(const char *path);

/* A launcher is called with a compiler, or in place of one. */
bool compiler_name_is_launcher(const char *path);

/* The answer is the compiler's index in `words`, or -1 where nothing is compiled. */
int compiler_name_find(int count, const char *const *words);

#endif
