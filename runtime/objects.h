/* objects.h - the numbers that stand in the trace for the objects that threads wait for.
 *
 *     record->object = objects_number((uintptr_t)mutex);
 *
 * An object in shared memory has the same number in all processes, made of its file and where it
 * lies there; any other has its address. What is shared is learned from /proc/self/maps: when
 * recording starts, and again when an object lies where nothing is known to be mapped. That takes
 * about 100 us, so there are pauses of a hundred times as long; until then such an object has its
 * address, and readers look it up in the maps that the trace has. Memory that the program maps
 * shared, and shared memory that it unmaps or maps over, is forgotten; where that finds another
 * thread at it, all is, until the next look.
 *
 * Any thread may call these; who finds another one at it goes on without. Signal-safe.
 */
#ifndef RUNTIME_OBJECTS_H
#define RUNTIME_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of an object is found with errno kept. */
uint64_t objects_number(uintptr_t address);

/* The process learns what is mapped, and writes it to the trace. errno is not kept. */
void objects_record(void);

/* Objects were loaded: what is mapped is written, the first times at once and then after a pause.
 * It is due if some were loaded since it was written. errno is not kept. */
void objects_loaded(void);
bool objects_are_due(void);

/* The child of a fork has a trace without maps. objects_begin() writes them when it first records,
 * which most children never do. */
void objects_forked(void);
void objects_begin(void);

/* The program has called mmap, munmap, shmat or shmdt. If it has unmapped something, only shared
 * memory need be forgotten; a `size` of 0 is all that was mapped with `start`. Neither waits. errno
 * is kept. */
void objects_forget_mapped(const void *start, size_t size);
void objects_forget_unmapped(const void *start, size_t size);

#endif
