/* caller_chain.h - the functions of the tree that a thread was in when it released or made a
 * thread.
 *
 *     const struct caller_chain *chain = caller_chain_of(&callees, block->waker_stack);
 *     chain->functions[0]                 "compact", which released; [1] "background", its caller
 *
 * Of those between them that are not in the tree nothing is told, nor of those of one symbol that
 * debug information does not tell apart. Kept by stack, in the callee table's arena.
 */
#ifndef SYMBOL_CALLER_CHAIN_H
#define SYMBOL_CALLER_CHAIN_H

#include <stdint.h>

struct callee_table;

struct caller_chain {
    uint32_t *functions; /* with a body, the innermost first; none is there twice in a row */
    uint32_t count;
};

/* The chain is empty for stack 0. */
const struct caller_chain *caller_chain_of(struct callee_table *callees, uint32_t stack);

#endif
