/* report.h - what was measured, as the writers need it; they print it and compute nothing.
 *
 *     struct report report = {.target = "toy", .rounds = 4, .parts = &part, .part_count = 1, ...};
 *     report_write_json(&report, &text);
 *
 * The envelope (which program, how often, which intervals, doubts, origin) is the same for all
 * families of analyses; each tells its own part. Borrows everything. Writers: text.c (terminal),
 * json.c, html.c.
 */
#ifndef REPORT_KIT_REPORT_H
#define REPORT_KIT_REPORT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/str.h"
#include "interval/summary.h"
#include "interval/track.h"
#include "report/kit/doubt.h"

/* The origin is what one needs to repeat the run; NULL where unknown. */
struct report_origin {
    const char *command;
    const char *commit;
    const char *compiler;
    const char *host;
    const char *clock;
    const char *date; /* ISO 8601, UTC */
};

struct report;
struct terminal;

/* A family of analyses tells its result through these. A member that is NULL has nothing to say. */
struct report_family {
    const char *name;   /* "variance" */
    const char *schema; /* "vprofiler.variance/1" */
    /* The headline is one or two sentences that say who does it. Names are cut to `columns`. */
    void (*headline)(const struct report *report, const void *result, size_t columns, bool utf8,
                     struct str *out);
    void (*text)(const struct report *report, const void *result, struct terminal *terminal);
    void (*json)(const struct report *report, const void *result, json_t *into);
    /* What stands right below the headline on the page. */
    void (*html_first)(const struct report *report, const void *result, struct str *out);
    void (*html)(const struct report *report, const void *result, struct str *out);
    /* What stands at the end of the page. */
    void (*html_tables)(const struct report *report, const void *result, struct str *out);
    /* Two results of the family are told, the second against the first. */
    void (*compare_text)(const void *a, const void *b, struct terminal *terminal);
    void (*compare_json)(const void *a, const void *b, json_t *into);
};

struct report_part {
    const struct report_family *family;
    const void *result; /* the family's own */
};

/* What it would bring if a factor took half as long, as experiments with the program say (`vprofiler causal`). */
struct report_mending {
    const char *function, *object; /* the factor's, as in its JSON; the object may be NULL */
    const char *text;              /* a sentence */
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
    bool inferred; /* none was: calls are inferred from stacks, of functions seen there */
    uint64_t lost_records;
    const struct interval_summary *intervals; /* NULL: it is of none */
    double coverage;                          /* the part of their time that is explained */
    const struct report_part *parts;          /* the first is what the report is of */
    uint32_t part_count;
    const struct track_view *timelines; /* of a few intervals: a typical one, slower ones */
    uint32_t timeline_count;
    const struct report_warning *warnings;
    uint32_t warning_count;
    const struct report_warning *notes; /* what the method does not tell, doubt or no doubt */
    uint32_t note_count;
    const struct report_mending *mendings; /* none: nobody has experimented */
    uint32_t mending_count;
    struct report_origin origin;
};

struct text_style {
    bool color;
    bool utf8;
    unsigned columns;
};

/* The schema is that of the part that the report is of; "" where it has none. */
const char *report_schema(const struct report *report);
/* Writes the headline of the first family, which says who does it. */
void report_write_headline(const struct report *report, size_t columns, bool utf8, struct str *out);
void report_write_text(const struct report *report, const struct text_style *style, FILE *out);
void report_write_json(const struct report *report, struct str *out);
void report_write_html(const struct report *report, struct str *out);

#endif
