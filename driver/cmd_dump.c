#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "driver/command.h"
#include "driver/talk.h"
#include "trace/dump.h"

static const char help[] =
    "usage: vprofiler dump TRACE_DIR [FUNCTIONS_JSON]\n"
    "\n"
    "Prints what the threads of a run did, in the four tuples of the VProfiler paper, one a line:\n"
    "  segment TID INTERVAL FROM TO STATE       function TID INTERVAL NAME FROM TO\n"
    "  wake-up TID WAKER TIME                   creation TID TIME BY-TID TIME\n"
    "Times are ns since the start of the run. FUNCTIONS_JSON is TRACE_DIR/../functions.json where "
    "it\n"
    "is not given.\n"
    "\n"
    "examples:\n"
    "  vprofiler dump vprofiler-out/latest/rounds/04/trace\n"
    "  vprofiler dump run/ functions.json | grep ^wake-up\n"
    "  VPROF_TRACE_DIR=run LD_PRELOAD=libvprof.so ./server && vprofiler dump run\n";

static bool load_functions(struct function_table *table, const char *trace, const char *named,
                           bool *loaded, struct error *error)
{
    struct str beside = {0};
    str_printf(&beside, "%s/../functions.json", trace);
    *loaded = named || file_exists(beside.data);
    bool ok = !*loaded || function_table_read(table, named ? named : beside.data, error);
    str_release(&beside);
    return ok;
}

int cmd_dump(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(help, stdout);
        return EXIT_DONE;
    }
    if (argc < 2 || argc > 3 || argv[1][0] == '-')
        return talk_usage("dump", "one trace folder is wanted, and perhaps a functions.json.");
    struct error error;
    struct timelines run;
    struct function_table functions = {0};
    bool loaded = false;
    if (!load_functions(&functions, argv[1], argc == 3 ? argv[2] : NULL, &loaded, &error) ||
        !timelines_load(&run, argv[1], &error)) {
        talk_error(&error);
        return exit_code_of(&error);
    }
    trace_dump(&run, loaded ? &functions : NULL, stdout);
    for (uint32_t i = 0; i < run.damage_count; i++)
        talk("%s", run.damage[i]);
    timelines_release(&run);
    function_table_release(&functions);
    return EXIT_DONE;
}
