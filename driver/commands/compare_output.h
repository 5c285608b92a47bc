/* compare_output.h - a comparison in the form that was asked for, to where it was asked for.
 *
 *     struct compare_output output = {.format = COMPARE_GITHUB, .path = NULL};
 *     if (compare_output_write(&output, &report, &error)) ...
 *
 *     text, json, html, junit    `path`, or stdout
 *     github                     annotations to stdout; the summary to `path`, or it is added to
 *                                what $GITHUB_STEP_SUMMARY names, or it comes to stdout as well
 */
#ifndef DRIVER_COMMANDS_COMPARE_OUTPUT_H
#define DRIVER_COMMANDS_COMPARE_OUTPUT_H

#include "base/error.h"
#include "report/variance/compare_report.h"

enum compare_format { COMPARE_TEXT, COMPARE_JSON, COMPARE_HTML, COMPARE_GITHUB, COMPARE_JUNIT };

struct compare_output {
    enum compare_format format;
    const char *path; /* NULL: stdout */
};

bool compare_output_write(const struct compare_output *output, const struct compare_report *report,
                          struct error *error);
/* CI is told in its own form that nothing could be compared; nothing where the form has none. */
void compare_output_failed(const struct compare_output *output, const char *message,
                           const char *date);
/* The comparison is kept beside the traces of --ab: compare.json and compare.html. */
bool compare_output_keep(const struct compare_report *report, const char *folder,
                         struct error *error);

#endif
