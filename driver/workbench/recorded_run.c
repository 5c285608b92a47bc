#include "driver/workbench/recorded_run.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "driver/cli/talk.h"
#include "driver/workbench/process.h"
#include "driver/workbench/target.h"

bool recorded_run_into(const char *trace, const char *log, char *const *command,
                       struct kernel_wish wish, bool *failed, struct error *error)
{
    char *here = getcwd(NULL, 0);
    struct target target = {.source = here,
                            .tree = here,
                            .command = command,
                            .recorded = true,
                            .kernel = wish.mode,
                            .endless = wish.endless,
                            .stacks = wish.stacks,
                            .points = wish.points};
    bool ok = (here || error_system(error, "Can't find the present folder")) &&
              file_make_directories(trace, error);
    struct target_round round = {.number = 1, .trace_directory = trace, .run_log = log};
    *failed = false;
    process_catch_interrupts();
    talk_phase("run (it prints to %s)", log);
    if (ok && !target_run(&target, &round, error)) {
        *failed = error->code == ERROR_TARGET;
        ok = *failed || error->code == ERROR_STOPPED;
        if (*failed)
            talk_error(error);
        else if (ok)
            talk("stopped: what it did until then is analysed");
    }
    free(here);
    return ok;
}

bool recorded_run(const struct workdir *workdir, char *const *command, struct kernel_wish wish,
                  bool *failed, struct error *error)
{
    struct str trace = {0}, log = {0};
    *failed = false;
    bool ok = workdir_round(workdir, 1, "trace", &trace, error) &&
              workdir_round(workdir, 1, "run.log", &log, error) &&
              recorded_run_into(trace.data, log.data, command, wish, failed, error);
    str_release(&trace);
    str_release(&log);
    return ok;
}
