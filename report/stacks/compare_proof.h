/* compare_proof.h - functions that both sides of a comparison measured call by call: by calls, or by length?
 *
 *     MEASURED CALL BY CALL      calls a request      length          change   by calls   by length
 *     parse                        10.0 -> 40.0   2.00 -> 3.00 ms     +100 ms     +75 ms      +25 ms
 *
 * Nothing is said where nothing was measured on both sides.
 */
#ifndef REPORT_STACKS_COMPARE_PROOF_H
#define REPORT_STACKS_COMPARE_PROOF_H

#include "report/kit/terminal.h"
#include "report/stacks/stacks_compare.h"

void compare_proof_text(const struct stacks_compare *told, struct terminal *terminal);
json_t *compare_proof_json(const struct stacks_compare *told);
void compare_proof_html(const struct stacks_compare *told, struct str *out);

#endif
