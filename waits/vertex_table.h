/* vertex_table.h - who waits and who is waited for: threads, and what is no thread.
 *
 *     0 .. tasks-1    threads, by the number that off_cpu.h gives them; the first is idle
 *     then            the timer, the network, other interrupts, nobody that is known
 *     then            block devices
 *
 * Threads that live shortly, one after the other, may be one vertex (short_lived.h): that of the first.
 */
#ifndef WAITS_VERTEX_TABLE_H
#define WAITS_VERTEX_TABLE_H

#include <stdint.h>

#include "trace/off_cpu.h"

/* Behind the threads, in this order. */
enum vertex_kind {
    VERTEX_TIMER,
    VERTEX_NETWORK,
    VERTEX_INTERRUPT,
    VERTEX_UNKNOWN,
    VERTEX_KINDS,
    VERTEX_DEVICE = VERTEX_KINDS,
    VERTEX_THREAD
};

struct vertex_table {
    const struct kernel_side *side; /* borrowed */
    const struct timelines *run;    /* borrowed; NULL: nothing is known but the kernel's side */
    uint32_t *of_task;              /* borrowed; NULL: each task is a vertex */
    const char **roles;             /* by task (process_role.h); borrowed; NULL: none is known */
    uint32_t count;
};

void vertex_table_init(struct vertex_table *vertices, const struct kernel_side *side);
uint32_t vertex_of_task(const struct vertex_table *vertices, uint32_t task);
enum vertex_kind vertex_kind_of(const struct vertex_table *vertices, uint32_t vertex);
/* The one vertex of a kind that is neither a thread nor a device. */
uint32_t vertex_of_kind(const struct vertex_table *vertices, enum vertex_kind kind);
bool vertex_is_of_run(const struct vertex_table *vertices, uint32_t vertex);
/* The network, or a thread of another program that is not the kernel's. */
bool vertex_is_client(const struct vertex_table *vertices, uint32_t vertex);
/* Whom a block was for that did not end by itself. */
uint32_t vertex_of_off(const struct vertex_table *vertices, const struct off_cpu *off);
/* A thread's name, or "timer", "network" ...; "" where a thread has none. */
const char *vertex_name(const struct vertex_table *vertices, uint32_t vertex);

#endif
