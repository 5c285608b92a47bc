/* frame_table.h - where the function begins that holds an address, by the table that unwinding needs.
 *
 *     uint64_t start = frame_table_start(module, address);      as the file has it; 0: it is in none
 *
 * .eh_frame_hdr lists where each function begins (Linux Standard Base, core, 10.6.2), also of a file that is
 * stripped. A part that the compiler put elsewhere (".cold") begins for itself.
 */
#ifndef SYMBOL_FRAME_TABLE_H
#define SYMBOL_FRAME_TABLE_H

#include <stdint.h>

typedef struct Dwfl_Module Dwfl_Module;

uint64_t frame_table_start(Dwfl_Module *module, uint64_t address);

#endif
