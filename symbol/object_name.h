/* object_name.h - what the locks and the like are called that threads were blocked by.
 *
 *     object_names_init(&names, callees);
 *     uint32_t number = object_names_find(&names, block->object);
 *     names.texts.text[number]                        "cache.lock", "server.c:40"
 *
 * The name of a variable or its member (symbol/variable_name.h); else of the member that the call
 * was given, by the source ("queue.lock"); else the place of the call that first waited, or the
 * function that it was in. Several objects of one name are numbered, "queue.lock #2", those first
 * that were waited for longest; objects that have less than OBJECT_LEAST of the waiting of their
 * name share it. Descriptors, threads and teams are told by their call alone.
 *
 * Made once for a run; read-only afterwards.
 */
#ifndef SYMBOL_OBJECT_NAME_H
#define SYMBOL_OBJECT_NAME_H

#include "base/hash_map.h"

#define OBJECT_LEAST 0.02
enum { OBJECT_MOST_NAMED = 256 }; /* all others are too little waited for to be looked up */

struct callee_table;

struct object_names {
    struct intern texts;  /* each name once */
    struct hash_map of;   /* object -> number of its name + 1 */
    struct hash_map held; /* number -> 1: a lock by the name of a variable or a member */
};

/* Looks names up through the callees' symbolizers. */
void object_names_init(struct object_names *names, struct callee_table *callees);
void object_names_release(struct object_names *names);

/* The result is the number of the object's name, or INTERN_NONE. */
uint32_t object_names_find(const struct object_names *names, uint64_t object);

#endif
