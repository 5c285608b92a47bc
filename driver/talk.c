#include "driver/talk.h"

#include <stdarg.h>
#include <stdio.h>

#include "driver/live_line.h"

static bool quiet_;

void talk_set_quiet(bool quiet)
{
    quiet_ = quiet;
}

void talk(const char *format, ...)
{
    if (quiet_)
        return;
    live_line_clear();
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

void talk_phase(const char *format, ...)
{
    char phase[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(phase, sizeof phase, format, args);
    va_end(args);
    if (quiet_ || !live_line_possible())
        talk("%s", phase);
    else
        live_line_set(phase);
}

void talk_best(const char *name, double contribution)
{
    char best[160];
    snprintf(best, sizeof best, "%s %.0f %%", name, contribution * 100);
    live_line_note(best);
}

void talk_pause(void)
{
    live_line_end();
}

void talk_error(const struct error *error)
{
    live_line_end();
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
