/* function_code.h - where a function's code lies in a program's file: it, its parts and copies, and where it was inlined.
 *
 *     struct function_code code = {0};
 *     if (function_code_find(file, "Pool::run", &code)) ...
 *     function_code_release(&code);
 *
 * Functions are known by their symbols; what was inlined, by debug information. A name is the linker's, or as its author
 * wrote it (readable_name.h).
 */
#ifndef SYMBOL_FUNCTION_CODE_H
#define SYMBOL_FUNCTION_CODE_H

#include <stdbool.h>

#include "symbol/code_pieces.h"

struct program_file;
struct similar;

struct function_code {
    struct code_pieces pieces;  /* joined */
    struct code_pieces entries; /* where a call begins; one byte each */
};

bool function_code_find(struct program_file *file, const char *name, struct function_code *code);
/* The functions that there are; their names are the file's. */
void function_code_offer(struct program_file *file, struct similar *similar);
void function_code_release(struct function_code *code);

#endif
