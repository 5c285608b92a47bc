#include "symbol/inlined_call.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/symbolizer_inside.h"

static const char *linkage_name(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute))
        return dwarf_formstring(&attribute);
    return dwarf_diename(die);
}

static struct inlined_call declared(struct symbolizer *symbolizer, Dwarf_Die *die)
{
    int line = 0;
    const char *file = dwarf_decl_file(die);
    const char *slash = file ? strrchr(file, '/') : NULL;
    bool known = dwarf_decl_line(die, &line) == 0 && line > 0;
    return (struct inlined_call){
        .file = file ? arena_strdup(&symbolizer->arena, slash ? slash + 1 : file) : "",
        .line = known ? (uint32_t)line : 0};
}

/* Behind an inlined function dwarf_getscopes has what is around it in the source, where it was written; what it was
 * inlined into, and what that was, are around it in the code. */
static int scopes_at(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die **scopes)
{
    Dwarf_Die *written = NULL;
    int count = dwarf_getscopes(unit, address, &written);
    if (count > 0)
        count = dwarf_getscopes_die(&written[0], scopes);
    free(written);
    return count;
}

uint32_t inlined_calls(struct symbolizer *symbolizer, uint64_t address, struct inlined_call *calls,
                       uint32_t most, struct inlined_call *into)
{
    Dwarf_Addr bias = 0;
    Dwfl_Module *module = symbolizer->dwfl ? dwfl_addrmodule(symbolizer->dwfl, address) : NULL;
    Dwarf_Die *unit = module ? unit_table_find(&symbolizer->units, module, address, &bias) : NULL;
    Dwarf_Die *scopes = NULL;
    int count = unit ? scopes_at(unit, address - bias, &scopes) : 0;
    uint32_t added = 0;
    *into = (struct inlined_call){.file = ""};
    for (int i = 0; i < count && added < most; i++) {
        int tag = dwarf_tag(&scopes[i]);
        const char *name = tag == DW_TAG_inlined_subroutine ? linkage_name(&scopes[i]) : NULL;
        if (name) {
            calls[added] = declared(symbolizer, &scopes[i]);
            calls[added++].name = arena_strdup(&symbolizer->arena, name);
        } else if (tag == DW_TAG_subprogram) {
            *into = declared(symbolizer, &scopes[i]);
        }
    }
    free(scopes);
    return added;
}
