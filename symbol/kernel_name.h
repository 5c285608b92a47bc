/* kernel_name.h - what time off the processor is called, and who had the processor meanwhile.
 *
 *     callee_of_off(&callees, off)       "disk vda (read)", "timer", "waiting for a processor"
 *     callee_of_task(&callees, task)     "hog", where a thread of the run began; "backup (process)"
 */
#ifndef SYMBOL_KERNEL_NAME_H
#define SYMBOL_KERNEL_NAME_H

#include "symbol/callee_table.h"
#include "trace/off_cpu.h"

/* What it was blocked by in [out, woken]. */
uint32_t callee_of_off(struct callee_table *callees, const struct off_cpu *off);
/* A task that is known, and not the idle one. */
uint32_t callee_of_task(struct callee_table *callees, uint32_t task);

#endif
