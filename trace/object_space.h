/* object_space.h - which object of one process is which of another.
 *
 *     7f01a000-7f01b000 rw-s 00000000 00:01 1026   /dev/zero (deleted)
 *
 * A place in shared memory is known by the device, inode and offset of what is mapped there; most
 * records have it so, as trace_format.h tells. Any other address is known by its process. Both
 * become one 64-bit number (a hash; 10^6 objects collide with a chance of 3 in 10^8).
 *
 * A process's maps may be older than a mapping. An address that they do not know at all is looked
 * for in what its parent and its children share, because a fork keeps addresses:
 *
 *     object_space_init(&space, process, maps);
 *     object_space_learn(&space, &parent);  ... each child ...
 *     object_space_ready(&space);
 *     object = object_space_find(&space, address);
 */
#ifndef TRACE_OBJECT_SPACE_H
#define TRACE_OBJECT_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct object_range {
    uint64_t start;
    uint64_t end;
    uint64_t file; /* hash of device and inode */
    uint64_t offset;
    bool shared;
};

struct object_ranges {
    struct object_range *items; /* ascending, disjoint once sorted */
    size_t count;
    size_t capacity;
};

struct object_space {
    uint32_t process;
    struct object_ranges own;
    struct object_ranges learned;
};

/* `maps` is the text of /proc/self/maps; lines that make no sense are passed over. */
void object_space_init(struct object_space *space, uint32_t process, const char *maps);
void object_space_learn(struct object_space *space, const struct object_space *relative);
void object_space_ready(struct object_space *space);
void object_space_release(struct object_space *space);

/* The result is the object's number where it is shared; false: its address is private, or not
 * known. */
bool object_space_shared(const struct object_space *space, uint64_t address, uint64_t *object);
uint64_t object_space_private(const struct object_space *space, uint64_t address);
/* The object's number is the one of the two that applies. */
uint64_t object_space_find(const struct object_space *space, uint64_t address);

#endif
