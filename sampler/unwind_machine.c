#include "sampler/unwind_machine.h"

#include <elf.h>

#if defined(__x86_64__)
const uint8_t unwind_kept[UNWIND_KEPT] = {3, 6, 12, 13, 14, 15, UNWIND_RETURN};

/* linux/asm/perf_regs.h: ax bx cx dx si di bp sp ip, then r8 to r15. */
const uint64_t unwind_asked = 0xff01ff;

uint64_t unwind_registers_take(struct unwind_registers *registers, const uint64_t *given)
{
    static const uint8_t number_of[17] = {0, 3, 2,  1,  4,  5,  6,  7, UNWIND_RETURN,
                                          8, 9, 10, 11, 12, 13, 14, 15};
    registers->known = 0;
    for (unsigned i = 0; i < 17; i++)
        unwind_set(registers, number_of[i], given[i]);
    return given[8];
}

uint64_t unwind_argument_of(const uint64_t *given)
{
    return given[5];
}

uint64_t unwind_code_address(uint64_t value)
{
    return value;
}

bool unwind_is_machine(unsigned char elf_class, uint16_t machine)
{
    return elf_class == ELFCLASS64 && machine == EM_X86_64;
}
#elif defined(__aarch64__)
const uint8_t unwind_kept[UNWIND_KEPT] = {19, 20, 21, 22, 23, 24,
                                          25, 26, 27, 28, 29, UNWIND_RETURN};

/* x0 to x30, the stack pointer, the program counter. */
const uint64_t unwind_asked = (UINT64_C(1) << 33) - 1;

uint64_t unwind_registers_take(struct unwind_registers *registers, const uint64_t *given)
{
    registers->known = 0;
    for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
        unwind_set(registers, i, given[i]);
    return given[32];
}

uint64_t unwind_argument_of(const uint64_t *given)
{
    return given[0];
}

/* User space has 48 bits, or 52. */
uint64_t unwind_code_address(uint64_t value)
{
    return value & ((UINT64_C(1) << 52) - 1);
}

bool unwind_is_machine(unsigned char elf_class, uint16_t machine)
{
    return elf_class == ELFCLASS64 && machine == EM_AARCH64;
}
#else
const uint8_t unwind_kept[UNWIND_KEPT];
const uint64_t unwind_asked = 0;

uint64_t unwind_registers_take(struct unwind_registers *registers, const uint64_t *given)
{
    (void)given;
    registers->known = 0;
    return 0;
}

uint64_t unwind_argument_of(const uint64_t *given)
{
    (void)given;
    return 0;
}

uint64_t unwind_code_address(uint64_t value)
{
    return value;
}

bool unwind_is_machine(unsigned char elf_class, uint16_t machine)
{
    (void)elf_class, (void)machine;
    return false;
}
#endif
