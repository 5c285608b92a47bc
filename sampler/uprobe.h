/* uprobe.h - a perf event at an instruction of a file, by the kernel's PMU "uprobe".
 *
 *     uint32_t type;
 *     if (uprobe_type(&type)) attr = uprobe_attr(type, "/usr/sbin/server", 0x1130, 0);
 */
#ifndef SAMPLER_UPROBE_H
#define SAMPLER_UPROBE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

/* False: this kernel has none, or /sys is not mounted. */
bool uprobe_type(uint32_t *type);
/* Borrows the path. `counter` is the offset of what counts those who watch, or 0. */
struct perf_event_attr uprobe_attr(uint32_t type, const char *file, uint64_t offset,
                                   uint64_t counter);
/* The function that begins there returns: the kernel's return probe, which puts an address of its own into the stack. */
void uprobe_at_return(struct perf_event_attr *attr);

#endif
