/* frame_table.h - which function holds an address, by the table that unwinding needs.
 *
 *     struct frame_table_row row;
 *     if (frame_table_find(module, address, &row)) row.start           where it begins, as the file has it
 *
 * .eh_frame_hdr lists where each function begins (Linux Standard Base, core, 10.6.2), also of a file that is
 * stripped. A part that the compiler put elsewhere (".cold") begins for itself. Two builds of a function
 * that did not change have one shape, wherever it begins: its length, and what its entry in .eh_frame says
 * of how it is unwound, which follows its pushes and pops.
 */
#ifndef SYMBOL_FRAME_TABLE_H
#define SYMBOL_FRAME_TABLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Dwfl_Module Dwfl_Module;

struct frame_table_row {
    uint64_t start;
    uint64_t shape; /* 0: not known */
};

/* False: it is in none. */
bool frame_table_find(Dwfl_Module *module, uint64_t address, struct frame_table_row *row);

#endif
