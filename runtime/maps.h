/* maps.h - /proc/self/maps: for naming addresses, in the trace, and for finding what is mapped.
 *
 * Any thread may call these. Signal-safe, but for maps_name(). errno is not kept.
 */
#ifndef RUNTIME_MAPS_H
#define RUNTIME_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#define MAPS_REST_BYTES 512u

/* A line of /proc/self/maps is not to be copied, as `path` points into it. */
struct maps_line {
    uintptr_t start, end;
    char rest[MAPS_REST_BYTES]; /* of the line, from its permissions on; of a longer one those */
    uint64_t offset, inode;
    unsigned major, minor;
    const char *path; /* in `rest`; NULL: there is none, or it is too long */
    const struct maps_line *next;
};

/* The line becomes that of the mapping which holds the address. False: there is none, or it can't
 * be told. */
bool maps_find(uintptr_t address, struct maps_line *line);

/* From now on maps_read() gives `line` where another file is mapped over it. The line stays. */
void maps_name(struct maps_line *line);

/* `take` is given all that is mapped now, ascending; with `write` the trace gets it, too. False: it
 * can't be told. */
typedef void maps_take(void *context, const struct maps_line *line);
bool maps_read(maps_take *take, void *context, bool write);

#endif
