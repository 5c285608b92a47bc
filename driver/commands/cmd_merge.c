#include "driver/cli/command_line.h"
#include "driver/cli/talk.h"
#include "driver/runs/analysis.h"

static const struct option_spec options[] = {ANALYSIS_OPTIONS, {0}};
static const struct option_spec arguments[] = {
    ARGUMENT(FOLDER, ANALYSIS_AT(folders), "RESULT", "a result or a folder of traces",
             .needed = true, .repeatable = true),
    {0},
};

static int run(int argc, char **argv)
{
    struct analysis_values values;
    int code;
    if (!command_take(&command_merge, argc, argv, &values, &code))
        return code;
    if (option_count(values.folders) < 2)
        return talk_usage("merge", "one RESULT is nothing to merge: name two or more. For one "
                                   "there is `vprofiler analyze`.");
    return analysis_run(&values, argc, argv);
}

const struct command command_merge = {
    .name = "merge",
    .run = run,
    .summary = "several runs or hosts as one, exactly",
    .description =
        "Several runs as one result. The tree, the factors and every number are bit for bit those "
        "of one analysis of all the "
        "runs' traces, whatever the order of the arguments. RESULT is a result of iterate, analyze "
        "or merge, or a folder with *.vtr files. All must be runs of one instrumented build: their "
        "functions.json are the same. Clocks of different hosts are never compared.\n",
    .options = options,
    .arguments = arguments,
    .examples = {{"vprofiler merge monday tuesday", "two runs"},
                 {"vprofiler merge host-*/vprofiler-out --out fleet", "the latest of every host"},
                 {"vprofiler merge a b --functions functions.json --json", "traces alone"}},
    .status = STATUS_OF_READERS,
};
