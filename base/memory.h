/* memory.h - the heap, for everything outside the target program.
 *
 * Running out of memory ends the program with a message: there is nothing better a command-line
 * tool could do. Thread-safe, as malloc is.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

void *memory_alloc(size_t size_bytes); /* not zeroed */
void *memory_zeroed(size_t size_bytes);
void *memory_zeroed_lines(size_t size_bytes);         /* begins where a line of 64 bytes does */
void *memory_resize(void *memory, size_t size_bytes); /* as realloc */
char *memory_strdup(const char *text);
void memory_free(void *memory);
/* Says that there is no memory of that size, as all functions here do, and ends the process. For
 * those who get memory by other means, as by mmap. */
void memory_none(size_t size_bytes) __attribute__((noreturn));

/* Room for one more element: `array` of `count` elements, `capacity` of them allocated.
 *     VEC_PUSH(list->items, list->count, list->capacity) = item;                                 */
#define VEC_PUSH(array, count, capacity)                                                           \
    (*((count) == (capacity)                                                                       \
           ? ((capacity) = (capacity) ? (capacity)*2 : 8,                                          \
              (array) = memory_resize((array), sizeof *(array) * (capacity)), &(array)[(count)++]) \
           : &(array)[(count)++]))

#endif
