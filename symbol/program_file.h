/* program_file.h - a program's or library's file, for its symbols and debug information where it does not run.
 *
 *     struct program_file *file = program_file_open("/srv/it");        NULL: it is none
 *     program_file_has_units(file)                                     it was compiled with -g
 *     program_file_close(file);
 */
#ifndef SYMBOL_PROGRAM_FILE_H
#define SYMBOL_PROGRAM_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct program_file;

struct program_file *program_file_open(const char *path);
bool program_file_has_units(struct program_file *file);
/* It has code at that address of its own. */
bool program_file_has_code(const struct program_file *file, uint64_t address);
void program_file_close(struct program_file *file); /* NULL is allowed */

#endif
