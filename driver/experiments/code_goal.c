#include "driver/experiments/code_goal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash_map.h"
#include "base/memory.h"
#include "base/similar.h"
#include "sampler/process_maps.h"
#include "symbol/function_code.h"
#include "symbol/line_code.h"
#include "symbol/program_file.h"

struct code_goal *code_goal_parse(const char *text, struct error *error)
{
    unsigned from = 0, until = 0;
    int read = 0;
    const char *colon = strrchr(text, ':');
    int numbers = colon ? sscanf(colon + 1, "%u%n-%u%n", &from, &read, &until, &read) : 0;
    if (numbers == 1)
        until = from;
    if (numbers < 1 || colon[1 + read] || colon == text || !from || until < from) {
        error_set(error, ERROR_USAGE,
                  "--line wants FILE:N or FILE:N-M, as in parse.c:120, not '%s'.", text);
        return NULL;
    }
    struct code_goal *goal = memory_zeroed(sizeof *goal);
    goal->file = memory_strdup(text);
    goal->file[colon - text] = '\0';
    goal->from = from;
    goal->until = until;
    return goal;
}

struct code_goal *code_goal_of_function(const char *name)
{
    struct code_goal *goal = memory_zeroed(sizeof *goal);
    goal->function = memory_strdup(name);
    return goal;
}

static void forget(struct code_goal *goal)
{
    for (uint32_t i = 0; i < goal->object_count; i++)
        memory_free(goal->objects[i]);
    goal->count = goal->object_count = 0;
}

/* What was found in the object that says most. */
struct search {
    struct code_goal *goal;
    enum line_outcome outcome;
    struct str why;
    struct intern files; /* that have the lines */
    struct intern paths, looked_at;
};

/* Every object once, and our own libraries not. */
static bool is_new(struct search *search, const char *path)
{
    if (*path != '/' || strncmp(path_last_part(path), "libvprof", strlen("libvprof")) == 0 ||
        intern_find(&search->looked_at, path) != INTERN_NONE)
        return false;
    intern_add(&search->looked_at, path);
    return true;
}

static void take(struct code_goal *goal, const struct code_pieces *pieces, const char *path)
{
    if (!pieces->count || goal->object_count == TRACE_DELAYS_OBJECTS)
        return;
    for (size_t i = 0; i < pieces->count && goal->count < TRACE_DELAYS_CODE; i++)
        goal->ranges[goal->count++] = (struct trace_delays_code){
            pieces->items[i].from, pieces->items[i].until, goal->object_count, 0};
    goal->objects[goal->object_count++] = memory_strdup(path);
}

static void set_outcome(struct search *search, enum line_outcome outcome, const char *why)
{
    search->outcome = outcome;
    str_clear(&search->why);
    str_append(&search->why, why);
}

static void look_for_lines(struct search *search, struct program_file *file, const char *path)
{
    const struct source_lines lines = {search->goal->file, search->goal->from, search->goal->until};
    struct code_pieces pieces = {0};
    struct str why = {0};
    enum line_outcome outcome = line_code_find(file, &lines, &pieces, &why);
    if (outcome == LINE_FOUND) {
        take(search->goal, &pieces, path);
        intern_add(&search->files, why.data);
    }
    if (outcome > search->outcome)
        set_outcome(search, outcome, str_text(&why));
    code_pieces_release(&pieces);
    str_release(&why);
}

static void look_for_function(struct search *search, struct program_file *file, const char *path)
{
    struct function_code code = {0};
    function_code_find(file, search->goal->function, &code);
    take(search->goal, search->goal->entries ? &code.entries : &code.pieces, path);
    function_code_release(&code);
}

static void look_into(struct search *search, const char *path)
{
    struct program_file *file = program_file_open(path);
    if (file && search->goal->file)
        look_for_lines(search, file, path);
    else if (file)
        look_for_function(search, file, path);
    program_file_close(file);
}

static void look_into_process(struct search *search, uint32_t pid)
{
    struct process_maps maps = {.pid = (pid_t)pid, .paths = &search->paths};
    if (!process_maps_read(&maps))
        return;
    for (size_t i = 0; i < maps.count; i++)
        if (is_new(search, maps.items[i].path))
            look_into(search, maps.items[i].path);
    process_maps_release(&maps);
}

static bool fail_line(const struct search *search, struct error *error)
{
    const struct code_goal *goal = search->goal;
    const char *why = str_text(&search->why);
    if (search->outcome == LINE_AMBIGUOUS)
        return error_set(error, ERROR_USAGE,
                         "%s is the name of several files: %s. Name more of its path (--line).",
                         goal->file, why);
    if (search->outcome == LINE_NO_CODE)
        return error_set(error, ERROR_USAGE, "%s:%u has no code; %s.", goal->file, goal->from, why);
    return error_set(
        error, ERROR_USAGE,
        search->outcome == LINE_NO_FILE
            ? "Nothing that the program has mapped was made of a file %s, as its "
              "debug information has it. Is its name right, and was it compiled with -g (--line)?"
            : "Nothing that the program has mapped has debug information, which "
              "tells where %s is. Compile it with -g, or install its -dbgsym package.",
        goal->file);
}

/* Names are their file's. */
static void append_similar(const struct search *search, struct str *out)
{
    struct similar similar = {.wanted = search->goal->function};
    size_t count = search->looked_at.count;
    struct program_file **files = memory_zeroed(sizeof *files * (count + 1));
    for (size_t i = 0; i < count; i++) {
        files[i] = program_file_open(search->looked_at.text[i]);
        if (files[i])
            function_code_offer(files[i], &similar);
    }
    similar_append(&similar, "", out);
    for (size_t i = 0; i < count; i++)
        program_file_close(files[i]);
    memory_free(files);
}

static bool fail(const struct search *search, struct error *error)
{
    struct str near = {0};
    if (search->goal->file)
        return fail_line(search, error);
    append_similar(search, &near);
    error_set(error, ERROR_USAGE,
              "No function '%s' is in the tables of symbols of what the program has "
              "mapped.%s It may be inlined everywhere, or stripped: build it with -g, which "
              "tells of that, or name its lines (--line FILE:N-M).",
              search->goal->function, str_text(&near));
    str_release(&near);
    return false;
}

/* Of lines of several files none is meant, whether they are of one object or of several. `error` may be NULL. */
static bool finish(struct search *search, struct error *error)
{
    struct str names = {0};
    for (size_t i = 0; i < search->files.count; i++)
        str_printf(&names, "%s%s", i ? ", " : "", search->files.text[i]);
    if (search->files.count > 1)
        set_outcome(search, LINE_AMBIGUOUS, names.data);
    str_release(&names);
    bool ok = search->goal->count && search->outcome != LINE_AMBIGUOUS;
    if (!ok && error)
        fail(search, error);
    str_release(&search->why);
    intern_release(&search->files);
    intern_release(&search->paths);
    intern_release(&search->looked_at);
    return ok;
}

bool code_goal_find(struct code_goal *goal, const uint32_t *pids, uint32_t count,
                    struct error *error)
{
    struct search search = {.goal = goal};
    forget(goal);
    for (uint32_t i = 0; i < count; i++)
        look_into_process(&search, pids[i]);
    return finish(&search, error);
}

bool code_goal_find_in(struct code_goal *goal, const char *path)
{
    struct search search = {.goal = goal};
    forget(goal);
    look_into(&search, path);
    return finish(&search, NULL);
}

void code_goal_release(struct code_goal *goal)
{
    if (!goal)
        return;
    forget(goal);
    memory_free(goal->file);
    memory_free(goal->function);
    memory_free(goal);
}
