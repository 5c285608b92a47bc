/* doubt.h - what speaks against a result: any number, of any length.
 *
 *     struct doubts doubts = {0};
 *     doubts_add(&doubts, DOUBT_OF_INTERVALS, "few-intervals", "Only %llu complete ...", count);
 *     report.warnings = doubts.items; report.warning_count = doubts.count;
 *     doubts_release(&doubts);
 */
#ifndef REPORT_KIT_DOUBT_H
#define REPORT_KIT_DOUBT_H

#include <stdint.h>

/* Doubts are told in the order of their subjects, and those of one subject as they came. */
enum doubt_subject {
    DOUBT_OF_INTERVALS,
    DOUBT_OF_MARKS,
    DOUBT_OF_WAITS,
    DOUBT_OF_ROUNDS,
    DOUBT_OF_RANKING,
    DOUBT_OF_PROBES,
    DOUBT_OF_CALLS,
    DOUBT_OF_TRACE
};

struct report_warning {
    const char *code; /* "few-intervals" */
    const char *message;
    enum doubt_subject subject; /* of a doubt */
};

struct doubts {
    struct report_warning *items;
    uint32_t count, capacity;
};

/* The code has to last; the message is copied. */
void doubts_add(struct doubts *doubts, enum doubt_subject subject, const char *code,
                const char *format, ...) __attribute__((format(printf, 4, 5)));
void doubts_release(struct doubts *doubts);

#endif
