#include "driver/commands/compare_output.h"

#include <stdlib.h>

#include "base/file.h"
#include "driver/runs/outcome.h"
#include "driver/runs/result_file.h"

static bool put(const struct str *text, const char *path, struct error *error)
{
    if (path)
        return file_write(path, str_text(text), text->length, error);
    fwrite(str_text(text), 1, text->length, stdout);
    bool ok = fflush(stdout) == 0;
    return ok || error_system(error, "Can't write to stdout");
}

/* Other steps of the job have written there before. */
static bool add(const struct str *text, const char *path, struct error *error)
{
    FILE *file = fopen(path, "a");
    bool ok = file && fwrite(str_text(text), 1, text->length, file) == text->length;
    if (file && fclose(file) != 0)
        ok = false;
    return ok || error_system(error, "Can't write the job's summary to %s", path);
}

static bool write_text(const struct compare_report *report, const char *path, struct error *error)
{
    struct text_style style = {.utf8 = true};
    struct str text = {0};
    char *whole = NULL;
    size_t length = 0;
    if (!path) {
        style = outcome_terminal_style();
        compare_write_text(report, &style, stdout);
        return put(&text, NULL, error);
    }
    FILE *memory = open_memstream(&whole, &length);
    if (!memory)
        return error_system(error, "Can't write %s", path);
    compare_write_text(report, &style, memory);
    bool ok = fclose(memory) == 0;
    ok = ok ? file_write(path, whole, length, error) : error_system(error, "Can't write %s", path);
    free(whole);
    return ok;
}

static bool write_github(const struct compare_report *report, const char *path, struct error *error)
{
    struct str annotations = {0}, summary = {0};
    const char *of_job = getenv("GITHUB_STEP_SUMMARY");
    compare_write_annotations(report, &annotations);
    compare_write_summary(report, &summary);
    bool ok =
        put(&annotations, NULL, error) &&
        (!path && of_job && *of_job ? add(&summary, of_job, error) : put(&summary, path, error));
    str_release(&annotations);
    str_release(&summary);
    return ok;
}

bool compare_output_write(const struct compare_output *output, const struct compare_report *report,
                          struct error *error)
{
    struct str text = {0};
    switch (output->format) {
    case COMPARE_TEXT:
        return write_text(report, output->path, error);
    case COMPARE_GITHUB:
        return write_github(report, output->path, error);
    case COMPARE_JSON:
        compare_write_json(report, &text);
        str_append_char(&text, '\n');
        break;
    case COMPARE_HTML:
        compare_write_html(report, &text);
        break;
    case COMPARE_JUNIT:
        compare_write_junit(report, &text);
        break;
    }
    bool ok = put(&text, output->path, error);
    str_release(&text);
    return ok;
}

void compare_output_failed(const struct compare_output *output, const char *message,
                           const char *date)
{
    struct str text = {0};
    struct error ignored;
    if (output->format == COMPARE_GITHUB) {
        compare_write_failed_annotation(message, &text);
        put(&text, NULL, &ignored);
    } else if (output->format == COMPARE_JUNIT) {
        compare_write_failed_junit(message, date, &text);
        put(&text, output->path, &ignored);
    }
    str_release(&text);
}

bool compare_output_keep(const struct compare_report *report, const char *folder,
                         struct error *error)
{
    struct str json = {0}, page = {0};
    compare_write_json(report, &json);
    compare_write_html(report, &page);
    bool ok = result_file_write(folder, "compare.json", &json, error) &&
              result_file_write(folder, "compare.html", &page, error);
    str_release(&json);
    str_release(&page);
    return ok;
}
