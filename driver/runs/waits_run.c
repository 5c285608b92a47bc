#include "driver/runs/waits_run.h"

#include "trace/timeline_load.h"

bool waits_run_open(struct waits_run *run, const char *path, struct error *error)
{
    *run = (struct waits_run){.loaded = false};
    const char *folder = trace_files_folder(&run->files, path, error);
    if (!folder || !timelines_open(&run->timelines, folder, error))
        return false;
    run->loaded = true;
    run->waits = waits_find(&run->timelines, error);
    const char *wrong = run->waits ? waits_check(run->waits) : NULL;
    if (wrong)
        return error_set(error, ERROR_FORMAT,
                         "The result contradicts itself: %s. Please report it.", wrong);
    return run->waits;
}

void waits_run_release(struct waits_run *run)
{
    if (run->waits)
        waits_release(run->waits);
    if (run->loaded)
        timelines_release(&run->timelines);
    trace_files_release(&run->files);
}
