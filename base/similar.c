#include "base/similar.h"

#include <string.h>

enum { LONGEST = 80 };

static uint32_t edit_distance(const char *a, const char *b)
{
    uint32_t row[LONGEST + 1];
    size_t length = strnlen(b, LONGEST);
    for (uint32_t j = 0; j <= length; j++)
        row[j] = j;
    for (uint32_t i = 1; *a; a++, i++) {
        uint32_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length; j++) {
            uint32_t best = corner + (*a != b[j - 1]);
            corner = row[j];
            best = best < row[j] + 1 ? best : row[j] + 1;
            row[j] = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
        }
    }
    return row[length];
}

/* A name that was only begun is as good as one with a wrong letter. */
static uint32_t distance_of(const char *wanted, const char *name)
{
    uint32_t distance = edit_distance(wanted, name);
    return distance > 1 && strlen(wanted) > 1 && str_starts_with(name, wanted) ? 1 : distance;
}

void similar_offer(struct similar *similar, const char *name)
{
    uint32_t distance = distance_of(similar->wanted, name);
    if (distance > strlen(similar->wanted) / 3 + 1 || distance >= strlen(name))
        return;
    for (uint32_t i = 0; i < similar->count; i++)
        if (strcmp(similar->names[i], name) == 0)
            return;
    uint32_t at = similar->count;
    while (at > 0 && distance < similar->distances[at - 1])
        at--;
    if (at == SIMILAR_MOST)
        return;
    similar->count += similar->count < SIMILAR_MOST;
    for (uint32_t i = similar->count - 1; i > at; i--) {
        similar->names[i] = similar->names[i - 1];
        similar->distances[i] = similar->distances[i - 1];
    }
    similar->names[at] = name;
    similar->distances[at] = distance;
}

void similar_append(const struct similar *similar, const char *prefix, struct str *text)
{
    /* The others only distract where one is as good as meant. */
    for (uint32_t i = 0; i < similar->count && similar->distances[i] <= similar->distances[0] + 1;
         i++)
        str_printf(text, "%s%s%s", i ? ", " : " Did you mean ", prefix, similar->names[i]);
    if (similar->count)
        str_append_char(text, '?');
}
