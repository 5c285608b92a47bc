/* stacks_proof.h - what was measured call by call after stacks were looked at (stacks/proof.h), told.
 *
 *     MEASURED CALL BY CALL      calls     mean     50 %     99 %  longest    time   stacks
 *     serve                      1,200  1.00 ms  0.69 ms  4.61 ms  7.20 ms    41 %     41 %
 *
 * Nothing is said where nothing was measured. Borrows everything.
 */
#ifndef REPORT_STACKS_STACKS_PROOF_H
#define REPORT_STACKS_STACKS_PROOF_H

#include <jansson.h>

#include "base/str.h"
#include "report/kit/terminal.h"
#include "stacks/stacks.h"

void stacks_proof_text(const struct stacks *stacks, struct terminal *terminal);
/* NULL: nothing was measured. */
json_t *stacks_proof_json(const struct stacks *stacks);
/* Appends what has to be known of the function beside its numbers; nothing, mostly. */
void stacks_proof_notes(const struct proven_function *proven, struct str *out);
/* What a length is by the number of calls and the stacks, where none was measured; 0: not known. In ns. */
double stacks_proof_guess(const struct proven_function *proven);
/* "serve", without the file. */
void stacks_proof_name(const struct proven_function *proven, struct str *out);

#endif
