#include "driver/experiments/code_goal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash_map.h"
#include "base/memory.h"
#include "sampler/process_maps.h"
#include "symbol/line_code.h"

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

struct search {
    struct code_goal *goal;
    struct line_code code;
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

static void take(struct code_goal *goal, const struct line_code *code, const char *path)
{
    if (!code->count || goal->object_count == TRACE_DELAYS_OBJECTS)
        return;
    for (size_t i = 0; i < code->count && goal->count < TRACE_DELAYS_CODE; i++)
        goal->ranges[goal->count++] = (struct trace_delays_code){
            code->ranges[i].from, code->ranges[i].until, goal->object_count, 0};
    goal->objects[goal->object_count++] = memory_strdup(path);
}

static void look_into(struct search *search, const char *path)
{
    struct code_goal *goal = search->goal;
    const struct line_place place = {goal->file, goal->from, goal->until};
    if (goal->file)
        line_code_add(&search->code, path, &place);
    else
        line_code_add_function(&search->code, path, goal->function);
    take(goal, &search->code, path);
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

static bool fail_files(const struct code_goal *goal, const struct line_code *code,
                       struct error *error)
{
    struct str names = {0};
    for (size_t i = 0; i < code->file_count && i < LINE_CODE_FILES; i++)
        str_printf(&names, "%s%s", i ? ", " : "", code->files[i]);
    if (code->file_count > LINE_CODE_FILES)
        str_append(&names, ", ...");
    error_set(error, ERROR_USAGE,
              "%s is the name of several files: %s. Name more of its path (--line).", goal->file,
              names.data);
    str_release(&names);
    return false;
}

static bool fail_line(const struct code_goal *goal, const struct line_code *code,
                      struct error *error)
{
    char before[32] = "", after[32] = "";
    if (code->before)
        snprintf(before, sizeof before, " %s%u", code->after ? "" : "line ", code->before);
    if (code->after)
        snprintf(after, sizeof after, " %s%u", code->before ? "and " : "line ", code->after);
    return error_set(error, ERROR_USAGE, "%s:%u has no code. Nearest to it there is some at%s%s%s.",
                     goal->file, goal->from, code->before && code->after ? " lines" : "", before,
                     after);
}

static bool fail(const struct code_goal *goal, const struct line_code *code, struct error *error)
{
    if (goal->function)
        return error_set(error, ERROR_USAGE,
                         "No function '%s' is in the tables of symbols of what the program has "
                         "mapped. It may be inlined everywhere, or stripped: name its lines "
                         "(--line FILE:N-M) in a build with -g.",
                         goal->function);
    if (code->file_count)
        return fail_line(goal, code, error);
    return error_set(error, ERROR_USAGE,
                     code->has_lines
                         ? "Nothing that the program has mapped was made of a file %s, as its "
                           "debug information has it. Is its name right (--line)?"
                         : "Nothing that the program has mapped has debug information, which "
                           "tells where %s is. Compile it with -g, or install its -dbgsym package.",
                     goal->file);
}

bool code_goal_find(struct code_goal *goal, const uint32_t *pids, uint32_t count,
                    struct error *error)
{
    struct search search = {.goal = goal};
    forget(goal);
    for (uint32_t i = 0; i < count; i++)
        look_into_process(&search, pids[i]);
    bool ok = search.code.file_count > 1 ? fail_files(goal, &search.code, error)
                                         : goal->count || fail(goal, &search.code, error);
    line_code_release(&search.code);
    intern_release(&search.paths);
    intern_release(&search.looked_at);
    return ok;
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
