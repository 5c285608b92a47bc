/* unit_ranges.h - which compilation unit has an address, of files that have no list of that: libdw finds units by
 * .debug_aranges, which gcc writes and clang does not.
 *
 *     struct unit_table table = {0};
 *     Dwarf_Die *unit = unit_table_find(&table, module, address, &bias);      NULL: none has it
 *     unit_table_release(&table);
 *
 * The units of a module are gone through once. Units belong to the table; modules are borrowed.
 */
#ifndef SYMBOL_UNIT_RANGES_H
#define SYMBOL_UNIT_RANGES_H

#include <elfutils/libdwfl.h>
#include <stddef.h>

/* Addresses are the file's. */
struct unit_range {
    Dwarf_Addr begin, end;
    Dwarf_Die unit;
};

struct unit_ranges {
    Dwfl_Module *module;
    struct unit_range *items; /* by address; none of them overlap */
    size_t count, capacity;
    Dwarf_Addr bias; /* of the process's addresses to the file's */
};

struct unit_table {
    struct unit_ranges *modules;
    size_t count, capacity;
};

/* As dwfl_module_addrdie; valid until the next call that meets a new module. */
Dwarf_Die *unit_table_find(struct unit_table *table, Dwfl_Module *module, Dwarf_Addr address,
                           Dwarf_Addr *bias);
void unit_table_release(struct unit_table *table);

#endif
