/* causal_second.h - the second opinion: what the recorded run says beside the experiments (causal/replay.h).
 *
 *     causal_append_second(causal, target, &text)      "At 50 % the experiments say mean -12 % (..), the recorded order ..."
 */
#ifndef REPORT_CAUSAL_CAUSAL_SECOND_H
#define REPORT_CAUSAL_CAUSAL_SECOND_H

#include <jansson.h>

#include "report/causal/causal_words.h"

/* Is there one at that level? */
bool causal_has_second(const struct causal_part *part, uint32_t level);
/* Where the two are apart the most, in words; or why there is none. Nothing where they agree. */
void causal_append_second(const struct causal *causal, const struct causal_target *target,
                          struct str *out);
/* By number: "change", "ci95", and "apart". NULL: there is none. */
json_t *causal_json_second(const struct causal *causal, const struct causal_part *part,
                           uint32_t level);

#endif
