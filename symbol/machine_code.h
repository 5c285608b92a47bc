/* machine_code.h - the machine code of a process, as its file has it.
 *
 *     struct machine_code code = machine_code_before(symbolizer, 0x401234);
 *     code.end[-1]                          the byte before that address, if code.size > 0
 */
#ifndef SYMBOL_MACHINE_CODE_H
#define SYMBOL_MACHINE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbolizer;

struct machine_code {
    const unsigned char *end; /* so many bytes before it can be read */
    size_t size;
    unsigned machine; /* EM_X86_64 ... */
};

/* What lies before an address; size 0: that is not known. */
struct machine_code machine_code_before(const struct symbolizer *symbolizer, uint64_t address);
/* Between the addresses lies what loops hold that wait on a processor: its hint that they do (pause,
 * yield), or an instruction that others may not come between (lock). */
bool machine_code_may_spin(const struct symbolizer *symbolizer, uint64_t from, uint64_t until);

#endif
