#include "driver/cli/command_line.h"
#include "driver/runs/analysis.h"

static const struct option_spec options[] = {ANALYSIS_OPTIONS, {0}};
static const struct option_spec arguments[] = {
    ARGUMENT(FOLDER, ANALYSIS_AT(folders), "RUN_DIR", "a result or a folder of traces",
             .needed = true, .repeatable = true),
    {0},
};

static int run(int argc, char **argv)
{
    struct analysis_values values;
    int code;
    if (!command_take(&command_analyze, argc, argv, &values, &code))
        return code;
    return analysis_run(&values, argc, argv);
}

const struct command command_analyze = {
    .name = "analyze",
    .run = run,
    .summary = "analyse traces that are there, without running anything",
    .description =
        "Analyses finished runs again and writes a result, as `vprofiler iterate` does. RUN_DIR is "
        "a result (vprofiler-out/003: its last round with a trace), one of its rounds, or a folder "
        "with *.vtr files and functions.json in it or beside it. Several are analysed as one, as "
        "by `vprofiler merge`.\n",
    .options = options,
    .arguments = arguments,
    .examples = {{"vprofiler analyze vprofiler-out --k 5", "the latest result, other settings"},
                 {"vprofiler analyze run --functions functions.json", "traces of a run by hand"},
                 {"VPROF_TRACE_DIR=run LD_PRELOAD=libvprof.so ./server && vprofiler analyze run",
                  "such a run, if functions.json lies in run/ or beside it"}},
    .status = STATUS_OF_READERS,
};
