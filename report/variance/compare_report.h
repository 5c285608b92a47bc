/* compare_report.h - a comparison as its writers need it; they print it and compute nothing.
 *
 *     struct compare_report report = {.comparison = &comparison, .names = {"old", "new"}};
 *     compare_write_text(&report, &style, stdout);
 *
 * Borrows everything. docs/compare.schema.json is the schema of the JSON.
 */
#ifndef REPORT_VARIANCE_COMPARE_REPORT_H
#define REPORT_VARIANCE_COMPARE_REPORT_H

#include "report/kit/report.h"
#include "variance/comparison.h"

/* A part is what another family has to say of both sides. */
struct compared_part {
    const struct report_family *family;
    const void *results[2];
};

struct compare_report {
    const struct comparison *comparison;
    const char *names[2];    /* what A and B are, as it was typed */
    const char *commands[2]; /* what ran; NULL: not known */
    const char *command;
    const struct report_warning *warnings;
    uint32_t warning_count;
    const struct compared_part *parts;
    uint32_t part_count;
    bool strict;      /* not to know is a failure */
    const char *date; /* "2026-11-27T21:15:47" */
    const char *host; /* where they were recorded */
};

void compare_write_text(const struct compare_report *report, const struct text_style *style,
                        FILE *out);
void compare_write_json(const struct compare_report *report, struct str *out);
/* The page is one file (compare_html.c). */
void compare_write_html(const struct compare_report *report, struct str *out);
/* For GitHub's workflows: annotations are commands on stdout, the summary is Markdown. */
void compare_write_annotations(const struct compare_report *report, struct str *out);
void compare_write_summary(const struct compare_report *report, struct str *out);
/* A suite of three tests, of mean, variance and p99, that fails where the exit status does. */
void compare_write_junit(const struct compare_report *report, struct str *out);

/* The same two where nothing could be compared. */
void compare_write_failed_annotation(const char *message, struct str *out);
void compare_write_failed_junit(const char *message, const char *date, struct str *out);

#endif
