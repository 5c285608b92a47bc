/* symbolizer.h - the name of the function at an address of a process that ran.
 *
 *     struct symbolizer *symbolizer = symbolizer_open(process->maps);
 *     const char *name = symbolizer_name(symbolizer, 0x55d0c0de1234);    "handle", "_ZN4Pool3runEv"
 *     symbolizer_close(symbolizer);
 *
 * Names are the linker's, without a symbol version. They come from .symtab, .dynsym and
 * .gnu_debugdata of the files that the maps name, as those are now, and of separate debug files that are
 * installed (/usr/lib/debug); nothing is fetched over the network. NULL: no function's symbol contains the
 * address (stripped static functions, generated code, a file that is gone, the vdso).
 *
 * Answers are kept: asking again is cheap. They belong to the symbolizer and live as long. One
 * thread at a time.
 */
#ifndef SYMBOL_SYMBOLIZER_H
#define SYMBOL_SYMBOLIZER_H

#include <stdbool.h>
#include <stdint.h>

struct object_files;
struct symbolizer;

/* `maps_text` is the text of /proc/<pid>/maps; it is not used after the call. Never NULL: with no
 * usable maps, all names are NULL. */
struct symbolizer *symbolizer_open(const char *maps_text);
/* The same, where it is known which files those were (object_file.h). They are borrowed, and may be NULL. */
struct symbolizer *symbolizer_open_files(const char *maps_text, struct object_files *files);
/* The file that was mapped there is not to be had any more: another one has taken its place. */
bool symbolizer_lost(struct symbolizer *symbolizer, uint64_t address);
const char *symbolizer_name(struct symbolizer *symbolizer, uint64_t address);
void symbolizer_close(struct symbolizer *symbolizer); /* NULL is allowed */

#endif
