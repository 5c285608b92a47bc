/* mended_report.h - the report of `iterate`'s result says beside its factors what mending them would bring.
 *
 *     mended_report_write(&candidates, "vprofiler-out/007")         reads its causal.json
 */
#ifndef DRIVER_COMMANDS_MENDED_REPORT_H
#define DRIVER_COMMANDS_MENDED_REPORT_H

#include "driver/experiments/candidate_list.h"

/* Writes mended.json into the candidates' result, and its report anew, with what experiments say of each; says what was
 * written, or why it was not. */
void mended_report_write(const struct candidate_list *candidates, const char *causal_result);

#endif
