#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool error_set(struct error *error, enum error_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error->code = code;
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return false;
}

bool error_system(struct error *error, const char *format, ...)
{
    int saved = errno;
    va_list args;
    va_start(args, format);
    error->code = ERROR_SYSTEM;
    int used = vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    if (used >= 0 && (size_t)used < sizeof error->message)
        snprintf(error->message + used, sizeof error->message - (size_t)used, ": %s.",
                 strerror(saved));
    return false;
}

void error_bug(const char *file, int line, const char *what)
{
    fprintf(stderr, "vprofiler: BUG at %s:%d: %s. Please report it.\n", file, line, what);
    abort();
}
