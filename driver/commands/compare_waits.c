#include "driver/commands/compare_waits.h"

#include "driver/commands/export_file.h"
#include "driver/runs/outcome.h"
#include "driver/runs/waits_run.h"
#include "report/kit/json_parts.h"
#include "report/kit/terminal.h"
#include "report/waits/waits_compare.h"

bool compare_waits_applies(const char *const paths[2])
{
    return trace_files_are_kernel_alone(paths[0]) && trace_files_are_kernel_alone(paths[1]);
}

static bool write_json(const struct waits_run runs[2], const char *path, struct error *error)
{
    struct str text = {0};
    json_t *object = json_object();
    waits_compare_json(runs[0].waits, runs[1].waits, object);
    json_write(object, JSON_INDENT(1), &text);
    str_append_char(&text, '\n');
    bool ok = export_file_write(&text, path, error);
    str_release(&text);
    return ok;
}

static bool write_text(const struct waits_run runs[2], const char *path, struct error *error)
{
    struct text_style style = {.utf8 = true, .columns = TERMINAL_USUAL_COLUMNS};
    struct terminal terminal;
    FILE *out = export_file_open(path, error);
    if (!out)
        return false;
    if (!path)
        style = outcome_terminal_style();
    terminal_init(&terminal, &style, out);
    waits_compare_text(runs[0].waits, runs[1].waits, &terminal);
    terminal_release(&terminal);
    return export_file_close(out, path, error);
}

bool compare_waits(const char *const paths[2], const struct compare_output *output,
                   struct error *error)
{
    struct waits_run runs[2] = {{.waits = NULL}, {.waits = NULL}};
    if (output->format != COMPARE_TEXT && output->format != COMPARE_JSON)
        return error_set(
            error, ERROR_USAGE,
            "Only waits were recorded in %s and %s: they are compared as text or json.", paths[0],
            paths[1]);
    bool ok = waits_run_open(&runs[0], paths[0], error) &&
              waits_run_open(&runs[1], paths[1], error) &&
              (output->format == COMPARE_JSON ? write_json(runs, output->path, error)
                                              : write_text(runs, output->path, error));
    for (int r = 0; r < 2; r++)
        waits_run_release(&runs[r]);
    return ok;
}
