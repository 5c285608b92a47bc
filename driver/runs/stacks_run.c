#include "driver/runs/stacks_run.h"

#include "base/file.h"
#include "base/str.h"
#include "trace/timeline_load.h"

bool stacks_run_open(struct stacks_run *run, const char *path, const struct stacks_options *options,
                     struct error *error)
{
    *run = (struct stacks_run){.loaded = false};
    const char *folder = trace_files_folder(&run->files, path, error);
    if (!folder || !timelines_open(&run->timelines, folder, error))
        return false;
    run->loaded = true;
    if (run->timelines.point_hits && run->timelines.point_hits->point_count)
        requests_fill(&run->timelines, &run->totals);
    run->stacks = stacks_find(&run->timelines, options, error);
    const char *wrong = run->stacks ? stacks_check(run->stacks) : NULL;
    if (wrong)
        return error_set(error, ERROR_FORMAT,
                         "The result contradicts itself: %s. Please report it.", wrong);
    return run->stacks;
}

void stacks_run_release(struct stacks_run *run)
{
    if (run->stacks)
        stacks_release(run->stacks);
    if (run->loaded)
        timelines_release(&run->timelines);
    trace_files_release(&run->files);
}

struct side_run stacks_run_side(struct stacks *stacks)
{
    return (struct side_run){.run = stacks->run,
                             .groups = &stacks->groups,
                             .seen = &stacks->seen,
                             .times = &stacks->times,
                             .from = stacks->from,
                             .until = stacks->until};
}

bool stacks_run_is_result(const char *path)
{
    struct trace_files files;
    struct error ignored;
    const char *folder = trace_files_folder(&files, path, &ignored);
    const struct trace_source *source = files.sources;
    struct str page = {0};
    if (folder)
        str_printf(&page, "%s/stacks.json", source->result ? source->result : source->path);
    bool is = folder && file_exists(page.data);
    str_release(&page);
    trace_files_release(&files);
    return is;
}
