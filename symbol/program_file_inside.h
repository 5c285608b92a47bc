/* program_file_inside.h - the inside of a program's file, for the files of this folder. */
#ifndef SYMBOL_PROGRAM_FILE_INSIDE_H
#define SYMBOL_PROGRAM_FILE_INSIDE_H

#include <elfutils/libdwfl.h>

#include "base/arena.h"

struct program_file {
    Dwfl *dwfl;
    Dwfl_Module *module;
    Elf *elf;
    Dwarf_Addr bias; /* of the module's addresses to the file's */
    struct arena arena;
};

#endif
