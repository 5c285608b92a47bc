/* Print a run: trace_dump_tool directory [functions.json] */
#include <stdio.h>

#include "trace/dump.h"
#include "trace/timeline_load.h"

int main(int argc, char **argv)
{
    struct timelines run;
    struct function_table table = {0};
    struct error error;
    if (argc < 2)
        return 2;
    if (argc > 2 && !function_table_read(&table, argv[2], &error)) {
        printf("error: %s\n", error.message);
        return 1;
    }
    if (!timelines_load(&run, argv[1], &error)) {
        printf("error: %s\n", error.message);
        function_table_release(&table);
        return 1;
    }
    trace_dump(&run, argc > 2 ? &table : NULL, stdout);
    timelines_release(&run);
    function_table_release(&table);
    return 0;
}
