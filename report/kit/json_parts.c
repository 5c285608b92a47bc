#include "report/kit/json_parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/number.h"
#include "base/utf8.h"

json_t *json_text(const char *text)
{
    if (!text)
        return json_null();
    struct str clean = {0};
    utf8_clean(&clean, text);
    json_t *value = json_stringn(str_text(&clean), clean.length);
    str_release(&clean);
    return value;
}

json_t *json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_count(uint64_t count)
{
    return json_integer((json_int_t)count);
}

json_t *json_exact(__int128 value)
{
    return json_string(number_exact(value).text);
}

void json_set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        BUG("a JSON value could not be made");
}

void json_push(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        BUG("a JSON value could not be made");
}

json_t *json_interval95(const double ci95[2])
{
    json_t *array = json_array();
    json_push(array, json_number(ci95[0]));
    json_push(array, json_number(ci95[1]));
    return array;
}

void json_write(json_t *value, size_t flags, struct str *out)
{
    char *text = json_dumps(value, flags);
    if (!text)
        BUG("a JSON text could not be made");
    utf8_escape_json(out, text);
    free(text);
    json_decref(value);
}

json_t *json_warnings(const struct report_warning *items, uint32_t count)
{
    json_t *warnings = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_t *object = json_object();
        json_set(object, "code", json_text(items[i].code));
        json_set(object, "message", json_text(items[i].message));
        json_push(warnings, object);
    }
    return warnings;
}
