/* causal_trust.h - how far effects are to be trusted, in words: the plan and what became of it, chance, and what was
 * left out. */
#ifndef REPORT_CAUSAL_CAUSAL_TRUST_H
#define REPORT_CAUSAL_CAUSAL_TRUST_H

#include "base/str.h"
#include "causal/causal.h"

/* The metric whose width is planned: p99, else the mean, else the period; of those that are known. */
enum causal_metric causal_width_metric(const struct causal *causal,
                                       const struct causal_target *target);
/* Half of the interval's width at the level that sentences are about; INFINITY where none is known. */
double causal_width_came(const struct causal *causal, const struct causal_target *target);
/* "Planned 60 s, took 61 s; asked for +-10 % of p99: +-9 %." */
void causal_append_plan(const struct causal *causal, struct str *out);
/* "Chance: without a delay the mean differs from itself by +1.1 % (-3.0 .. 5.4), .." */
void causal_append_noise(const struct causal *causal, const struct causal_target *target,
                         struct str *out);
/* "parse: left out after 2 rounds (8 blocks); 75 % faster: mean -1.0 % (-8.0 .. 7.0)" */
void causal_append_left_out(const struct causal *causal, const struct causal_target *target,
                            struct str *out);

#endif
