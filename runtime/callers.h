/* callers.h - from where in the program a release came.
 *
 *     callers_learn(text, size);             the code of an object that has notes
 *     unsigned number = callers_number();    0: nothing is known
 *
 * The stack is not unwound, which takes tables, and locks around them. Of its nearest words those
 * that point into the program's code are written down (TRACE_CALLERS), once for a thread and chunk;
 * after that their number says it. Which of them are returns, and of which calls, who reads the
 * trace finds out from the code.
 *
 * It is for releases that somebody waits for, as it costs some hundred ns. Signal-safe; keeps
 * errno.
 */
#ifndef RUNTIME_CALLERS_H
#define RUNTIME_CALLERS_H

#include <stddef.h>
#include <stdint.h>

void callers_learn(uintptr_t text, size_t size);
unsigned callers_number(void);

#endif
