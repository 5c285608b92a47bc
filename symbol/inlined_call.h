/* inlined_call.h - the functions that were inlined at an address, by debug information.
 *
 *     struct inlined_call calls[16], into;
 *     uint32_t count = inlined_calls(symbolizer, address, calls, 16, &into);
 *     calls[0].name "_ZN4Lock4takeEv"    the innermost; `into`: where the function begins that has them
 *
 * Without debug information in the file itself there are none. Texts belong to the symbolizer.
 */
#ifndef SYMBOL_INLINED_CALL_H
#define SYMBOL_INLINED_CALL_H

#include <stdint.h>

struct symbolizer;

struct inlined_call {
    const char *name; /* the linker's; of `into` NULL */
    const char *file; /* where it is declared, without folders; "": not known */
    uint32_t line;    /* 0: not known */
};

uint32_t inlined_calls(struct symbolizer *symbolizer, uint64_t address, struct inlined_call *calls,
                       uint32_t most, struct inlined_call *into);

#endif
