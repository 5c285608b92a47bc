/* causal_words.h - effects in words: "-41 % (-52 .. -30)". */
#ifndef REPORT_CAUSAL_CAUSAL_WORDS_H
#define REPORT_CAUSAL_CAUSAL_WORDS_H

#include "base/str.h"
#include "causal/causal.h"

/* Metrics as people ask for them, in the order in which they are told: instead of the period the throughput, of the
 * variance its square root. */
enum causal_shown { SHOWN_THROUGHPUT, SHOWN_MEAN, SHOWN_SD, SHOWN_P50, SHOWN_P99, SHOWN_COUNT };
extern const char *const causal_shown_names[SHOWN_COUNT];
extern const char *const causal_shown_keys[SHOWN_COUNT]; /* in JSON */

/* A change is a part: -0.41 is 41 % less. */
struct causal_change {
    bool known, differs;
    bool withheld; /* somebody outside of the experiments has a part in it */
    bool noisy;    /* what is never delayed differs from itself by more than was asked for */
    double value, ci95[2];
};

/* A run without intervals has a rate only. */
bool causal_is_shown(const struct causal *causal, enum causal_shown shown);
/* Of an effect by itself. */
struct causal_change causal_plain_change(const struct causal *causal,
                                         const struct causal_effect *effects,
                                         enum causal_shown shown);
/* Of a level: it differs where that may be claimed, too. */
struct causal_change causal_change_of(const struct causal *causal, const struct causal_part *part,
                                      uint32_t level, enum causal_shown shown);
/* The same of the recorded run that was worked out again. */
struct causal_change causal_replay_change_of(const struct causal *causal,
                                             const struct causal_part *part, uint32_t level,
                                             enum causal_shown shown);
enum causal_metric causal_metric_of(enum causal_shown shown);
/* Of a ratio of the metric, that of what is shown. */
double causal_shown_ratio(double ratio, enum causal_shown shown);
/* What the changes are of: the number as it is, in ns or 1/s; 0: there is none. */
double causal_base_value(const struct causal_part *part, enum causal_shown shown);
void causal_append_base(const struct causal_part *part, enum causal_shown shown, bool utf8,
                        struct str *out);
/* "sd", and why it has no number at a level: whoever is outside, too few blocks or intervals. */
void causal_append_reason(const struct causal *causal, const struct causal_part *part,
                          uint32_t level, enum causal_shown shown, struct str *out);
/* An interval that holds 0 and reaches far: the number is not drawn or told. */
bool causal_is_vague(const struct causal_change *change);
/* It is a number to be shown: known, of the whole run, neither too noisy nor too uncertain. */
bool causal_is_told(const struct causal_change *change);
/* "-41 % (-52 .. -30)"; or why there is none. */
void causal_append_cell(const struct causal_change *change, struct str *out);
/* The same, and "+0.5 % (-1.0 .. 2.0), not told from 0" */
void causal_append_change(const struct causal_change *change, struct str *out);
/* "-41 %", without more. */
void causal_append_percent(double change, struct str *out);
/* "parse", "what is done while queue.lock is held" */
void causal_append_what(const struct causal_target *target, struct str *out);
/* "parse (42 us a call, 31 % of a processor)" */
void causal_append_target(const struct causal_target *target, struct str *out);
/* "Useful up to 30 %: then something else takes longest." Nothing where the curve says nothing. */
void causal_append_shape(const struct causal *causal, const struct causal_target *target,
                         struct str *out);
/* "If parse (..) took half as long: mean -12 % (..), ..." */
void causal_append_sentence(const struct causal *causal, const struct causal_target *target,
                            uint32_t level, struct str *out);
/* How many experiments, how long, and how virtual time kept its laws. */
void causal_append_made(const struct causal *causal, struct str *out);

#endif
