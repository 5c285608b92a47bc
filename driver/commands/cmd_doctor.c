#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "driver/cli/command_line.h"
#include "driver/cli/talk.h"
#include "driver/commands/checkup.h"
#include "driver/workbench/given.h"
#include "driver/workbench/installation.h"
#include "report/kit/json_parts.h"

struct doctor_values {
    const char *source, *out, *program;
    bool json;
};

#define AT(member) offsetof(struct doctor_values, member)

static const struct option_spec options[] = {
    OPTION("source", FOLDER, AT(source), "DIR", ".", "the source tree; it is only read"),
    OPTION("out", FOLDER, AT(out), "DIR", "vprofiler-out", "where results are to go"),
    FLAG("json", AT(json), "print the findings as JSON"),
    {0},
};

static const struct option_spec arguments[] = {
    ARGUMENT(FILE, AT(program), "PROGRAM", "the built program: can the runtime be loaded into it?"),
    {0},
};

static unsigned count_faults(const struct checkup *checkup)
{
    unsigned count = 0;
    for (size_t i = 0; i < checkup->count; i++)
        count += checkup->findings[i].state == FINDING_MEND;
    return count;
}

static void print_json(const struct checkup *checkup)
{
    static const char *const states[] = {"fine", "note", "mend"};
    json_t *findings = json_array();
    for (size_t i = 0; i < checkup->count; i++) {
        const struct finding *finding = &checkup->findings[i];
        json_array_append_new(findings, json_pack("{ssssssss?}", "name", finding->name, "state",
                                                  states[finding->state], "message",
                                                  finding->message, "cure", finding->cure));
    }
    json_t *all = json_pack("{sssisO}", "schema", "vprofiler.doctor/1", "mend",
                            (int)count_faults(checkup), "findings", findings);
    struct str text = {0};
    json_write(all, JSON_INDENT(1), &text);
    puts(text.data);
    str_release(&text);
    json_decref(findings);
}

static void print_text(const struct checkup *checkup)
{
    static const char *const states[] = {"ok", "note", "MEND"};
    for (size_t i = 0; i < checkup->count; i++) {
        const struct finding *finding = &checkup->findings[i];
        talk_print(stdout, "%-5s %-17s %s\n", states[finding->state], finding->name,
                   finding->message);
        if (finding->cure)
            talk_print(stdout, "%-23s -> %s\n", "", finding->cure);
    }
    unsigned faults = count_faults(checkup);
    if (faults)
        talk_print(stdout, "\n%u to mend.\n", faults);
    else
        talk_print(stdout, "\nNothing to mend. Next: vprofiler %s\n",
                   installation_parser() ? "iterate --build build.sh" : "record -- PROGRAM");
}

static int run(int argc, char **argv)
{
    struct doctor_values values;
    struct checkup checkup = {0};
    struct error error;
    char source[PATH_MAX];
    int code;
    if (!command_take(&command_doctor, argc, argv, &values, &code))
        return code;
    if (!given_folder(values.source, "source folder", "source", source, &error)) {
        talk_error(&error);
        return exit_code_of(&error);
    }
    checkup_machine(&checkup, values.out);
    checkup_tree(&checkup, source);
    if (values.program)
        checkup_program(&checkup, values.program);
    checkup_trial(&checkup); /* the last: the parser changes the working directory */
    if (values.json)
        print_json(&checkup);
    else
        print_text(&checkup);
    code = count_faults(&checkup) ? EXIT_TARGET : EXIT_DONE;
    checkup_release(&checkup);
    return code;
}

const struct command command_doctor = {
    .name = "doctor",
    .run = run,
    .summary = "check that everything vprofiler needs is here, and say how to mend it",
    .description =
        "Looks at the compiler, the parser, the clock, the disk and the limits, at the source tree "
        "and, where one is named, at the program; sends a small program of its own the whole way. "
        "What is wrong is told with its cure. Nothing of yours is changed.\n",
    .options = options,
    .arguments = arguments,
    .examples = {{"vprofiler doctor", "this machine, and the tree in this folder"},
                 {"vprofiler doctor ./server", "also: does LD_PRELOAD reach the program?"},
                 {"vprofiler doctor --json | jq '.findings[] | select(.state == \"mend\")'",
                  "for scripts"}},
    .status = "0 nothing to mend, 1 something to mend, 2 wrong use",
};
