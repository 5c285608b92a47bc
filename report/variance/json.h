/* json.h - a variance report's factors, tree, tail and waits, as members of a JSON object.
 */
#ifndef REPORT_VARIANCE_JSON_H
#define REPORT_VARIANCE_JSON_H

#include <jansson.h>

#include "report/variance/variance_report.h"

void variance_write_json(const struct variance_report *report, json_t *into);

#endif
