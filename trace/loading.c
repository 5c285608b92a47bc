#include "trace/loading.h"

#include <string.h>

#include "base/memory.h"

const char *loading_name(struct loading *loading, const char *text, size_t size)
{
    char copy[64];
    size_t length = strnlen(text, size < sizeof copy ? size : sizeof copy - 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    uint32_t id = intern_add(&loading->names, copy);
    if (id == loading->name_count)
        VEC_PUSH(loading->name_text, loading->name_count, loading->name_capacity) =
            arena_strdup(&loading->run->arena, copy);
    return loading->name_text[id];
}

void loading_count_mark(struct loading *loading, uint32_t what)
{
    if (what < sizeof loading->run->marks / sizeof loading->run->marks[0])
        loading->run->marks[what]++;
}

/* A pthread_t names a thread of its process, wherever the library keeps it. */
uint64_t loading_object(const struct loading *loading, uint64_t address, uint32_t operation)
{
    if (operation == TRACE_OP_JOIN)
        return object_space_private(loading->objects, address);
    return object_space_find(loading->objects, address);
}

void loading_release(struct loading *loading)
{
    caller_list_release(&loading->callers);
    intern_release(&loading->names);
    memory_free(loading->name_text);
}
