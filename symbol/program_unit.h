/* program_unit.h - the compilation units of a program's file, by debug information.
 *
 *     struct program_unit unit = {0};
 *     while (program_unit_next(file, &unit))
 *         program_unit_walk(&unit, visit, context);                    its functions, and what was inlined into them
 *
 * Debug information has addresses of its own where it lies in another file: `bias` makes them the program file's.
 */
#ifndef SYMBOL_PROGRAM_UNIT_H
#define SYMBOL_PROGRAM_UNIT_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

struct code_pieces;
struct program_file;

struct program_unit {
    const struct program_file *file;
    Dwarf_Die *head; /* with the table of lines */
    Dwarf_Die body;  /* with the functions: the same, or that of a file beside (-gsplit-dwarf) */
    Dwarf_Addr bias;
};

/* False: there are no more. */
bool program_unit_next(const struct program_file *file, struct program_unit *unit);
typedef void program_visitor(const struct program_unit *unit, Dwarf_Die *die, void *context);
/* Each function, and each place where one was inlined. */
void program_unit_walk(const struct program_unit *unit, program_visitor *visit, void *context);
/* Where it is; what the linker has thrown away is left out. */
void program_unit_pieces(const struct program_unit *unit, Dwarf_Die *die,
                         struct code_pieces *pieces);

#endif
