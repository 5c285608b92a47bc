/* causal_report.h - how experiments are told: in words, as text, as JSON.
 *
 *     causal_headline(causal, &out)         what it would bring, in one sentence
 *     causal_write_text(causal, &doubts, &terminal)
 *     json_t *json = causal_json(causal, &doubts)      vprofiler.causal/1
 */
#ifndef REPORT_CAUSAL_CAUSAL_REPORT_H
#define REPORT_CAUSAL_CAUSAL_REPORT_H

#include <jansson.h>

#include "causal/causal.h"
#include "report/kit/doubt.h"
#include "report/kit/terminal.h"

void causal_headline(const struct causal *causal, struct str *out);
void causal_write_text(const struct causal *causal, const struct doubts *doubts,
                       struct terminal *terminal);
json_t *causal_json(const struct causal *causal, const struct doubts *doubts);
/* What speaks against the numbers. */
void causal_judge(const struct causal *causal, struct doubts *doubts);

#endif
