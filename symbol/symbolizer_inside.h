/* symbolizer_inside.h - the inside of a symbolizer, for the files of this folder. */
#ifndef SYMBOL_SYMBOLIZER_INSIDE_H
#define SYMBOL_SYMBOLIZER_INSIDE_H

#include <elfutils/libdwfl.h>

#include "base/arena.h"
#include "base/hash_map.h"
#include "symbol/unit_ranges.h"

struct symbolizer {
    Dwfl *dwfl; /* NULL: the maps could not be used */
    struct arena arena;
    struct hash_map names;   /* address -> const char *, 0: NULL */
    struct unit_table units; /* of files that have no list of them */
};

/* A Dwfl's find_debuginfo: what is installed. */
int symbolizer_find_installed(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                              const char *file, const char *link, GElf_Word crc, char **found);

#endif
