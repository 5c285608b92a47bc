#include "rewriter/clang/inputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/str.h"
#include "rewriter/clang/cursor.h"
#include "rewriter/input_stamp.h"

struct input_list {
    struct unit *unit;
    struct fact_input *items;
    size_t count, capacity;
    bool unknown; /* the text decides by something that can't be told from it */
};

/* __has_include("x.h") looks for a file that may not be there. */
static void note_looked_for(struct input_list *list, const char *text, size_t size_bytes)
{
    static const char WORD[] = "__has_include";
    const char *end = text + size_bytes, *at = text;
    while ((at = memmem(at, (size_t)(end - at), WORD, strlen(WORD))) != NULL) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        const char *stop = line ? line : end, *open = at;
        while (open < stop && *open != '<' && *open != '"')
            open++;
        const char *close = open + 1;
        while (close < stop && *close != (*open == '<' ? '>' : '"'))
            close++;
        list->unknown = list->unknown || close >= stop;
        if (list->unknown)
            return;
        struct arena *arena = &list->unit->facts->arena;
        const char *name = arena_strndup(arena, open + 1, (size_t)(close - open - 1));
        struct fact_input input = {.path = "", .name = path_last_part(name)};
        VEC_PUSH(list->items, list->count, list->capacity) = input;
        at = close;
    }
}

static void note_input(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    (void)stack;
    (void)depth;
    struct input_list *list = data;
    struct unit *unit = list->unit;
    struct arena *arena = &unit->facts->arena;
    const char *name, *tree = unit->source->tree;
    cursor_take_text(clang_getFileName(file), arena, &name);
    struct str path = {0};
    path_join(&path, unit->command->directory, name);
    char *real = realpath(path.data, NULL);
    const char *below = real ? path_below(real, tree) : NULL;
    struct fact_input input = {.path = arena_strdup(arena, below  ? below
                                                           : real ? real
                                                                  : path.data),
                               .name = path_last_part(name)};
    if (below) {
        struct source_text text = unit_text(unit, file);
        input.hash = hash_bytes(text.data, text.size_bytes);
        note_looked_for(list, text.data, text.size_bytes);
    } else {
        input.hash = input_stamp(input.path);
        input.escapes = name[0] != '/' || path_below(name, tree) != NULL;
    }
    VEC_PUSH(list->items, list->count, list->capacity) = input;
    free(real);
    str_release(&path);
}

void inputs_note(struct unit *unit)
{
    struct input_list list = {.unit = unit};
    struct facts *facts = unit->facts;
    clang_getInclusions(unit->clang, note_input, &list);
    facts->input_count = list.unknown ? 0 : (uint32_t)list.count;
    facts->inputs = ARENA_ARRAY(&facts->arena, struct fact_input, list.count + 1);
    if (list.count)
        memcpy(facts->inputs, list.items, list.count * sizeof *list.items);
    memory_free(list.items);
}
