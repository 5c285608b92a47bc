/* functions.json: written and read back, and what is said of damaged ones. */
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/function_table.h"

static char path[] = "/tmp/function_table_test-XXXXXX";

static void test_round_trip(void)
{
    struct function_table table = {0}, back;
    struct error error;
    uint32_t callees[] = {1}, references[] = {0};
    struct function_info functions[] = {{"Pool::run", "_ZN4Pool3runEv", "src/a \"b\".cc", 12, true,
                                         true, callees, 1, true, references, 1, true, 0, true,
                                         CALLS_NOBODY, true},
                                        {"fsync", "fsync", "", 0, false, false, NULL, 0, false,
                                         NULL, 0, false, 0, false, CALLS_ANY, false}};
    struct probe_info probes[] = {{PROBE_NONE, FUNCTION_NONE, FUNCTION_NONE, 0, "", NULL},
                                  {PROBE_FUNCTION, 0, FUNCTION_NONE, 12, "a", NULL},
                                  {PROBE_CALL, 1, 0, 13, "h\xc3\xa9.h", NULL},
                                  {PROBE_INDIRECT, FUNCTION_NONE, 0, 14, "\xff.c", NULL},
                                  {PROBE_SYNC, 1, 0, 15, "", "queue.lock"},
                                  {PROBE_TASK, 1, 0, 16, "", NULL}};
    table.functions = functions;
    table.function_count = 2;
    table.probes = probes;
    table.probe_count = 6;
    CHECK(function_table_write(&table, path, &error));
    CHECK(function_table_read(&back, path, &error));
    CHECK(back.function_count == 2 && back.probe_count == 6);
    CHECK(strcmp(back.probes[4].object, "queue.lock") == 0 && !back.probes[5].object);
    CHECK(strcmp(back.functions[0].name, "Pool::run") == 0);
    CHECK(strcmp(back.functions[0].file, "src/a \"b\".cc") == 0);
    CHECK(back.functions[0].line == 12 && back.functions[0].body && back.functions[0].marks);
    CHECK(back.functions[0].indirect_calls && !back.functions[1].indirect_calls);
    CHECK(back.functions[0].callee_count == 1 && back.functions[0].callees[0] == 1);
    CHECK(back.functions[0].reference_count == 1 && back.functions[0].references[0] == 0);
    CHECK(back.functions[0].referenced && back.functions[0].handles_signals);
    CHECK(back.functions[0].team_unseen && !back.functions[1].team_unseen);
    CHECK(back.functions[0].calls_back == CALLS_NOBODY);
    CHECK(back.functions[1].calls_back == CALLS_ANY);
    CHECK(back.functions[1].reference_count == 0 && !back.functions[1].referenced);
    CHECK(back.functions[1].callee_count == 0 && !back.functions[1].body);
    for (uint32_t i = 0; i < 6; i++)
        CHECK(back.probes[i].kind == probes[i].kind && back.probes[i].line == probes[i].line &&
              back.probes[i].function == probes[i].function &&
              back.probes[i].within == probes[i].within);
    CHECK(strcmp(back.probes[2].file, "h\xc3\xa9.h") == 0);
    CHECK(strcmp(back.probes[3].file, "?.c") == 0);
    CHECK(function_table_find_symbol(&back, "fsync") == 1);
    CHECK(function_table_find_symbol(&back, "open") == FUNCTION_NONE);
    function_table_release(&back);
}

static void test_refused(const char *text, const char *message)
{
    struct function_table table;
    struct error error = {0};
    struct str expected = {0};
    CHECK(file_write(path, text, strlen(text), &error));
    CHECK(!function_table_read(&table, path, &error));
    str_printf(&expected, "%s%s Run vprofiler rewrite again.", path, message);
    if (strcmp(error.message, expected.data) != 0)
        fprintf(stderr, "got:    %s\nwanted: %s\n", error.message, expected.data);
    CHECK(strcmp(error.message, expected.data) == 0);
    CHECK(error.code == ERROR_FORMAT);
    str_release(&expected);
}

#define TABLE "{\"schema\":\"vprofiler.functions/1\","
#define FUNCTION(line, callees)                                                                    \
    "{\"name\":\"f\",\"symbol\":\"f\",\"file\":\"\",\"line\":" line                                \
    ",\"body\":true,\"marks\":false,\"indirect_calls\":false,\"callees\":" callees "}"

int main(void)
{
    close(mkstemp(path));
    test_round_trip();
    test_refused("{}", " has the schema \"\"; this vprofiler reads \"vprofiler.functions/1\".");
    test_refused("{\"schema\":\"vprofiler.functions/2\"}",
                 " has the schema \"vprofiler.functions/2\"; this vprofiler reads "
                 "\"vprofiler.functions/1\".");
    test_refused(TABLE "\"functions\":[]}",
                 " lacks \"functions\" or \"probes\": the file is damaged.");
    test_refused(TABLE "\"functions\":[7],\"probes\":[]}",
                 ": functions[0].name is not a string: the file is damaged.");
    test_refused(TABLE "\"functions\":[" FUNCTION("-1", "[]") "],\"probes\":[]}",
                 ": functions[0].line is not a number from 0 to 4294967294: the file is damaged.");
    test_refused(TABLE "\"functions\":[" FUNCTION("1", "[1]") "],\"probes\":[]}",
                 ": functions[0].callees is not an array of numbers of functions: the file is "
                 "damaged.");
    test_refused(TABLE "\"functions\":[],\"probes\":[{\"kind\":\"x\"}]}",
                 ": probes[0].kind is not none, function, call, indirect, sync or task: the file "
                 "is damaged.");
    test_refused(TABLE "\"functions\":[],\"probes\":[{\"kind\":\"call\",\"function\":0}]}",
                 ": probes[0].function is not null or the number of a function: the file is "
                 "damaged.");
    unlink(path);
    return CHECK_DONE();
}
