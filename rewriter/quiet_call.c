#include "rewriter/quiet_call.h"

#include <stdlib.h>
#include <string.h>

/* The names stand in the order of strcmp. */
static const char *const names[] = {
    "abort",
    "clock",
    "clock_getres",
    "clock_gettime",
    "clock_nanosleep",
    "errx",
    "exit",
    "ftime",
    "gettimeofday",
    "longjmp",
    "nanosleep",
    "pthread_exit",
    "quick_exit",
    "siglongjmp",
    "sleep",
    "std::abort",
    "std::chrono::_V2::steady_clock::now",
    "std::chrono::_V2::system_clock::now",
    "std::exit",
    "std::terminate",
    "std::this_thread::sleep_for",
    "std::this_thread::sleep_until",
    "thrd_exit",
    "thrd_sleep",
    "time",
    "times",
    "timespec_get",
    "usleep",
};

static int by_name(const void *name, const void *entry)
{
    return strcmp(name, *(const char *const *)entry);
}

static bool is_reserved(const char *name)
{
    return name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

bool quiet_call_named(const char *name)
{
    return is_reserved(name) || strcmp(name, "_exit") == 0 ||
           bsearch(name, names, sizeof names / sizeof *names, sizeof *names, by_name);
}
