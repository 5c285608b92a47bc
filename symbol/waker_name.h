/* waker_name.h - what a thread is called that ended another one's block.
 *
 *     uint32_t callee = callee_of_waker(&callees, block);       "compact", or "thread sweeper"
 */
#ifndef SYMBOL_WAKER_NAME_H
#define SYMBOL_WAKER_NAME_H

#include "symbol/callee_table.h"

/* The waker of a block has a name: the function that holds the release, or the start function of a
 * thread that was joined; else the one that the thread began in, or its name: "thread sweeper". */
uint32_t callee_of_waker(struct callee_table *callees, const struct block *block);

/* A thread where no function that it was in is known: the one that it began in, or its name. */
uint32_t callee_of_unknown(struct callee_table *callees, uint32_t thread);

#endif
