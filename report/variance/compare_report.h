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
    const char *names[2]; /* what A and B are, as it was typed */
    const char *command;
    const struct report_warning *warnings;
    uint32_t warning_count;
    const struct compared_part *parts;
    uint32_t part_count;
};

void compare_write_text(const struct compare_report *report, const struct text_style *style,
                        FILE *out);
void compare_write_json(const struct compare_report *report, struct str *out);

#endif
