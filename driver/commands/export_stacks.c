#include "driver/commands/export_stacks.h"

#include <string.h>

#include "base/file.h"
#include "driver/cli/talk.h"
#include "driver/commands/export_file.h"
#include "driver/family_stacks.h"
#include "driver/runs/trace_files.h"
#include "report/kit/csv.h"
#include "report/kit/parquet.h"
#include "report/stacks/stacks_folded.h"
#include "report/stacks/stacks_perfetto.h"
#include "report/stacks/stacks_pprof.h"
#include "stacks/span_inference.h"
#include "stacks/stacks.h"
#include "stacks/task_thread.h"
#include "trace/timeline_load.h"

static bool write_tables(const struct export_stacks *export, const struct stacks *stacks,
                         const struct table_format *format, struct error *error)
{
    struct str usual = {0};
    str_printf(&usual, "vprofiler-%s", format->suffix);
    const char *folder = export->output ? export->output : usual.data;
    bool ok = file_make_directories(folder, error);
    for (const struct family_table *made = family_stacks.tables; ok && made->kind; made++)
        ok = export_file_table(made, stacks, format, folder, error);
    if (ok)
        talk("wrote stack_contexts, stack_functions and stack_threads to %s", folder);
    str_release(&usual);
    return ok;
}

static bool write_folded(const struct export_stacks *export, const struct stacks *stacks,
                         struct error *error)
{
    FILE *out = export_file_open(export->output, error);
    if (out)
        stacks_folded_write(out, stacks);
    return out && export_file_close(out, export->output, error);
}

static bool write_speedscope(const struct export_stacks *export, const struct stacks *stacks,
                             struct error *error)
{
    struct str text = {0};
    stacks_speedscope_write(&text, stacks);
    bool ok = export_file_write(&text, export->output, error);
    str_release(&text);
    return ok;
}

static bool write_pprof(const struct export_stacks *export, const struct stacks *stacks,
                        struct error *error)
{
    struct str bytes = {0};
    bool ok = stacks_pprof_write(&bytes, stacks, error) &&
              export_file_write(&bytes, export->output, error);
    str_release(&bytes);
    return ok;
}

/* The run's threads get the calls that are inferred. */
static bool write_perfetto(const struct export_stacks *export, struct timelines *run,
                           const struct stacks *stacks, struct error *error)
{
    struct str bytes = {0};
    struct inferred_spans spans;
    struct stack_moments *moments = stack_moments_of_run(run, &stacks->seen, NULL);
    span_inference_fill(&spans, run, &(struct span_sources){&stacks->seen.tree, moments, NULL});
    stacks_perfetto_write(&bytes, run, stacks);
    bool ok = export_file_write(&bytes, export->output, error);
    stack_moments_release_all(moments, run);
    inferred_spans_release(&spans);
    str_release(&bytes);
    return ok;
}

static bool write_stacks(const struct export_stacks *export, struct timelines *run,
                         const struct stacks *stacks, struct error *error)
{
    if (strcmp(export->format, "csv") == 0)
        return write_tables(export, stacks, &csv_format, error);
    if (strcmp(export->format, "parquet") == 0)
        return write_tables(export, stacks, &parquet_format, error);
    if (strcmp(export->format, "folded") == 0)
        return write_folded(export, stacks, error);
    if (strcmp(export->format, "speedscope") == 0)
        return write_speedscope(export, stacks, error);
    if (strcmp(export->format, "pprof") == 0)
        return write_pprof(export, stacks, error);
    if (strcmp(export->format, "perfetto") == 0)
        return write_perfetto(export, run, stacks, error);
    return error_set(error, ERROR_USAGE,
                     "Stacks have no %s: csv, parquet, folded, speedscope, pprof and perfetto can "
                     "be had of them.",
                     export->format);
}

static bool write_run(const struct export_stacks *export, struct timelines *run,
                      struct error *error)
{
    task_threads_make(run);
    struct stacks_options all = {.layers = CONTEXT_ALL_LAYERS};
    struct stacks *stacks = stacks_find(run, &all, error);
    const char *wrong = stacks ? stacks_check(stacks) : NULL;
    bool ok =
        stacks && (wrong ? error_set(error, ERROR_FORMAT,
                                     "The result contradicts itself: %s. Please report it.", wrong)
                         : write_stacks(export, run, stacks, error));
    if (stacks)
        stacks_release(stacks);
    return ok;
}

bool export_stacks_write(const struct export_stacks *export, struct error *error)
{
    struct trace_files files;
    struct timelines run;
    const char *folder = trace_files_folder(&files, export->path, error);
    bool loaded = folder && timelines_open(&run, folder, error);
    bool ok = loaded && write_run(export, &run, error);
    if (loaded)
        timelines_release(&run);
    trace_files_release(&files);
    return ok;
}
