/* point_operand.h - where a value lies when a thread comes to a point: in a register, or in memory that
 * registers tell.
 *
 *     "8@%rax"  "-4@%edi"  "-4@$5"  "8@-24(%rbp)"  "4@16(%rsp,%rcx,8)"       as static probes say it
 *
 *     struct point_operand operand;
 *     if (point_operand_read(&operand, text, length))
 *         known = point_operand_value(&operand, &thread, &value);
 *
 * The form is that of x86-64's assembler in .note.stapsdt (systemtap, sys/sdt.h): size, negative for
 * signed ones, and operand. Memory is read only from the part of the stack that came with the hit: what
 * lies elsewhere may be another's by the time that one can look.
 */
#ifndef SAMPLER_POINT_OPERAND_H
#define SAMPLER_POINT_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/unwinder.h"

enum point_operand_kind { OPERAND_NONE, OPERAND_CONSTANT, OPERAND_REGISTER, OPERAND_MEMORY };

#define OPERAND_NO_REGISTER UINT8_MAX

struct point_operand {
    uint8_t kind;  /* enum point_operand_kind */
    uint8_t bytes; /* 1, 2, 4 or 8 */
    bool is_signed;
    bool high;           /* of a register: its second byte, as %ah */
    uint8_t base, index; /* REGISTER: base; MEMORY: of the address; as in unwinder_registers */
    uint8_t scale;
    int64_t constant; /* or the address's displacement */
};

/* False: it is of no such form. */
bool point_operand_read(struct point_operand *operand, const char *text, size_t length);
/* The argument of a function, 1 to 6, by the machine's calling convention (System V ABI, AMD64, 3.2.3;
 * AAPCS64, 6.8.2). */
struct point_operand point_operand_argument(uint8_t argument);
/* What a function returns. */
struct point_operand point_operand_returned(void);
/* False: it is not known. */
bool point_operand_value(const struct point_operand *operand, const struct unwinder_thread *thread,
                         uint64_t *value);
/* The stack pointer among the registers. */
uint64_t point_operand_stack(const struct unwinder_thread *thread);

#endif
