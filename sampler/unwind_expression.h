/* unwind_expression.h - computes what a DWARF expression says, for the frames whose callers no fixed
 * offset leads to: stubs of the linker's tables, signal frames, hand-written code.
 *
 *     DW_OP_breg7 8, DW_OP_breg16 0, DW_OP_lit15, DW_OP_and, DW_OP_lit11, DW_OP_ge, ...
 *
 * It can run for ever in no way: each operation counts. DWARF 5, section 2.5.
 */
#ifndef SAMPLER_UNWIND_EXPRESSION_H
#define SAMPLER_UNWIND_EXPRESSION_H

#include <elfutils/libdw.h>

#include "sampler/unwind_machine.h"

struct unwind_context {
    const struct unwind_registers *registers;
    uint64_t cfa; /* the frame's canonical address, once it is known */
    bool (*read)(void *memory, uint64_t address, uint64_t *word);
    void *memory;
};

/* The location that the operations give is read, unless they say that it is the value itself, or
 * `located` is false. False: it cannot be told. */
bool unwind_expression(const struct unwind_context *context, const Dwarf_Op *operations,
                       size_t count, bool located, uint64_t *value);

#endif
