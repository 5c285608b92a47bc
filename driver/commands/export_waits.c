#include "driver/commands/export_waits.h"

#include <string.h>

#include "base/file.h"
#include "driver/cli/talk.h"
#include "driver/commands/export_file.h"
#include "driver/family_waits.h"
#include "driver/runs/waits_run.h"
#include "driver/runs/waits_view.h"
#include "report/kit/chrome.h"
#include "report/kit/csv.h"
#include "report/kit/parquet.h"
#include "report/waits/waits_folded.h"
#include "report/waits/waits_tables.h"

static bool write_tables(const struct export_waits *export, const struct waits *waits,
                         const struct table_format *format, struct error *error)
{
    struct str usual = {0};
    str_printf(&usual, "vprofiler-%s", format->suffix);
    const char *folder = export->output ? export->output : usual.data;
    bool ok = file_make_directories(folder, error);
    for (const struct family_table *made = family_waits.tables; ok && made->kind; made++)
        ok = export_file_table(made, waits, format, folder, error);
    if (ok)
        talk("wrote wait_groups, wait_edges and wait_processor to %s: %u groups, %u edges", folder,
             waits->graph.group_count, waits->graph.edge_count);
    str_release(&usual);
    return ok;
}

static bool write_folded(const struct export_waits *export, const struct waits_run *run,
                         struct error *error)
{
    if (!run->waits->names)
        return error_set(
            error, ERROR_NOTHING,
            "No stacks of waits were recorded in %s: `vprofiler waits -- COMMAND` does.",
            export->path);
    FILE *out = export_file_open(export->output, error);
    if (out)
        waits_folded_write(out, run->waits);
    return out && export_file_close(out, export->output, error);
}

static bool write_dot(const struct export_waits *export, const struct waits *waits,
                      struct error *error)
{
    FILE *out = export_file_open(export->output, error);
    if (out)
        waits_dot_write(out, waits, export->least);
    return out && export_file_close(out, export->output, error);
}

/* A stretch that begins behind the run holds nothing. */
static bool write_chrome(const struct export_waits *export, const struct waits_run *run,
                         struct error *error)
{
    const struct wait_list *list = &run->waits->list;
    time_ns length = (time_ns)(export->seconds * 1e9), from = list->from;
    if (export->at > 0)
        from += (time_ns)(export->at * 1e9);
    else if (list->until - list->from > length)
        from += (list->until - list->from - length) / 2;
    time_ns until = from + length < list->until ? from + length : list->until;
    if (from >= until)
        return error_set(error, ERROR_USAGE,
                         "--at is behind the end of the run, which is %.3f s long.",
                         (double)(list->until - list->from) / 1e9);
    struct waits_view view;
    struct str text = {0};
    waits_view_make(&view, run->waits, &run->timelines, from, until);
    chrome_write(&text, &view.view, 1);
    waits_view_release(&view);
    bool ok = export_file_write(&text, export->output, error);
    str_release(&text);
    return ok;
}

static bool write_run(const struct export_waits *export, const struct waits_run *run,
                      struct error *error)
{
    if (strcmp(export->format, "csv") == 0)
        return write_tables(export, run->waits, &csv_format, error);
    if (strcmp(export->format, "parquet") == 0)
        return write_tables(export, run->waits, &parquet_format, error);
    if (strcmp(export->format, "dot") == 0)
        return write_dot(export, run->waits, error);
    if (strcmp(export->format, "chrome") == 0)
        return write_chrome(export, run, error);
    if (strcmp(export->format, "folded") == 0)
        return write_folded(export, run, error);
    return error_set(error, ERROR_USAGE,
                     "Waits have no %s: csv, parquet, folded, dot and chrome can be had of them.",
                     export->format);
}

bool export_waits_write(const struct export_waits *export, struct error *error)
{
    struct waits_run run;
    bool ok = waits_run_open(&run, export->path, error) && write_run(export, &run, error);
    waits_run_release(&run);
    return ok;
}
