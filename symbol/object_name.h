/* object_name.h - what the locks and the like are called that threads were blocked by.
 *
 *     uint32_t number = object_names_find(&names, block->object);
 *     names.texts.text[number]                        "cache.lock", "server.c:40"
 *
 * Empty as long as nobody gave them any (symbol/object_naming.h); read-only afterwards.
 */
#ifndef SYMBOL_OBJECT_NAME_H
#define SYMBOL_OBJECT_NAME_H

#include "base/hash_map.h"

struct object_names {
    struct intern texts;  /* each name once */
    struct hash_map of;   /* object -> number of its name + 1 */
    struct hash_map held; /* number -> 1: a lock by the name of a variable or a member */
};

void object_names_release(struct object_names *names);

/* The result is the number of the object's name, or INTERN_NONE. */
uint32_t object_names_find(const struct object_names *names, uint64_t object);

#endif
