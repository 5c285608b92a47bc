/* maps.h - copies of /proc/self/maps in the trace, for naming addresses and shared objects.
 *
 * One is written when recording starts, and another when a thread waits for an object in memory
 * that was mapped since. Rereading costs about 100 us, so the pause between two doubles from 10 ms
 * to 10 s; until then an object in new memory is left for a later look.
 *
 * Threads: any; who finds another thread at it goes on without. Signal-safe. errno is not kept.
 */
#ifndef RUNTIME_MAPS_H
#define RUNTIME_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#define MAPS_REST_BYTES 512u

/* One line of /proc/self/maps; not to be copied. */
struct maps_line {
    uintptr_t start, end;
    char rest[MAPS_REST_BYTES]; /* of the line, from its permissions on */
    uint64_t offset, inode;
    unsigned major, minor;
    const char *path; /* in `rest`; NULL: there is none, or it is too long */
    const struct maps_line *next;
};

/* The mapping that holds the address. False: there is none, or it can't be told. */
bool maps_find(uintptr_t address, struct maps_line *line);

/* From now on the trace has `line` where another file is mapped in its place. It stays. */
void maps_name(struct maps_line *line);

/* Write the maps as they are now. */
void maps_record(void);

/* Write them if `object` lies in none that was recorded. Keeps errno. */
void maps_need(uintptr_t object);

/* In the child of a fork: its trace has no maps yet. maps_begin() writes them when it first
 * records, which most children never do. */
void maps_forked(void);
void maps_begin(void);

#endif
