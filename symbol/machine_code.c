#include "symbol/machine_code.h"

#include <string.h>

#include "symbol/symbolizer_inside.h"

static bool segment_holds(const GElf_Phdr *h, uint64_t at)
{
    return h->p_type == PT_LOAD && at >= h->p_vaddr && at - h->p_vaddr <= h->p_filesz;
}

struct machine_code machine_code_before(const struct symbolizer *symbolizer, uint64_t address)
{
    GElf_Addr bias;
    GElf_Ehdr header;
    size_t count = 0, size;
    Dwfl_Module *module = symbolizer->dwfl ? dwfl_addrmodule(symbolizer->dwfl, address) : NULL;
    Elf *elf = module ? dwfl_module_getelf(module, &bias) : NULL;
    const char *file = elf ? elf_rawfile(elf, &size) : NULL;
    if (!file || !gelf_getehdr(elf, &header) || elf_getphdrnum(elf, &count) != 0)
        return (struct machine_code){0};
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr h;
        if (!gelf_getphdr(elf, (int)i, &h) || !segment_holds(&h, address - bias))
            continue;
        uint64_t in = address - bias - h.p_vaddr, at = h.p_offset + in;
        if (at <= size)
            return (struct machine_code){(const unsigned char *)file + at, in, header.e_machine};
    }
    return (struct machine_code){0};
}

/* Intel's manual, volume 2: PAUSE is f3 90; LOCK is f0, here before CMPXCHG, XADD or a bit's change
 * (0f), with or without a prefix for 64 bits (48), or before an operation with a constant (80 to 83).
 */
static bool may_spin_x86_64(const unsigned char *code, size_t size)
{
    for (size_t i = 0; i + 1 < size; i++) {
        unsigned next = code[i + 1];
        if ((code[i] == 0xf3 && next == 0x90) ||
            (code[i] == 0xf0 && (next == 0x0f || next == 0x48 || (next >= 0x80 && next <= 0x83))))
            return true;
    }
    return false;
}

/* YIELD, WFE and ISB; loads and stores that are exclusive (LDXR, LDAXR, STXR). */
static bool may_spin_aarch64(const unsigned char *code, size_t size)
{
    for (size_t i = 0; i + 4 <= size; i += 4) {
        uint32_t word;
        memcpy(&word, code + i, sizeof word);
        if (word == 0xd503203f || word == 0xd503205f || word == 0xd5033fdf ||
            (word & 0x3f000000) == 0x08000000)
            return true;
    }
    return false;
}

bool machine_code_may_spin(const struct symbolizer *symbolizer, uint64_t from, uint64_t until)
{
    struct machine_code code = machine_code_before(symbolizer, until);
    size_t size = until - from;
    if (until <= from || size > code.size)
        return false;
    return code.machine == EM_X86_64    ? may_spin_x86_64(code.end - size, size)
           : code.machine == EM_AARCH64 ? may_spin_aarch64(code.end - size, size)
                                        : false;
}
