#include "symbol/symbolizer.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "symbol/symbolizer_inside.h"

/* The standard function would look in system folders, and over the network where the environment
 * names a server. */
static int find_no_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                             const char *file, const char *link, GElf_Word crc, char **found)
{
    (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc;
    *found = NULL;
    return -1;
}

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_linux_proc_find_elf,
    .find_debuginfo = find_no_debuginfo,
};

static bool report_maps(Dwfl *dwfl, const char *maps_text)
{
    FILE *file = *maps_text ? fmemopen((void *)maps_text, strlen(maps_text), "r") : NULL;
    if (!file)
        return false;
    dwfl_report_begin(dwfl);
    bool ok = dwfl_linux_proc_maps_report(dwfl, file) == 0;
    ok = dwfl_report_end(dwfl, NULL, NULL) == 0 && ok;
    fclose(file);
    return ok;
}

struct symbolizer *symbolizer_open(const char *maps_text)
{
    struct symbolizer *symbolizer = memory_zeroed(sizeof *symbolizer);
    symbolizer->dwfl = dwfl_begin(&callbacks);
    if (symbolizer->dwfl && !report_maps(symbolizer->dwfl, maps_text)) {
        dwfl_end(symbolizer->dwfl);
        symbolizer->dwfl = NULL;
    }
    return symbolizer;
}

static bool is_function(const GElf_Sym *symbol)
{
    return GELF_ST_TYPE(symbol->st_info) == STT_FUNC ||
           GELF_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC;
}

/* A pointer to a library's function, in a program that is not position-independent, is the address
 * of its entry in the procedure linkage table, which the undefined symbol holds. */
static const char *find_linkage_entry(Dwfl_Module *module, uint64_t address)
{
    int count = dwfl_module_getsymtab(module);
    for (int i = 1; i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr value;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &value, NULL, NULL, NULL);
        if (name && symbol.st_shndx == SHN_UNDEF && is_function(&symbol) &&
            symbol.st_value == address)
            return name;
    }
    return NULL;
}

static const char *find_name(const struct symbolizer *symbolizer, uint64_t address)
{
    Dwfl_Module *module = symbolizer->dwfl ? dwfl_addrmodule(symbolizer->dwfl, address) : NULL;
    if (!module)
        return NULL;
    GElf_Off offset;
    GElf_Sym symbol;
    const char *name = dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL);
    if (name && *name && is_function(&symbol) && (offset < symbol.st_size || symbol.st_size == 0))
        return name;
    return find_linkage_entry(module, address);
}

const char *symbolizer_name(struct symbolizer *symbolizer, uint64_t address)
{
    const uint64_t *known = hash_map_get(&symbolizer->names, address);
    if (known)
        return (const char *)(uintptr_t)*known;
    const char *name = find_name(symbolizer, address);
    const char *copy = NULL;
    if (name && *name) {
        size_t length = 1 + strcspn(name + 1, "@");
        copy = arena_strndup(&symbolizer->arena, name, length);
    }
    *hash_map_put(&symbolizer->names, address) = (uintptr_t)copy;
    return copy;
}

void symbolizer_close(struct symbolizer *symbolizer)
{
    if (!symbolizer)
        return;
    if (symbolizer->dwfl)
        dwfl_end(symbolizer->dwfl);
    arena_release(&symbolizer->arena);
    hash_map_release(&symbolizer->names);
    memory_free(symbolizer);
}
