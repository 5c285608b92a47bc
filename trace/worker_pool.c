#include "trace/worker_pool.h"

#include <ctype.h>
#include <string.h>

static const char *behind_digits(const char *at)
{
    while (isdigit((unsigned char)*at))
        at++;
    return at;
}

bool worker_pool_name(const char *name, struct str *pool)
{
    static const char prefix[] = "kworker/";
    size_t length = sizeof prefix - 1;
    if (strncmp(name, prefix, length) != 0)
        return false;
    const char *number = name + length + (name[length] == 'u');
    const char *colon = behind_digits(number);
    if (colon == number || *colon != ':' || !isdigit((unsigned char)colon[1]))
        return false;
    const char *priority = behind_digits(colon + 1);
    str_append_bytes(pool, name, (size_t)(colon - name));
    if (*priority && *priority != '+' && *priority != '-')
        str_printf(pool, ":%c", *priority);
    return true;
}
