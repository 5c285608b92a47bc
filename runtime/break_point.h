/* break_point.h - a thread is told each time that it comes to a place in the code.
 *
 *     int error = break_point_start(addresses, count, came);      before the process has a second thread; 0, or errno
 *     break_point_ns()                                            what each costs
 *
 * The processor's own registers for that, of which it has four, stop the thread there, and send it a trap (trap.h): the code
 * is as it was. On other processors than x86-64 there are none: the kernel does not step over the place when it has sent a
 * trap, and the thread would come to it for ever.
 */
#ifndef RUNTIME_BREAK_POINT_H
#define RUNTIME_BREAK_POINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BREAK_POINTS = 4 };

/* Where the kernel refuses one of them there is none. */
int break_point_start(const uintptr_t *addresses, size_t count, void (*came)(void));
/* The child of a fork calls this where its parent had some, of which it has none. The result is as above. */
int break_point_forked(void);
/* False, once: there were some, but the program has closed their descriptors, or taken the signal. */
bool break_point_check(void);
/* Of the fastest of several, without what is done when it comes; 0: not known. */
uint64_t break_point_ns(void);

#endif
