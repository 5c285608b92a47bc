/* crowd.h - functions that are called at so many places of one function that they may not be
 * inlined there.
 *
 *     #define STEP {int i __attribute__((cleanup(step))) = 1;}
 *     int main(void) { STEP STEP STEP ... }     step: 65,536 places
 *
 * A probe is text that no pass of a compiler may move, merge or drop, and some passes take a time
 * that grows with the square of what stands in one function. GCC stops to inline where a function
 * has grown much, clang does not. So the function that stands at most places is marked
 * (fact_function.crowded), and the next one, until the other places are few. A small one that is
 * called at more places than a compiler takes as calls is not timed.
 */
#ifndef REWRITER_CROWD_H
#define REWRITER_CROWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_map.h"

struct facts;

struct crowd_member {
    uint32_t function; /* FUNCTION_NONE: found by its name in the end */
    const char *name;
    uint32_t places;
};

/* A crowd is what one function's body calls. */
struct crowd {
    struct crowd_member *members;
    size_t count, capacity;
    struct hash_map known; /* function, or number of a name -> member + 1 */
    struct intern names;
    uint32_t places; /* of all of them */
};

/* One more place is added. `name` is borrowed; it is NULL where the function is known. */
void crowd_add(struct crowd *crowd, uint32_t function, const char *name);
/* A crowd that is not large marks no function. */
bool crowd_is_large(const struct crowd *crowd);
/* Functions with a body are marked; all are known by now. */
void crowd_mark(struct crowd *crowd, struct facts *facts);
void crowd_release(struct crowd *crowd);

#endif
