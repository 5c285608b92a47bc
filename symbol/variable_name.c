#include "symbol/variable_name.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/symbolizer.h"
#include "symbol/symbolizer_inside.h"

/* A file of more debug information than this is not gone over: the symbol is the name then. */
enum { MOST_ENTRIES = 4000000, MOST_DEPTH = 12 };

struct search {
    Dwarf_Addr address; /* of the variable, as the file has it */
    Dwarf_Die found;
    bool any;
    uint32_t entries;
};

static bool is_at(Dwarf_Die *die, Dwarf_Addr address)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    return dwarf_attr(die, DW_AT_location, &attribute) &&
           dwarf_getlocation(&attribute, &operations, &count) == 0 && count == 1 &&
           operations[0].atom == DW_OP_addr && operations[0].number == address;
}

static bool may_hold_variables(int tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
           tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
}

/* Depth first below `parent`. */
static void search_below(struct search *search, Dwarf_Die *parent, int depth)
{
    Dwarf_Die die;
    if (depth > MOST_DEPTH || dwarf_child(parent, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);
        if (++search->entries > MOST_ENTRIES)
            return;
        if (tag == DW_TAG_variable && is_at(&die, search->address)) {
            search->found = die;
            search->any = true;
        } else if (may_hold_variables(tag)) {
            search_below(search, &die, depth + 1);
        }
    } while (!search->any && dwarf_siblingof(&die, &die) == 0);
}

static void search_module(struct search *search, Dwfl_Module *module, Dwarf_Addr address)
{
    Dwarf_Addr bias = 0;
    for (Dwarf_Die *unit = NULL;
         !search->any && (unit = dwfl_module_nextcu(module, unit, &bias)) != NULL;) {
        search->address = address - bias;
        search_below(search, unit, 0);
    }
}

/* ---- types ---- */

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
           dwarf_formref_die(&attribute, type) && dwarf_peel_type(type, type) == 0;
}

static bool member_begins(Dwarf_Die *member, Dwarf_Word *at)
{
    Dwarf_Attribute attribute;
    *at = 0;
    return !dwarf_attr(member, DW_AT_data_member_location, &attribute) ||
           dwarf_formudata(&attribute, at) == 0;
}

static bool holds(Dwarf_Die *member, Dwarf_Word offset, Dwarf_Die *type, Dwarf_Word *begin)
{
    Dwarf_Word size;
    int tag = dwarf_tag(member);
    return (tag == DW_TAG_member || tag == DW_TAG_inheritance) && type_of(member, type) &&
           member_begins(member, begin) && dwarf_aggregate_size(type, &size) == 0 &&
           offset >= *begin && offset - *begin < size;
}

/* The member that has the offset is named, if it is one of the program's; then `type` is its. */
static bool write_member(Dwarf_Die *type, Dwarf_Word *offset, struct str *out)
{
    Dwarf_Die member, of;
    Dwarf_Word begin;
    if (dwarf_child(type, &member) != 0)
        return false;
    do {
        if (!holds(&member, *offset, &of, &begin))
            continue;
        const char *name = dwarf_tag(&member) == DW_TAG_member ? dwarf_diename(&member) : NULL;
        if (name && name[0] == '_')
            return false;
        if (name)
            str_printf(out, ".%s", name);
        *offset -= begin;
        *type = of;
        return true;
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
}

static bool write_element(Dwarf_Die *type, Dwarf_Word *offset, struct str *out)
{
    Dwarf_Die of;
    Dwarf_Word size;
    if (!type_of(type, &of) || dwarf_aggregate_size(&of, &size) != 0 || size == 0)
        return false;
    str_printf(out, "[%llu]", (unsigned long long)(*offset / size));
    *offset %= size;
    *type = of;
    return true;
}

static void write_members(Dwarf_Die *type, Dwarf_Word offset, struct str *out)
{
    for (int depth = 0; depth < MOST_DEPTH; depth++) {
        int tag = dwarf_tag(type);
        bool more =
            tag == DW_TAG_array_type ? write_element(type, &offset, out)
            : tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type
                ? write_member(type, &offset, out)
                : false;
        if (!more)
            return;
    }
}

/* ---- symbols ---- */

/* "_ZL8sessions" is sessions, "_ZN3app5cacheE" app::cache; "hits.1" is a function's hits. Anything
 * else stays as it is. */
static void write_symbol(const char *symbol, struct str *out)
{
    const char *at = symbol;
    if (strncmp(at, "_Z", 2) == 0) {
        struct str name = {0};
        at += 2;
        at += *at == 'N';
        at += *at == 'L';
        while (isdigit((unsigned char)*at)) {
            char *text;
            unsigned long length = strtoul(at, &text, 10);
            if (length > strlen(text))
                break;
            str_printf(&name, "%s%.*s", name.length ? "::" : "", (int)length, text);
            at = text + length;
        }
        str_append(out, name.length ? name.data : symbol);
        str_release(&name);
        return;
    }
    str_append_bytes(out, symbol, strcspn(symbol, ".@"));
}

static bool is_object(const GElf_Sym *symbol, GElf_Off offset)
{
    int type = GELF_ST_TYPE(symbol->st_info);
    return type == STT_OBJECT && offset < symbol->st_size;
}

/* What is zero at first lies behind the part of the file that is mapped, where no map names it. */
struct holder {
    uint64_t address;
    Dwfl_Module *module;
};

static int holds_address(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                         void *context)
{
    struct holder *holder = context;
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(module, &bias);
    size_t count = 0;
    (void)user, (void)name, (void)base;
    if (!elf || elf_getphdrnum(elf, &count) != 0)
        return DWARF_CB_OK;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD &&
            holder->address - (header.p_vaddr + bias) < header.p_memsz) {
            holder->module = module;
            return DWARF_CB_ABORT;
        }
    }
    return DWARF_CB_OK;
}

static Dwfl_Module *module_of(const struct symbolizer *symbolizer, uint64_t address)
{
    struct holder holder = {address, NULL};
    if (symbolizer->dwfl)
        dwfl_getmodules(symbolizer->dwfl, holds_address, &holder, 0);
    return holder.module;
}

bool variable_name(struct symbolizer *symbolizer, uint64_t address, struct str *out)
{
    Dwfl_Module *module = module_of(symbolizer, address);
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char *name =
        module ? dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL) : NULL;
    if (!name || !*name || !is_object(&symbol, offset))
        return false;
    struct search search = {0};
    search_module(&search, module, address - offset);
    const char *known = search.any ? dwarf_diename(&search.found) : NULL;
    Dwarf_Attribute attribute;
    if (search.any && !known && dwarf_attr_integrate(&search.found, DW_AT_name, &attribute))
        known = dwarf_formstring(&attribute);
    if (known)
        str_append(out, known);
    else
        write_symbol(name, out);
    Dwarf_Die type;
    if (search.any && type_of(&search.found, &type))
        write_members(&type, offset, out);
    else if (offset)
        str_printf(out, "+%llu", (unsigned long long)offset);
    return true;
}
