#include "report/stacks/interpreter.h"

#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"

/* "python3.11", "libpython3.11.so.1.0": a version stands behind it, or nothing. */
bool interpreter_is(const char *object)
{
    static const char *const names[] = {"python", "perl",  "ruby", "php",
                                        "lua",    "tclsh", "bash", "Rscript"};
    const char *name = str_starts_with(object, "lib") ? object + 3 : object;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(name, names[i], length) == 0 && !isalpha((unsigned char)name[length]))
            return true;
    }
    return false;
}

time_ns interpreter_time(const struct stacks *stacks, const char **object)
{
    const struct context_times *times = &stacks->times;
    const struct context_tree *tree = &times->fold.tree;
    const char **whose = memory_zeroed((tree->count + 1) * sizeof *whose);
    time_ns all = 0;
    *object = NULL;
    for (uint32_t n = 1; n < tree->count; n++) {
        const struct context_frame *frame = &tree->frames[tree->nodes[n].frame];
        whose[n] = whose[tree->nodes[n].parent];
        if (frame->kind != FRAME_NONE && interpreter_is(frame->object))
            whose[n] = frame->object;
        if (!whose[n])
            continue;
        all += times->sums[n].own[TIME_RAN] + times->sums[n].own[TIME_OFF];
        *object = *object ? *object : whose[n];
    }
    memory_free(whose);
    return all;
}

time_ns interpreter_unnamed(const struct stacks *stacks)
{
    const struct context_times *times = &stacks->times;
    const struct context_tree *tree = &times->fold.tree;
    time_ns all = 0;
    for (uint32_t n = 1; n < tree->count; n++)
        if (strcmp(tree->frames[tree->nodes[n].frame].function, "[generated code]") == 0)
            all += times->sums[n].own[TIME_RAN];
    return all;
}
