#include "symbol/readable_name.h"

#include <stdlib.h>
#include <string.h>

/* The C++ runtime's (Itanium C++ ABI, 3.4); what it gives is freed by the caller. */
char *__cxa_demangle(const char *symbol, char *buffer, size_t *length, int *status);

/* The parameters begin at the last bracket that is open at no other's: "(anonymous namespace)::f(int
 * (*)(char))" keeps its first one. */
static size_t without_parameters(const char *name)
{
    size_t length = strlen(name), at = length;
    int open = 0;
    while (at > 0 && name[at - 1] != ')')
        at--;
    if (!at)
        return length;
    for (size_t i = at; i > 0; i--) {
        open += name[i - 1] == ')';
        open -= name[i - 1] == '(';
        if (!open)
            return i > 1 ? i - 1 : length;
    }
    return length;
}

void readable_name(const char *symbol, struct str *out)
{
    char *name = strncmp(symbol, "_Z", 2) == 0 ? __cxa_demangle(symbol, NULL, NULL, NULL) : NULL;
    if (name)
        str_append_bytes(out, name, without_parameters(name));
    else
        str_append(out, symbol);
    free(name);
}
