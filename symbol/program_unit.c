#include "symbol/program_unit.h"

#include <dwarf.h>

#include "symbol/code_pieces.h"
#include "symbol/program_file.h"
#include "symbol/program_file_inside.h"

bool program_unit_next(const struct program_file *file, struct program_unit *unit)
{
    Dwarf_Die beside;
    uint8_t type = 0;
    unit->file = file;
    unit->head = dwfl_module_nextcu(file->module, unit->head, &unit->bias);
    if (!unit->head)
        return false;
    unit->bias -= file->bias;
    unit->body = *unit->head;
    if (dwarf_cu_info(unit->head->cu, NULL, &type, NULL, &beside, NULL, NULL, NULL) == 0 &&
        type == DW_UT_skeleton && beside.addr)
        unit->body = beside;
    return true;
}

/* Files that are made to be deep are not followed further (chosen: compilers stay far below). */
enum { MOST_DEPTH = 200 };

static void walk(const struct program_unit *unit, Dwarf_Die *parent, int depth,
                 program_visitor *visit, void *context)
{
    Dwarf_Die die;
    if (depth > MOST_DEPTH || dwarf_child(parent, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            visit(unit, &die, context);
        if (tag != DW_TAG_enumeration_type && dwarf_haschildren(&die))
            walk(unit, &die, depth + 1, visit, context);
    } while (dwarf_siblingof(&die, &die) == 0);
}

void program_unit_walk(const struct program_unit *unit, program_visitor *visit, void *context)
{
    Dwarf_Die body = unit->body;
    walk(unit, &body, 0, visit, context);
}

void program_unit_pieces(const struct program_unit *unit, Dwarf_Die *die,
                         struct code_pieces *pieces)
{
    Dwarf_Addr base, begin, end;
    ptrdiff_t offset = 0;
    while ((offset = dwarf_ranges(die, offset, &base, &begin, &end)) > 0)
        if (program_file_has_code(unit->file, begin + unit->bias))
            code_pieces_add(pieces, begin + unit->bias, end + unit->bias);
}
