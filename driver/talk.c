#include "driver/talk.h"

#include <stdarg.h>
#include <stdio.h>

static bool quiet_;

void talk_set_quiet(bool quiet)
{
    quiet_ = quiet;
}

void talk(const char *format, ...)
{
    if (quiet_)
        return;
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

void talk_error(const struct error *error)
{
    fprintf(stderr, "vprofiler: %s\n", error->message);
}

int talk_usage(const char *command, const char *format, ...)
{
    fprintf(stderr, "vprofiler %s: ", command);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nTry: vprofiler %s --help\n", command);
    return EXIT_USAGE;
}

int exit_code_of(const struct error *error)
{
    switch (error->code) {
    case ERROR_NONE:
        return EXIT_DONE;
    case ERROR_USAGE:
        return EXIT_USAGE;
    case ERROR_NOTHING:
        return EXIT_NOTHING;
    case ERROR_STOPPED:
        return EXIT_INTERRUPTED;
    case ERROR_SYSTEM:
    case ERROR_TARGET:
    case ERROR_FORMAT:
        break;
    }
    return EXIT_TARGET;
}
