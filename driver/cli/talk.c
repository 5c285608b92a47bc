#include "driver/cli/talk.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/str.h"
#include "base/utf8.h"
#include "driver/cli/live_line.h"

static bool quiet_;

void talk_set_quiet(bool quiet)
{
    quiet_ = quiet;
}

/* Names come from anywhere, and must not command the terminal. */
static void print(FILE *out, const char *format, va_list args)
{
    struct str text = {0}, shown = {0};
    str_vprintf(&text, format, args);
    utf8_printable(&shown, str_text(&text), true);
    fputs(str_text(&shown), out);
    str_release(&text);
    str_release(&shown);
}

void talk_print(FILE *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print(out, format, args);
    va_end(args);
}

void talk(const char *format, ...)
{
    if (quiet_)
        return;
    live_line_clear();
    va_list args;
    va_start(args, format);
    print(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

static void set_live_line(const char *phase)
{
    struct str shown = {0};
    utf8_printable(&shown, phase, false);
    live_line_set(str_text(&shown));
    str_release(&shown);
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
        set_live_line(phase);
}

void talk_best(const char *headline)
{
    struct str shown = {0};
    utf8_fit(&shown, headline, 100, true);
    live_line_note(str_text(&shown));
    str_release(&shown);
}

void talk_pause(void)
{
    live_line_end();
}

void talk_error(const struct error *error)
{
    live_line_end();
    talk_print(stderr, "vprofiler: %s\n", error->message);
}

int talk_usage(const char *command, const char *format, ...)
{
    fprintf(stderr, "vprofiler %s: ", command);
    va_list args;
    va_start(args, format);
    print(stderr, format, args);
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
