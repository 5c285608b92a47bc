/* json_place.h - where a value stands in the text of a JSON file, for messages.
 *
 *     {                        const char *key = json_place_member(text, "intervals");  -> 2:3
 *       "intervals": [ {} ]    const char *list = json_place_value(key);                -> 2:16
 *     }                        json_place_element(list, 0);                             -> 2:18
 *
 * The text was parsed already: it must be JSON. Every function takes and gives pointers into
 * the text, takes NULL for NULL, and gives NULL where there is no such thing.
 */
#ifndef DRIVER_WORKBENCH_JSON_PLACE_H
#define DRIVER_WORKBENCH_JSON_PLACE_H

#include <stddef.h>

const char *json_place_member(const char *object, const char *key); /* the key's quotation mark */
const char *json_place_value(const char *key);
const char *json_place_element(const char *array, size_t index);
/* Lines and columns are counted from 1, columns in bytes. */
void json_place_find(const char *text, const char *place, unsigned *line, unsigned *column);

#endif
