#include "symbol/program_file.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/memory.h"
#include "symbol/program_file_inside.h"
#include "symbol/symbolizer_inside.h"

static char *debug_folders = "/usr/lib/debug";
static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                         .find_debuginfo = symbolizer_find_installed,
                                         .section_address = dwfl_offline_section_address,
                                         .debuginfo_path = &debug_folders};

static bool report(struct program_file *file, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    GElf_Addr bias = 0;
    file->dwfl = dwfl_begin(&callbacks);
    if (!file->dwfl || fd < 0) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    dwfl_report_begin(file->dwfl);
    file->module = dwfl_report_offline(file->dwfl, path, path, fd);
    if (!file->module)
        close(fd); /* which has it otherwise */
    dwfl_report_end(file->dwfl, NULL, NULL);
    file->elf = file->module ? dwfl_module_getelf(file->module, &bias) : NULL;
    file->bias = bias;
    return file->elf != NULL;
}

struct program_file *program_file_open(const char *path)
{
    struct program_file *file = memory_zeroed(sizeof *file);
    if (report(file, path))
        return file;
    program_file_close(file);
    return NULL;
}

bool program_file_has_units(struct program_file *file)
{
    Dwarf_Addr bias;
    return dwfl_module_nextcu(file->module, NULL, &bias) != NULL;
}

bool program_file_has_code(const struct program_file *file, uint64_t address)
{
    size_t count = 0;
    GElf_Phdr segment;
    elf_getphdrnum(file->elf, &count);
    for (size_t i = 0; i < count; i++)
        if (gelf_getphdr(file->elf, (int)i, &segment) && segment.p_type == PT_LOAD &&
            segment.p_flags & PF_X && address >= segment.p_vaddr &&
            address - segment.p_vaddr < segment.p_memsz)
            return true;
    return false;
}

void program_file_close(struct program_file *file)
{
    if (!file)
        return;
    if (file->dwfl)
        dwfl_end(file->dwfl);
    arena_release(&file->arena);
    memory_free(file);
}
