/* quiet_call.h - calls of which nobody misses the probe.
 *
 * Clocks and sleeps: their time is their caller's, and what it is spent on is plain. What ends the
 * program or jumps has no end that could be timed. Names that are the implementation's own
 * (__errno_location, __assert_fail) are what the C library's headers make of their macros.
 */
#ifndef REWRITER_QUIET_CALL_H
#define REWRITER_QUIET_CALL_H

#include <stdbool.h>

/* The name is that of a function without a body in the tree. */
bool quiet_call_named(const char *name);

#endif
