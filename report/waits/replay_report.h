/* replay_report.h - what waits are worth, told: on the terminal, in the headline, and as JSON.
 *
 * Borrows everything.
 */
#ifndef REPORT_WAITS_REPLAY_REPORT_H
#define REPORT_WAITS_REPLAY_REPORT_H

#include <jansson.h>

#include "report/kit/terminal.h"
#include "waits/waits.h"

/* Below so much, a speed-up is not worth a word. */
#define REPLAY_LEAST 1.05

/* "Without the waits of b for a timer at most 2.0x." Of the first knot's edges the one that brings most;
 * nothing where none does. */
void replay_append_sentence(const struct waits *waits, struct str *out);
/* Nothing where no edge was replayed. */
void replay_write_text(const struct waits *waits, struct terminal *terminal);
json_t *replay_json(const struct replays *replays);

#endif
