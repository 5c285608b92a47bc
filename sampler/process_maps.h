/* process_maps.h - what a process may execute, and of which files it is.
 *
 *     7f31a0c28000-7f31a0d7d000 r-xp 00028000 08:01 1573 /usr/lib/x86_64-linux-gnu/libc.so.6
 *
 * They are read from /proc/PID/maps, which may be longer than anything else here: again only where an
 * address lies in none. In between the kernel's events tell what is mapped; of a process that has
 * ended before it was looked at, they alone do.
 *
 * Events of several processors come out of order, and a library may lie where another one lay before:
 *
 *     0 s to 2 s   one.so  at 7f31a0c00000     told as it is
 *     from 2 s on  two.so  at 7f31a0c00000     told at 1007f31a0c00000: an address in a stack has one meaning
 *
 * So each map has its time, and those that are gone are kept for a while.
 */
#ifndef SAMPLER_PROCESS_MAPS_H
#define SAMPLER_PROCESS_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/hash_map.h"
#include "base/str.h"

struct unwind_object;

struct process_map {
    uint64_t begin, end, offset; /* the offset is the file's */
    uint64_t inode;
    const char *path;             /* "": memory of no file */
    struct unwind_object *object; /* NULL: not looked for yet */
    uint64_t bias; /* of the process's addresses to the object's, once that was found */
    uint64_t told; /* what stacks add to its addresses */
    uint64_t since_ns, until_ns; /* CLOCK_MONOTONIC; it was there. 0: from the first; to the last */
    bool placed;                 /* the bias was found */
    bool used;                   /* an address of a stack lies in it */
};

struct process_maps {
    pid_t pid;
    struct intern *paths;      /* borrowed */
    struct process_map *items; /* what can be executed, by address */
    size_t count, capacity;
    struct process_map *gone; /* of late; the oldest makes room */
    size_t gone_count, gone_capacity;
    uint64_t gone_all;        /* that ever were there */
    struct process_map *used; /* all that addresses of stacks lie in, each once */
    size_t used_count, used_capacity;
    uint64_t shifted; /* of them, told elsewhere than they were */
    struct str text;  /* as it was last read */
    uint64_t read_ns; /* when */
    bool changed;     /* something was told since then */
};

/* Reads them. False, and nothing changes: they cannot be read, as of a process that has ended. */
bool process_maps_read(struct process_maps *maps);
/* A new process begins with all of its maker's. */
void process_maps_copy(struct process_maps *maps, const struct process_maps *maker);
/* Is told to be mapped since map.since_ns, in place of what was there. The path is copied. */
void process_maps_add(struct process_maps *maps, struct process_map map);
/* The map that the address lay in at that time, or NULL. Valid until they are read, or changed. */
struct process_map *process_maps_find(struct process_maps *maps, uint64_t address,
                                      uint64_t time_ns);
/* An address of a stack lies in it: gives what is added to that. */
uint64_t process_maps_use(struct process_maps *maps, struct process_map *map);
/* Nothing of it is there any more, from that time on. */
void process_maps_forget(struct process_maps *maps, uint64_t begin, uint64_t end, uint64_t time_ns);
/* What the addresses of stacks lie in, in the form of a text that was read. False, and nothing is
 * appended: the text as it was last read tells all of it. */
bool process_maps_tell(const struct process_maps *maps, struct str *text);
void process_maps_release(struct process_maps *maps);

#endif
