/* waits_compare.h - the waits of two runs, the second against the first.
 *
 *     waits_compare_text(a, b, &terminal);
 *     json_t *object = json_object();
 *     waits_compare_json(a, b, object);            "vprofiler.waits-compare/1"
 */
#ifndef REPORT_WAITS_WAITS_COMPARE_H
#define REPORT_WAITS_WAITS_COMPARE_H

#include <jansson.h>

#include "report/kit/terminal.h"
#include "waits/waits.h"

#define WAITS_COMPARE_SCHEMA "vprofiler.waits-compare/1"

void waits_compare_text(const struct waits *a, const struct waits *b, struct terminal *terminal);
void waits_compare_json(const struct waits *a, const struct waits *b, json_t *into);

#endif
