/* process_maps.h - what a process may execute, and of which files it is.
 *
 *     7f31a0c28000-7f31a0d7d000 r-xp 00028000 08:01 1573 /usr/lib/x86_64-linux-gnu/libc.so.6
 *
 * They are read from /proc/PID/maps, which may be longer than anything else here: again only where an
 * address lies in none. In between the kernel's events tell what is mapped; of a process that has
 * ended before it was looked at, they alone do.
 */
#ifndef SAMPLER_PROCESS_MAPS_H
#define SAMPLER_PROCESS_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/str.h"

struct unwind_object;

struct process_map {
    uint64_t begin, end, offset; /* the offset is the file's */
    uint64_t inode;
    const char *path;             /* "": memory of no file */
    struct unwind_object *object; /* NULL: not looked for yet */
    uint64_t bias; /* of the process's addresses to the object's, once that was found */
    bool placed;   /* it was found */
};

struct process_maps {
    pid_t pid;
    struct process_map *items; /* what can be executed, by address */
    size_t count, capacity;
    struct arena arena;  /* of paths */
    struct str text;     /* as it was last read */
    struct str *earlier; /* those that had files which later ones have not, the oldest first */
    size_t earlier_count, earlier_capacity;
    uint64_t read_ns; /* when */
    bool changed;     /* something was told since then */
    bool covered;     /* and a file that was there is no more */
    bool used;        /* something was found in them */
};

/* Reads them. False, and nothing changes: they cannot be read, as of a process that has ended. */
bool process_maps_read(struct process_maps *maps);
/* A new process begins with all of its maker's. */
void process_maps_copy(struct process_maps *maps, const struct process_maps *maker);
/* Is told to be mapped, in place of what was there. The path is copied. */
void process_maps_add(struct process_maps *maps, struct process_map map);
/* The text as it was last read; or, where more was told since then, what is known, in the form of a
 * text that was read. Valid until the next call. */
const char *process_maps_text(struct process_maps *maps);
/* The map that the address lies in, or NULL. Valid until they are read, or something is forgotten. */
struct process_map *process_maps_find(struct process_maps *maps, uint64_t address);
/* Nothing of it is there any more. */
void process_maps_forget(struct process_maps *maps, uint64_t begin, uint64_t end);
void process_maps_release(struct process_maps *maps);

#endif
