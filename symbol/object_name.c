#include "symbol/object_name.h"

void object_names_release(struct object_names *names)
{
    hash_map_release(&names->of);
    hash_map_release(&names->held);
    intern_release(&names->texts);
}

uint32_t object_names_find(const struct object_names *names, uint64_t object)
{
    const uint64_t *number = hash_map_get(&names->of, object);
    return number ? (uint32_t)(*number - 1) : INTERN_NONE;
}
