/* sample.h - results made by hand, as variance/ would make them, for the writers to print.
 *
 *     struct sample sample;
 *     if (sample_init(&sample, "toy")) report_write_json(&sample.report, &text);
 *
 * Every node has its time in every interval; moments, covariances and factors are computed from
 * those, so the laws hold in them exactly. Cases: toy, odd (names), empty, rootless, one, constant,
 * quiet (nothing above the threshold), unsteady (the variance is not told from 0), deep, server (more than a screen holds), large (5,000
 * nodes).
 */
#ifndef TEST_REPORT_SAMPLE_H
#define TEST_REPORT_SAMPLE_H

#include <stdbool.h>

#include "report/variance/variance_report.h"

struct sample {
    struct report report;
    struct report_part part;
    struct variance_report variance;
    struct variance_tree tree;
    struct factor_list factors;
    struct root_ledger roots;
    struct tail_ledger tail;
    struct shown_rows rows;
    struct function_table functions; /* those of the nodes, by name */
    int64_t (*cells)[2048];          /* [node][interval], ns */
};

struct sample_plan {
    enum node_kind kind;
    const char *name;
    uint32_t parent;
    const char *file;
    uint32_t line, height;
    bool blamed;
};

/* The root ledger, from the cells and by blocks of intervals (sample_ledger.c). */
void sample_build_ledger(struct sample *sample);

/* The rows that a page has, from the cells (sample_rows.c); once the types are there. */
void sample_build_rows(struct sample *sample);
/* Which of the toy's two types an interval has. */
bool sample_is_checkout(const struct sample *sample, uint64_t interval);

bool sample_init(struct sample *sample, const char *name);
void sample_release(struct sample *sample);

/* For the makers of a case: nodes in order, then the cells of the leaves. */
void sample_plant(struct sample *sample, const struct sample_plan *plan, uint32_t index);
uint32_t sample_random_below(uint32_t limit);
void sample_fill_server(struct sample *sample);
void sample_fill_large(struct sample *sample);
/* For the sample once its numbers are there. */
void sample_plant_timelines(struct sample *sample);

#endif
