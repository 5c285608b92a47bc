#include "driver/workbench/recorded_run.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "driver/cli/talk.h"
#include "driver/workbench/process.h"
#include "driver/workbench/target.h"

bool recorded_run(const struct workdir *workdir, char *const *command, struct kernel_wish wish,
                  bool *failed, struct error *error)
{
    struct str trace = {0}, log = {0};
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
              workdir_round(workdir, 1, "trace", &trace, error) &&
              workdir_round(workdir, 1, "run.log", &log, error) &&
              file_make_directories(trace.data, error);
    struct target_round round = {.number = 1, .trace_directory = trace.data, .run_log = log.data};
    *failed = false;
    process_catch_interrupts();
    talk_phase("run (it prints to %s)", log.data);
    if (ok && !target_run(&target, &round, error)) {
        *failed = error->code == ERROR_TARGET;
        ok = *failed || error->code == ERROR_STOPPED;
        if (*failed)
            talk_error(error);
        else if (ok)
            talk("stopped: what it did until then is analysed");
    }
    str_release(&trace);
    str_release(&log);
    free(here);
    return ok;
}
