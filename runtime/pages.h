/* pages.h - memory of the runtime's own: zeros, of which only what is touched takes room.
 *
 *     struct stacks *s = pages_take(sizeof *s);             NULL: there is none
 *     table = pages_take_once(&shared_table, bytes);        the same for all threads that ask
 *
 * Private to the process: a forked child has a copy. Signal-safe; errno is not kept.
 */
#ifndef RUNTIME_PAGES_H
#define RUNTIME_PAGES_H

#include <stddef.h>

void *pages_take(size_t bytes);
void pages_give(void *pages, size_t bytes);

/* `pointer` is the address of a pointer that is NULL until the first thread comes here. */
void *pages_take_once(void *pointer, size_t bytes);

#endif
