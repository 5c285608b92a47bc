/* report.h - one analysis as the writers need it; they print it and compute nothing.
 *
 *     struct report report = {.target = "toy", .rounds = 4, .result = &result, ...};
 *     report_write_json(&report, file, &error);
 *
 * Borrows everything. Writers: text.c (terminal), json.c (vprofiler.variance/1), html.c.
 */
#ifndef REPORT_KIT_REPORT_H
#define REPORT_KIT_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/str.h"
#include "report/kit/track.h"
#include "variance/factor.h"
#include "variance/tail_ledger.h"
#include "variance/variance_tree.h"
#include "variance/waited_list.h"

struct report_warning {
    const char *code; /* "few-intervals" */
    char message[256];
};

/* What is needed to repeat the run; NULL where unknown. */
struct report_origin {
    const char *command;
    const char *commit;
    const char *compiler;
    const char *host;
    const char *clock;
    const char *date; /* ISO 8601, UTC */
};

struct report {
    const char *target; /* program or folder */
    uint32_t rounds;
    bool going_on;            /* the report of a round of a loop, written before it ended */
    uint32_t most_rounds;     /* the loop's limit; 0: none */
    uint32_t top;             /* k: how many factors are shown first */
    double threshold;         /* d: a factor below it is not selected */
    uint32_t functions_known; /* with a body in the tree */
    uint32_t functions_timed; /* ever timed, in any round */
    uint64_t lost_records;
    const struct variance_tree *tree;
    const struct factor_list *factors;
    const struct tail_ledger *tail;
    const struct waited_list *waited;
    const struct track_view *timelines; /* of a few intervals, on one scale */
    uint32_t timeline_count;
    const struct report_warning *warnings;
    uint32_t warning_count;
    const struct report_warning *notes; /* what the method does not tell, doubt or no doubt */
    uint32_t note_count;
    struct report_origin origin;
};

struct text_style {
    bool color;
    bool utf8;
    unsigned columns;
};

void report_write_text(const struct report *report, const struct text_style *style, FILE *out);
void report_write_json(const struct report *report, struct str *out);
void report_write_html(const struct report *report, struct str *out);

#endif
