#include "symbol/function_code.h"

#include <dwarf.h>
#include <string.h>

#include "base/similar.h"
#include "symbol/program_file.h"
#include "symbol/program_file_inside.h"
#include "symbol/program_unit.h"
#include "symbol/readable_name.h"

struct search {
    const char *name;
    struct function_code *code;
};

/* The compiler appends to copies and parts of a function: "parse.isra.0", "parse.cold". */
static bool is_name_of(const char *symbol, const char *name)
{
    size_t length = 1 + strcspn(symbol + 1, ".@");
    struct str plain = {0}, readable = {0};
    str_append_bytes(&plain, symbol, length);
    bool same = strcmp(plain.data, name) == 0;
    if (!same && str_starts_with(plain.data, "_Z")) {
        readable_name(plain.data, &readable);
        same = strcmp(str_text(&readable), name) == 0;
    }
    str_release(&plain);
    str_release(&readable);
    return same;
}

/* A part is no call of its own. */
static bool is_part(const char *symbol)
{
    return strstr(symbol, ".cold") || strstr(symbol, ".part.");
}

/* ---- symbols ---- */

/* NULL: it is no function of this file. */
static const char *symbol_of(const struct program_file *file, int index, uint64_t *from,
                             uint64_t *size)
{
    GElf_Sym symbol;
    GElf_Addr address;
    const char *name =
        dwfl_module_getsym_info(file->module, index, &symbol, &address, NULL, NULL, NULL);
    *from = address - file->bias;
    *size = symbol.st_size;
    return name && *name && GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
                   symbol.st_shndx != SHN_UNDEF && program_file_has_code(file, *from)
               ? name
               : NULL;
}

static void take_symbols(const struct search *search, const struct program_file *file)
{
    uint64_t from, size;
    int count = dwfl_module_getsymtab(file->module);
    for (int i = 1; i < count; i++) {
        const char *symbol = symbol_of(file, i, &from, &size);
        if (!symbol || !is_name_of(symbol, search->name))
            continue;
        code_pieces_add(&search->code->pieces, from, from + size);
        if (!is_part(symbol))
            code_pieces_add(&search->code->entries, from, from + 1);
    }
}

void function_code_offer(struct program_file *file, struct similar *similar)
{
    uint64_t from, size;
    int count = dwfl_module_getsymtab(file->module);
    for (int i = 1; i < count; i++) {
        const char *symbol = symbol_of(file, i, &from, &size);
        struct str readable = {0};
        if (symbol)
            readable_name(symbol, &readable);
        if (readable.length && !strchr(readable.data, '.'))
            similar_offer(similar, arena_strdup(&file->arena, readable.data));
        str_release(&readable);
    }
}

/* ---- what was inlined ---- */

static const char *linkage_name(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute))
        return dwarf_formstring(&attribute);
    return dwarf_diename(die);
}

static void take_inlined(const struct program_unit *unit, Dwarf_Die *die, void *context)
{
    const struct search *search = context;
    Dwarf_Addr entry;
    const char *name = dwarf_tag(die) == DW_TAG_inlined_subroutine ? linkage_name(die) : NULL;
    if (!name || !is_name_of(name, search->name))
        return;
    program_unit_pieces(unit, die, &search->code->pieces);
    if (dwarf_entrypc(die, &entry) == 0 && program_file_has_code(unit->file, entry + unit->bias))
        code_pieces_add(&search->code->entries, entry + unit->bias, entry + unit->bias + 1);
}

bool function_code_find(struct program_file *file, const char *name, struct function_code *code)
{
    struct search search = {name, code};
    struct program_unit unit = {0};
    take_symbols(&search, file);
    while (program_unit_next(file, &unit))
        program_unit_walk(&unit, take_inlined, &search);
    code_pieces_join(&code->pieces);
    code_pieces_join(&code->entries);
    return code->pieces.count > 0;
}

void function_code_release(struct function_code *code)
{
    code_pieces_release(&code->pieces);
    code_pieces_release(&code->entries);
}
