#include "driver/workbench/json_place.h"

#include <string.h>

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : at;
}

static const char *skip_value(const char *at)
{
    if (*at == '"')
        return skip_string(at);
    if (*at != '{' && *at != '[')
        return at + strcspn(at, ",]} \t\r\n");
    unsigned depth = 0;
    do {
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at = *at == '"' ? skip_string(at) : at + 1;
    } while (*at && depth);
    return at;
}

/* Gives the next member or element behind `at`, which is one. */
static const char *next(const char *at)
{
    at = skip_blanks(at);
    return *at == ',' ? skip_blanks(at + 1) : NULL;
}

static const char *first(const char *at, char open)
{
    at = at ? skip_blanks(at) : NULL;
    at = at && *at == open ? skip_blanks(at + 1) : NULL;
    return at && *at != ']' && *at != '}' ? at : NULL;
}

const char *json_place_member(const char *object, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = first(object, '{'); at; at = next(skip_value(json_place_value(at))))
        if (strncmp(at + 1, key, length) == 0 && at[1 + length] == '"')
            return at;
    return NULL;
}

const char *json_place_value(const char *key)
{
    if (!key)
        return NULL;
    const char *colon = skip_blanks(skip_string(key));
    return *colon ? skip_blanks(colon + 1) : colon;
}

const char *json_place_element(const char *array, size_t index)
{
    const char *at = first(array, '[');
    for (; at && index; index--)
        at = next(skip_value(at));
    return at;
}

void json_place_find(const char *text, const char *place, unsigned *line, unsigned *column)
{
    *line = *column = 1;
    for (; text < place; text++) {
        *column = *text == '\n' ? 1 : *column + 1;
        *line += *text == '\n';
    }
}
