#include "symbol/symbolizer.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mapped_path.h"
#include "base/memory.h"
#include "symbol/object_file.h"
#include "symbol/symbolizer_inside.h"

/* Installed by build id. The standard function would ask over the network, too, where the environment names a
 * server. */
int symbolizer_find_installed(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                              const char *file, const char *link, GElf_Word crc, char **found)
{
    (void)file, (void)link, (void)crc;
    return dwfl_build_id_find_debuginfo(module, user, name, base, file, link, crc, found);
}

/* What is known of a module's file: NULL: nothing; "": it is lost. */
static int find_file(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                     char **found, Elf **elf)
{
    const char *path = *user;
    if (!path)
        return dwfl_linux_proc_find_elf(module, user, name, base, found, elf);
    int fd = *path ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : -1;
    *found = fd >= 0 ? strdup(path) : NULL;
    return fd;
}

static char *debug_folders = "/usr/lib/debug";
static const Dwfl_Callbacks callbacks = {.find_elf = find_file,
                                         .find_debuginfo = symbolizer_find_installed,
                                         .debuginfo_path = &debug_folders};

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

/* ---- which files ---- */

struct placing {
    struct arena *arena;
    struct object_files *files;
    const char *maps;
};

/* Of the line that the address lies in; 0: there is none. */
static uint64_t inode_at(const char *maps, uint64_t address)
{
    while (*maps) {
        uint64_t from, until, inode;
        if (sscanf(maps, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %" SCNu64, &from, &until, &inode) ==
                3 &&
            from <= address && address < until)
            return inode;
        maps += strcspn(maps, "\n");
        maps += *maps == '\n';
    }
    return 0;
}

static int place_module(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr start,
                        void *context)
{
    const struct placing *placing = context;
    size_t length = mapped_path_length(name, strlen(name));
    const char *found;
    (void)module;
    if (object_files_find(placing->files, arena_strndup(placing->arena, name, length),
                          inode_at(placing->maps, start), &found))
        *user = arena_strdup(placing->arena, found ? found : "");
    return DWARF_CB_OK;
}

struct symbolizer *symbolizer_open_files(const char *maps_text, struct object_files *files)
{
    struct symbolizer *symbolizer = memory_zeroed(sizeof *symbolizer);
    struct placing placing = {&symbolizer->arena, files, maps_text};
    symbolizer->dwfl = dwfl_begin(&callbacks);
    if (symbolizer->dwfl && !report_maps(symbolizer->dwfl, maps_text)) {
        dwfl_end(symbolizer->dwfl);
        symbolizer->dwfl = NULL;
    }
    if (symbolizer->dwfl && files)
        dwfl_getmodules(symbolizer->dwfl, place_module, &placing, 0);
    return symbolizer;
}

struct symbolizer *symbolizer_open(const char *maps_text)
{
    return symbolizer_open_files(maps_text, NULL);
}

bool symbolizer_lost(struct symbolizer *symbolizer, uint64_t address)
{
    Dwfl_Module *module = symbolizer->dwfl ? dwfl_addrmodule(symbolizer->dwfl, address) : NULL;
    void **user = NULL;
    if (!module)
        return false;
    dwfl_module_info(module, &user, NULL, NULL, NULL, NULL, NULL, NULL);
    return user && *user && !*(const char *)*user;
}

/* ---- names ---- */

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
    unit_table_release(&symbolizer->units);
    memory_free(symbolizer);
}
