/* json_parts.h - values that jansson takes, whatever bytes or numbers come in.
 *
 * Names need not be UTF-8, which jansson refuses: json_text puts U+FFFD for bad bytes; NULL is
 * null. json_number gives null for what is not finite. json_write gives up `value`.
 */
#ifndef REPORT_KIT_JSON_PARTS_H
#define REPORT_KIT_JSON_PARTS_H

#include <jansson.h>
#include <stdint.h>

#include "base/str.h"
#include "report/kit/doubt.h"

json_t *json_text(const char *text);
json_t *json_number(double value);
json_t *json_count(uint64_t count);
json_t *json_exact(__int128 value); /* as text: it is more than a double holds */
json_t *json_interval95(const double ci95[2]);
json_t *json_warnings(const struct report_warning *items, uint32_t count);
/* The value is given up. */
void json_set(json_t *object, const char *key, json_t *value);
void json_push(json_t *array, json_t *value);
void json_write(json_t *value, size_t flags, struct str *out);

#endif
