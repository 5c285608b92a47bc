#include "driver/runs/ab_runs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "driver/cli/talk.h"
#include "driver/workbench/installation.h"
#include "driver/workbench/process.h"
#include "driver/workbench/target.h"
#include "driver/workbench/workdir.h"
#include "trace/function_table.h"

static bool make_folders(struct ab_runs *runs, const char *out, struct error *error)
{
    struct workdir workdir;
    if (!workdir_create(&workdir, out, error))
        return false;
    str_append(&runs->root, workdir.root.data);
    workdir_release(&workdir);
    for (int s = 0; s < 2; s++) {
        str_printf(&runs->folders[s], "%s/%c", runs->root.data, "ab"[s]);
        if (!file_make_directories(runs->folders[s].data, error))
            return false;
    }
    return true;
}

static bool write_functions(const struct ab_runs *runs, int side, struct error *error)
{
    struct probe_info none = {.kind = PROBE_NONE, .function = FUNCTION_NONE};
    struct function_table empty = {.probes = &none, .probe_count = 1};
    struct str path = {0}, text = {0};
    none.within = FUNCTION_NONE;
    none.file = "";
    str_printf(&path, "%s/functions.json", runs->folders[side].data);
    bool ok = runs->functions[side] ? file_read(&text, runs->functions[side], error) &&
                                          file_write(path.data, str_text(&text), text.length, error)
                                    : function_table_write(&empty, path.data, error);
    str_release(&path);
    str_release(&text);
    return ok;
}

static bool write_command(const struct ab_runs *runs, int side, struct error *error)
{
    struct str path = {0};
    str_printf(&path, "%s/" AB_COMMAND, runs->folders[side].data);
    bool ok = file_write(path.data, runs->names[side], strlen(runs->names[side]), error);
    str_release(&path);
    return ok;
}

/* ---- a run ---- */

static bool run_one(const struct ab_runs *runs, int side, unsigned round, struct error *error)
{
    char here[PATH_MAX];
    struct str trace = {0}, log = {0};
    if (!getcwd(here, sizeof here))
        return error_system(error, "Can't find the current folder");
    char *command[] = {"sh", "-c", (char *)runs->commands[side], NULL};
    struct target target = {.source = here,
                            .tree = here,
                            .command = command,
                            .seconds = runs->seconds,
                            .kernel = runs->kernel,
                            .advice = "Make the command work by hand first."};
    str_printf(&trace, "%s/%02u", runs->folders[side].data, round);
    str_printf(&log, "%s.log", trace.data);
    struct target_round one = {
        .number = round ? round : 1, .trace_directory = trace.data, .run_log = log.data};
    bool ok = file_make_directories(trace.data, error) && target_run(&target, &one, error);
    if (ok && round == 0)
        ok = file_remove_tree(trace.data, error);
    str_release(&trace);
    str_release(&log);
    return ok;
}

static bool run_round(const struct ab_runs *runs, unsigned round, struct error *error)
{
    int first = round > 0 && round % 2 == 0;
    for (int i = 0; i < 2; i++) {
        int side = i ^ first;
        if (round == 0)
            talk_phase("[warm-up] %c", "AB"[side]);
        else
            talk_phase("[%u of %u] %c", round, runs->rounds, "AB"[side]);
        if (!run_one(runs, side, round, error))
            return false;
    }
    return true;
}

bool ab_runs_make(struct ab_runs *runs, const char *out, struct error *error)
{
    if (!installation_runtime())
        return error_set(error, ERROR_SYSTEM,
                         "libvprof.so is not where it should be beside this program. Install "
                         "vprofiler again, or build it with `make`.");
    process_catch_interrupts();
    bool ok = make_folders(runs, out, error) && write_functions(runs, 0, error) &&
              write_functions(runs, 1, error) && write_command(runs, 0, error) &&
              write_command(runs, 1, error);
    for (unsigned round = 0; round <= runs->rounds && ok; round++)
        ok = run_round(runs, round, error);
    return ok;
}

void ab_runs_release(struct ab_runs *runs)
{
    str_release(&runs->root);
    for (int s = 0; s < 2; s++)
        str_release(&runs->folders[s]);
}
