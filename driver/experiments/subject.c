#include "driver/experiments/subject.h"

#include <math.h>
#include <time.h>

#include "base/clock.h"
#include "driver/cli/talk.h"
#include "driver/experiments/delay_file.h"
#include "driver/workbench/process.h"

/* Chosen: so long a program may take to its first units of work; tell_no_work says it. */
#define FIRST_WORK_S 30.0
#define FIRST_WORK 20
#define GRACE_S 10

uint64_t subject_work(const struct subject *s)
{
    uint64_t visits = delay_file_sum(&s->delays->visits);
    return visits ? visits : delay_file_sum(&s->delays->ended);
}

static void pause_for(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)(fmod(seconds, 1) * 1e9)};
    nanosleep(&time, NULL);
}

bool subject_goes_on(const struct subject *s)
{
    return !process_interrupted() && process_running(&s->command.process);
}

bool subject_wait(const struct subject *s, subject_until *done, uint64_t value, double most_s)
{
    double end = clock_s() + most_s, look = fmin(0.002, most_s / 20);
    while (subject_goes_on(s) && !done(s, value) && clock_s() < end)
        pause_for(look);
    return done(s, value);
}

bool subject_has_done(const struct subject *s, uint64_t value)
{
    return subject_work(s) >= value;
}

bool subject_has_ended(const struct subject *s, uint64_t value)
{
    return delay_file_sum(&s->delays->ended) >= value;
}

bool subject_has_counted(const struct subject *s, uint64_t value)
{
    uint64_t visits = delay_file_sum(&s->delays->visits);
    return (visits ? visits : delay_file_sum(&s->delays->counted)) >= value;
}

bool subject_none_open(const struct subject *s, uint64_t value)
{
    (void)value;
    return delay_file_sum(&s->delays->open) == 0;
}

bool subject_never(const struct subject *s, uint64_t value)
{
    (void)s, (void)value;
    return false;
}

static bool start(struct subject *s, struct error *error)
{
    s->started = target_start(s->target, &s->round, &s->command, error);
    s->command.process.grace_s = GRACE_S;
    return s->started;
}

bool subject_end(struct subject *s, struct error *error)
{
    if (!s->started)
        return true;
    s->started = false;
    return target_end(s->target, &s->round, &s->command, error);
}

static bool tell_no_work(const struct subject *s, bool running, struct error *error)
{
    unsigned long long processes = delay_file_sum(&s->delays->member_count),
                       begun = delay_file_sum(&s->delays->begun);
    if (!processes)
        return error_set(
            error, ERROR_NOTHING,
            "The program left no trace. Are SI_BEGIN and SI_END, or VPROF_PROGRESS, of vprof_api.h "
            "compiled into it? Or is it linked statically, set-uid, or started in a cleaned "
            "environment (env -i, sudo)? LD_PRELOAD and VPROF_TRACE_DIR must reach it.");
    return error_set(error, ERROR_NOTHING,
                     "Nothing to measure: %llu process%s recorded, %llu intervals began, and fewer "
                     "than %d were completed %s. Does the load reach the marked code? A "
                     "program without intervals needs VPROF_PROGRESS(\"name\") or --progress "
                     "FUNCTION where a unit of work is complete.",
                     processes, processes == 1 ? "" : "es", begun, FIRST_WORK,
                     running ? "in half a minute" : "before the program ended");
}

bool subject_start_again(struct subject *s, struct error *error)
{
    uint64_t before = subject_work(s);
    if (s->started && !subject_end(s, error))
        return false;
    talk_phase("run%s", s->ended_runs++ ? " again" : "");
    if (!start(s, error))
        return false;
    if (subject_wait(s, subject_has_done, before + FIRST_WORK, FIRST_WORK_S))
        return true;
    if (process_interrupted())
        return error_set(error, ERROR_STOPPED, "Interrupted.");
    struct error ended;
    bool running = process_running(&s->command.process);
    if (!subject_end(s, running ? &ended : error) && !running)
        return false;
    return tell_no_work(s, running, error);
}
