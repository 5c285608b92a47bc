/* call_chain.h - the functions that a thread was in, from words of its stack.
 *
 *     struct chain_call calls[64];
 *     uint32_t count = call_chain(symbolizer, stack, stack_count, calls, 64);
 *     calls[0].name "_ZNSt5mutex6unlockEv", calls[1].name "_Z14sweep_sessionsRm", ... "_Z7sweeperv"
 *
 * Not each word that points into code is a return: some were left by earlier calls. The first one
 * is taken; after a return into f the next one is sought that stands behind a call of f, else
 * behind one through a pointer or into another object. Names are the linker's, without what the
 * compiler appends to parts and copies of a function; where debug information tells of functions
 * that were inlined, theirs come first. They belong to the symbolizer.
 */
#ifndef SYMBOL_CALL_CHAIN_H
#define SYMBOL_CALL_CHAIN_H

#include <stdint.h>

struct symbolizer;

struct chain_call {
    const char *name;
    uint32_t line; /* where the function begins, by debug information; 0: not known */
};

uint32_t call_chain(struct symbolizer *symbolizer, const uint64_t *stack, uint32_t stack_count,
                    struct chain_call *calls, uint32_t most);

#endif
