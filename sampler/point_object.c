#include "sampler/point_object.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

/* ---- the file ---- */

/* Debug information is not looked for: that may ask servers. */
static int find_no_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                             const char *file, const char *link, GElf_Word crc, char **found)
{
    (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc;
    *found = NULL;
    return -1;
}

static const Dwfl_Callbacks callbacks = {.section_address = dwfl_offline_section_address,
                                         .find_debuginfo = find_no_debuginfo};

static int by_address(const void *a, const void *b)
{
    const struct object_function *p = a, *q = b;
    if (p->address != q->address)
        return p->address < q->address ? -1 : 1;
    return strcmp(p->symbol, q->symbol);
}

static void leave_out_twins(struct point_object *object)
{
    size_t kept = 0;
    if (object->count)
        qsort(object->functions, object->count, sizeof *object->functions, by_address);
    for (size_t i = 0; i < object->count; i++)
        if (!kept || by_address(&object->functions[kept - 1], &object->functions[i]) != 0)
            object->functions[kept++] = object->functions[i];
    object->count = kept;
}

static void list_functions(struct point_object *object, Dwfl_Module *module, GElf_Addr bias)
{
    size_t capacity = 0;
    int count = dwfl_module_getsymtab(module);
    for (int i = 1; i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr value;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &value, NULL, NULL, NULL);
        if (name && *name && symbol.st_shndx != SHN_UNDEF &&
            GELF_ST_TYPE(symbol.st_info) == STT_FUNC)
            VEC_PUSH(object->functions, object->count, capacity) =
                (struct object_function){name, value - bias, symbol.st_size};
    }
    leave_out_twins(object);
}

bool point_object_open(struct point_object *object, const char *path, struct error *error)
{
    GElf_Addr bias = 0;
    GElf_Ehdr header;
    *object = (struct point_object){.dwfl = dwfl_begin(&callbacks)};
    str_append(&object->path, path);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        error_set(error, ERROR_USAGE, "Points of %s cannot be watched: %s.", path, strerror(errno));
        point_object_close(object);
        return false;
    }
    Dwfl_Module *module = object->dwfl ? dwfl_report_offline(object->dwfl, path, path, fd) : NULL;
    if (!module)
        close(fd);
    else
        dwfl_report_end(object->dwfl, NULL, NULL);
    object->elf = module ? dwfl_module_getelf(module, &bias) : NULL;
    if (!object->elf || !gelf_getehdr(object->elf, &header)) {
        error_set(error, ERROR_USAGE,
                  "Points of %s cannot be watched: it is no program and no library. Of a script, "
                  "name the program that does the work: FUNCTION@FILE.",
                  path);
        point_object_close(object);
        return false;
    }
    object->machine = header.e_machine;
    list_functions(object, module, bias);
    return true;
}

void point_object_close(struct point_object *object)
{
    if (object->dwfl)
        dwfl_end(object->dwfl);
    memory_free(object->functions);
    str_release(&object->path);
    *object = (struct point_object){0};
}

/* ---- addresses ---- */

static bool segment_of(const struct point_object *object, uint64_t address, GElf_Phdr *segment)
{
    size_t count = 0;
    if (elf_getphdrnum(object->elf, &count) != 0)
        return false;
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(object->elf, (int)i, segment) && segment->p_type == PT_LOAD &&
            address >= segment->p_vaddr && address - segment->p_vaddr < segment->p_filesz)
            return true;
    return false;
}

bool point_object_offset(const struct point_object *object, uint64_t address, uint64_t *offset)
{
    GElf_Phdr segment;
    if (!segment_of(object, address, &segment))
        return false;
    *offset = address - segment.p_vaddr + segment.p_offset;
    return true;
}

const unsigned char *point_object_bytes(const struct point_object *object, uint64_t address,
                                        size_t size)
{
    GElf_Phdr segment;
    size_t whole = 0;
    const char *file = elf_rawfile(object->elf, &whole);
    if (!file || !segment_of(object, address, &segment) ||
        size > segment.p_filesz - (address - segment.p_vaddr))
        return NULL;
    uint64_t at = address - segment.p_vaddr + segment.p_offset;
    return at <= whole && size <= whole - at ? (const unsigned char *)file + at : NULL;
}

const struct object_function *point_object_function_at(const struct point_object *object,
                                                       uint64_t address)
{
    size_t low = 0, high = object->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (object->functions[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < object->count && object->functions[low].address == address
               ? &object->functions[low]
               : NULL;
}

/* ---- sections ---- */

Elf_Scn *point_object_section(const struct point_object *object, const char *name,
                              GElf_Shdr *header)
{
    size_t names;
    Elf_Scn *section = NULL;
    if (elf_getshdrstrndx(object->elf, &names) != 0)
        return NULL;
    while ((section = elf_nextscn(object->elf, section)) != NULL) {
        const char *its =
            gelf_getshdr(section, header) ? elf_strptr(object->elf, names, header->sh_name) : NULL;
        if (its && strcmp(its, name) == 0)
            return section;
    }
    return NULL;
}

/* Who catches, or cleans up, has such tables; C has them only where it was asked for. */
bool point_object_may_throw(const struct point_object *object)
{
    GElf_Shdr header;
    return point_object_section(object, ".gcc_except_table", &header) != NULL;
}
