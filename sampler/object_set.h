/* object_set.h - the objects that processes have mapped: each file once, however many map it.
 *
 * A file is found through the process's own map of it, so that it is the one that runs even where
 * another one has taken its name, or none has, or the name is of another mount namespace. Where that
 * is not allowed, by its name there, if the file of that name is still the same.
 */
#ifndef SAMPLER_OBJECT_SET_H
#define SAMPLER_OBJECT_SET_H

#include "base/hash_map.h"
#include "sampler/process_maps.h"
#include "sampler/unwind_object.h"

struct object_set {
    struct unwind_object **items;
    size_t count, capacity;
    struct hash_map of_file; /* hash of what tells a file from others -> 1 + index */
    struct intern paths;     /* that maps have, of all processes */
    struct intern lost;      /* paths of files that cannot be read; an object each */
    struct hash_map of_lost; /* their number -> 1 + index */
    struct unwind_object *vdso, *anonymous, *unknown; /* NULL: not met yet */
};

/* The object of a process's map, and how its addresses differ, are put there. */
void object_set_place(struct object_set *set, pid_t pid, struct process_map *map);
/* What counts for stacks that could not be followed at all. */
struct unwind_object *object_set_unknown(struct object_set *set);
void object_set_release(struct object_set *set);

#endif
