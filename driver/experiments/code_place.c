#include "driver/experiments/code_place.h"

#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "driver/cli/talk.h"
#include "driver/experiments/delay_file.h"
#include "driver/workbench/switch_file.h"

/* Chosen: so long after the last process came the program is taken to have mapped what it will. */
#define QUIET_S 3.0
#define LOOK_NS 100000000
#define MOST_S 30.0

/* `error` says at the end why it was not found. */
static bool watch(const struct trace_delays *delays, const struct process *process,
                  struct code_goal *place, struct error *error)
{
    const struct timespec look = {0, LOOK_NS};
    double begin = clock_s(), last = begin;
    uint32_t known = 0;
    bool found = false;
    while (!found && process_running(process) && !process_interrupted() &&
           clock_s() - begin < MOST_S && (!known || clock_s() - last < QUIET_S)) {
        nanosleep(&look, NULL);
        uint32_t members = delay_file_members(delays);
        if (members != known)
            last = clock_s();
        known = members;
        found = members && code_goal_find(place, delays->members, members, error);
    }
    return found;
}

static bool run(const struct target *target, const char *folder, struct code_goal *place,
                struct error *error)
{
    struct str log = {0};
    struct target_command command;
    struct switch_file switches = {0};
    struct error ignored;
    path_join(&log, folder, "run.log");
    struct target_round round = {.number = 1, .trace_directory = folder, .run_log = log.data};
    struct trace_delays *delays = delay_file_make(folder, error);
    bool started = delays && switch_file_make(&switches, folder, 1, error) &&
                   target_start(target, &round, &command, error);
    error_set(started ? error : &ignored, ERROR_NOTHING,
              "The program ended before it was seen what it maps: name the program itself in place "
              "of a script that runs it.");
    bool found = started && watch(delays, &command.process, place, error);
    if (started)
        target_end(target, &round, &command, &ignored);
    if (process_interrupted())
        error_set(error, ERROR_STOPPED, "Interrupted.");
    switch_file_release(&switches);
    delay_file_release(delays);
    str_release(&log);
    return found && !process_interrupted();
}

static bool find_in_run(const struct target *target, struct code_goal *place, const char *name,
                        struct error *error)
{
    struct str folder = {0};
    struct error ignored;
    talk_phase("run for a moment, to see where %s is", name);
    process_catch_interrupts();
    bool found = file_make_temporary(&folder, error) && run(target, folder.data, place, error);
    if (folder.length)
        file_remove_tree(folder.data, &ignored);
    str_release(&folder);
    return found;
}

static bool find_in_command(const struct target *target, struct code_goal *place)
{
    struct str path = {0}, absolute = {0};
    if (!target->command)
        return false;
    path_of_program(&path, target->command[0]);
    path_join(&absolute, target->tree, path.data);
    bool found = code_goal_find_in(place, absolute.data);
    str_release(&path);
    str_release(&absolute);
    return found;
}

static bool check_count(const struct code_goal *place, struct error *error)
{
    if (place->count <= TRACE_DELAYS_PLACES)
        return true;
    return error_set(error, ERROR_USAGE,
                     "%s begins in %u places, as it was inlined, and a processor watches %d "
                     "(--progress). Keep it from being inlined (__attribute__((noinline))), or put "
                     "VPROF_PROGRESS(\"name\") of vprof_api.h into it.",
                     place->function, place->count, TRACE_DELAYS_PLACES);
}

bool code_place_find(const struct target *target, struct code_goal *goal, const char *name,
                     struct error *error)
{
    return find_in_command(target, goal) || find_in_run(target, goal, name, error);
}

struct code_goal *code_place_of_progress(const struct target *target, const char *function,
                                         struct error *error)
{
    struct code_goal *place = code_goal_of_function(function);
    place->entries = true;
    if (code_place_find(target, place, function, error) && check_count(place, error))
        return place;
    code_goal_release(place);
    return NULL;
}
