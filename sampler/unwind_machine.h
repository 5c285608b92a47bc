/* unwind_machine.h - the registers of the machine that this is compiled for, as unwinding needs them.
 *
 * Registers have DWARF's numbers: System V ABI for AMD64, figure 3.36; DWARF for the Arm 64-bit
 * architecture, section 4.1. A caller's are known only where its callee keeps them: those of
 * `unwind_kept`, and the stack pointer.
 */
#ifndef SAMPLER_UNWIND_MACHINE_H
#define SAMPLER_UNWIND_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__aarch64__)
enum {
    UNWIND_REGISTERS = 32,
    UNWIND_STACK = 31,  /* the stack pointer */
    UNWIND_FRAME = 29,  /* the frame pointer */
    UNWIND_RETURN = 30, /* the return address */
    UNWIND_KEPT = 12
};
#else
enum {
    UNWIND_REGISTERS = 17,
    UNWIND_STACK = 7,
    UNWIND_FRAME = 6,
    UNWIND_RETURN = 16,
    UNWIND_KEPT = 7
};
#endif
/* The return address among them. */
extern const uint8_t unwind_kept[UNWIND_KEPT];

/* A thread's, in one of its frames. */
struct unwind_registers {
    uint64_t values[UNWIND_REGISTERS];
    uint64_t known; /* a bit for each */
};

static inline bool unwind_knows(const struct unwind_registers *registers, unsigned number)
{
    return number < UNWIND_REGISTERS && (registers->known >> number & 1) != 0;
}

static inline void unwind_set(struct unwind_registers *registers, unsigned number, uint64_t value)
{
    registers->values[number] = value;
    registers->known |= UINT64_C(1) << number;
}

/* As perf_event_attr.sample_regs_user; 0: on this machine nothing can be unwound. */
extern const uint64_t unwind_asked;

/* From those that the kernel gave, in the order of its numbers. The address that the thread was at
 * is the result. */
uint64_t unwind_registers_take(struct unwind_registers *registers, const uint64_t *given);
/* The first argument of a system call. */
uint64_t unwind_argument_of(const uint64_t *given);
/* An address without what the machine may have signed it with. */
uint64_t unwind_code_address(uint64_t value);
/* Whether programs for it can be unwound: EI_CLASS and e_machine of their files. */
bool unwind_is_machine(unsigned char elf_class, uint16_t machine);

#endif
