#include "driver/runs/compared_side.h"

#include <dirent.h>
#include <stdlib.h>

#include "base/file.h"
#include "driver/runs/ab_runs.h"
#include "driver/runs/kernel_note.h"

/* ---- its runs ---- */

static int is_name(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Lists the runs below `path`, or `path` itself; ends with NULL. */
static const char *const *find_runs(struct compared_side *side, const char *path)
{
    struct dirent **entries = NULL;
    bool itself = trace_files_is_run(path);
    int count = itself ? 0 : scandir(path, &entries, is_name, alphasort);
    count = count < 0 ? 0 : count;
    const char **runs = ARENA_ARRAY(&side->arena, const char *, (size_t)count + 2);
    for (int i = 0; i < count; i++) {
        const char *folder = arena_printf(&side->arena, "%s/%s", path, entries[i]->d_name);
        if (trace_files_is_run(folder))
            runs[side->run_count++] = folder;
        free(entries[i]);
    }
    free(entries);
    if (!side->run_count)
        runs[side->run_count++] = path;
    return runs;
}

/* Several runs are loaded as hosts of their own, in the order in which they began. */
static void number_processes(struct compared_side *side)
{
    const struct joined_run *joined = &side->set.joined;
    uint32_t process = 0;
    side->run_of_process = ARENA_ARRAY(&side->arena, uint32_t, joined->run.process_count);
    for (uint32_t r = 0; r < side->run_count; r++)
        for (uint32_t p = 0; p < joined->parts[r].process_count; p++)
            side->run_of_process[process++] = r;
}

/* A result of one run knows its command; runs in turns have it in a file beside them. */
static void find_command(struct compared_side *side, const char *path)
{
    struct str name = {0}, text = {0};
    struct error ignored;
    str_printf(&name, "%s/" AB_COMMAND, path);
    if (file_exists(name.data) && file_read(&text, name.data, &ignored) && text.length)
        side->command = arena_strdup(&side->arena, str_text(&text));
    else
        side->command = side->set.outcome.report.origin.command;
    str_release(&name);
    str_release(&text);
}

bool compared_side_open(struct compared_side *side, const char *path, const char *functions,
                        struct error *error)
{
    *side = (struct compared_side){0};
    struct run_set_options options = {.paths = find_runs(side, path), .functions = functions,
                                      .also = FAMILY_KERNEL};
    options.separate = side->run_count > 1;
    if (!run_set_open(&side->set, &options, error))
        return false;
    if (options.separate)
        number_processes(side);
    find_command(side, path);
    side->sample = (struct sample_side){.run = &side->set.joined.run,
                                        .functions = &side->set.functions,
                                        .tree = &side->set.variance->tree,
                                        .factors = &side->set.variance->factors,
                                        .run_of_process = side->run_of_process,
                                        .run_count = side->run_count,
                                        .waited = kernel_note_waited(&side->set.joined.run)};
    return true;
}

void compared_side_release(struct compared_side *side)
{
    run_set_release(&side->set);
    arena_release(&side->arena);
}
