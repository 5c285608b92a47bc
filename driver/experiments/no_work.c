#include "driver/experiments/no_work.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "driver/experiments/delay_file.h"

static const char *why_refused(int code)
{
    static const struct {
        int code;
        const char *why;
    } reasons[] = {
        {ENOSPC, "the processor has four such places, and others hold them, as a debugger does"},
        {EACCES, "kernel.perf_event_paranoid is above 2, or a container forbids perf_event_open"},
        {EPERM, "kernel.perf_event_paranoid is above 2, or a container forbids perf_event_open"},
        {EINVAL, "Linux is older than 5.13"},
        {E2BIG, "Linux is older than 5.13"},
        {EOPNOTSUPP, "it has no such places on this processor"},
        {ENOENT, "it has no such places on this processor"},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].code == code)
            return reasons[i].why;
    return strerror(code);
}

/* The function that is a unit of work was never called, as far as is known. */
static bool fail_place(const struct trace_delays *delays, struct error *error)
{
    const char *name = delays->place_name;
    if (delay_file_sum(&delays->places_refused))
        return error_set(
            error, ERROR_SYSTEM,
            "The kernel refuses to tell of calls of %s (--progress): %s. Mend that, or "
            "put VPROF_PROGRESS(\"name\") of vprof_api.h into it instead.",
            name, why_refused((int)delays->place_error));
    if (delay_file_sum(&delays->places_lost))
        return error_set(error, ERROR_SYSTEM,
                         "Calls of %s (--progress) were not told any more: the program has closed "
                         "all descriptors (close_range), or taken SIGTRAP. Put "
                         "VPROF_PROGRESS(\"name\") of vprof_api.h into it instead.",
                         name);
    if (!delay_file_sum(&delays->places_watched))
        return error_set(error, ERROR_NOTHING,
                         "No process had %s mapped when it began (--progress): a library that is "
                         "loaded later (dlopen) is not watched. Name a function of the program, or "
                         "load it at the start (LD_PRELOAD).",
                         name);
    return error_set(error, ERROR_NOTHING,
                     "Nothing to measure: %s was never called (--progress). Does the load reach "
                     "it? Name a function that each unit of work calls.",
                     name);
}

bool no_work_no_trace(const char *begin, struct error *error)
{
    return error_set(error, ERROR_NOTHING,
                     "The program left no trace. %s linked statically, set-uid, or started in a "
                     "cleaned environment "
                     "(env -i, sudo)? LD_PRELOAD and VPROF_TRACE_DIR must reach it.",
                     begin);
}

bool no_work_tell(const struct trace_delays *delays, int least, bool running, struct error *error)
{
    unsigned long long processes = delay_file_sum(&delays->member_count),
                       begun = delay_file_sum(&delays->begun);
    if (!processes)
        return no_work_no_trace(
            "Are SI_BEGIN and SI_END, or VPROF_PROGRESS, of vprof_api.h compiled into it? Or is it",
            error);
    if (delays->place_count && !delay_file_sum(&delays->visits))
        return fail_place(delays, error);
    return error_set(error, ERROR_NOTHING,
                     "Nothing to measure: %llu process%s recorded, %llu intervals began, and fewer "
                     "than %d were completed %s. Does the load reach the marked code? A "
                     "program without intervals needs VPROF_PROGRESS(\"name\") or --progress "
                     "FUNCTION where a unit of work is complete.",
                     processes, processes == 1 ? "" : "es", begun, least,
                     running ? "in half a minute" : "before the program ended");
}
