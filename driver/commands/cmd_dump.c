#include <limits.h>
#include <stdio.h>

#include "base/file.h"
#include "driver/cli/command_line.h"
#include "driver/cli/talk.h"
#include "driver/workbench/given.h"
#include "trace/dump.h"
#include "trace/timeline_load.h"

struct dump_values {
    const char *trace, *functions;
};

static const struct option_spec arguments[] = {
    ARGUMENT(FOLDER, offsetof(struct dump_values, trace), "TRACE_DIR", "the folder of a trace",
             .needed = true),
    ARGUMENT(FILE, offsetof(struct dump_values, functions), "FUNCTIONS_JSON",
             "the names of its functions; otherwise TRACE_DIR/../functions.json where it is there"),
    {0},
};

static bool load_functions(struct function_table *table, const struct dump_values *values,
                           bool *loaded, struct error *error)
{
    struct str beside = {0};
    str_printf(&beside, "%s/../functions.json", values->trace);
    *loaded = values->functions || file_exists(beside.data);
    bool ok = !*loaded || function_table_read(
                              table, values->functions ? values->functions : beside.data, error);
    str_release(&beside);
    return ok;
}

static int run(int argc, char **argv)
{
    struct dump_values values;
    int code;
    if (!command_take(&command_dump, argc, argv, &values, &code))
        return code;
    struct error error;
    struct timelines timelines;
    struct function_table functions = {0};
    bool loaded = false;
    char trace[PATH_MAX];
    if (!given_folder(values.trace, "trace folder", NULL, trace, &error) ||
        !load_functions(&functions, &values, &loaded, &error) ||
        !timelines_load(&timelines, trace, &error)) {
        if (error.code == ERROR_NOTHING)
            error_set(&error, ERROR_NOTHING,
                      "There is no trace (*.vtr) in %s. The last round's is in "
                      "vprofiler-out/latest/rounds/NN/trace.",
                      trace);
        talk_error(&error);
        return exit_code_of(&error);
    }
    trace_dump(&timelines, loaded ? &functions : NULL, stdout);
    for (uint32_t i = 0; i < timelines.damage_count; i++)
        talk("%s", timelines.damage[i]);
    timelines_release(&timelines);
    function_table_release(&functions);
    return EXIT_DONE;
}

const struct command command_dump = {
    .name = "dump",
    .run = run,
    .summary = "print what a run recorded: the four kinds of tuples",
    .description =
        "Prints what the threads of a run did, in the four tuples of the VProfiler paper, one a "
        "line:\n"
        "  segment TID INTERVAL FROM TO STATE\n"
        "  function TID INTERVAL NAME FROM TO\n"
        "  wake-up TID WAKER TIME\n"
        "  creation TID TIME BY-TID TIME\n"
        "Times are ns since the start of the run.\n",
    .arguments = arguments,
    .examples = {{"vprofiler dump vprofiler-out/latest/rounds/04/trace", "the last round's trace"},
                 {"vprofiler dump run/ functions.json | grep ^wake-up", "who woke whom"},
                 {"VPROF_TRACE_DIR=run LD_PRELOAD=libvprof.so ./server && vprofiler dump run",
                  "a run of your own"}},
    .status = STATUS_OF_READERS,
};
