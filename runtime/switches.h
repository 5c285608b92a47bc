/* switches.h - which probes are on: one byte each, in a file that all processes of a run share.
 *
 *     program's array   [1|1|0|1|...]  <- mapped over by $VPROF_TRACE_DIR/control.shm, read only
 *
 * Whoever may write to the file switches probes while the program runs. Byte 0 is no probe's: it
 * is 1 where the array is mapped. One thread at a time; errno is not kept.
 */
#ifndef RUNTIME_SWITCHES_H
#define RUNTIME_SWITCHES_H

#include <stdint.h>

/* `array` has `count` bytes of a linked object, whole pages that nothing else lies in. Where no
 * file can be mapped over them they are all set, and stay so. */
void switches_map(unsigned char *array, uint64_t count);

#endif
