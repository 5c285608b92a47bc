/* arena.h - memory that is released as a whole, one arena for each phase.
 *
 *     struct arena arena = {0};
 *     char *name = arena_strdup(&arena, "handle");
 *     arena_release(&arena);                      every pointer out of it dies here
 *
 * A zeroed struct is an empty arena. Memory is zeroed and aligned to 16 bytes. Running out of
 * memory ends the program with a message. Not for use by two threads at once.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *blocks; /* the newest first */
    size_t used;                /* bytes of the newest block that are given out */
    size_t total_bytes;         /* taken from the system */
    void **adopted;
    size_t adopted_count, adopted_capacity;
};

void *arena_alloc(struct arena *arena, size_t size_bytes);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The arena owns from here on what base/memory.h gave. */
void arena_adopt(struct arena *arena, void *memory);
void arena_release(struct arena *arena);

#define ARENA_NEW(arena, type) ((type *)arena_alloc(arena, sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_alloc(arena, sizeof(type) * (count)))

#endif
