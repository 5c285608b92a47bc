#include <stdio.h>
#include <string.h>

#include "driver/cli/command_line.h"
#include "driver/cli/talk.h"
#include "driver/runs/run_set.h"

struct report_values {
    const char *const *folders;
    const char *format, *functions;
    unsigned k, without_slowest;
    double threshold;
};

#define AT(member) offsetof(struct report_values, member)
static const char *const formats[] = {"text", "json", "html", NULL};
static const struct option_spec options[] = {
    OPTION("format", CHOICE, AT(format), "FORMAT", "text", "the form", .choices = formats),
    OPTION("k", WHOLE, AT(k), "N", NULL, "factors shown first; otherwise as before, or 3",
           .most = 1000),
    OPTION("threshold", FRACTION, AT(threshold), "D", NULL,
           "smallest fraction of the variance that matters; otherwise as before, or 0.05"),
    OPTION("without-slowest", WHOLE, AT(without_slowest), "N", NULL,
           "leave the N slowest intervals out", .most = 1000000),
    OPTION("functions", FILE, AT(functions), "FILE", NULL,
           "the functions.json of the program that ran; otherwise beside its traces"),
    {0},
};
static const struct option_spec arguments[] = {
    ARGUMENT(FOLDER, AT(folders), "RESULT",
             "a result or a folder of traces; otherwise vprofiler-out, its latest",
             .repeatable = true),
    {0},
};

static void print(const struct run_set *set, const char *format)
{
    if (strcmp(format, "html") != 0) {
        outcome_print(&set->outcome, strcmp(format, "json") == 0);
        return;
    }
    struct str page = {0};
    outcome_write_page(&set->outcome, &page);
    fwrite(str_text(&page), 1, page.length, stdout);
    str_release(&page);
}

static int run(int argc, char **argv)
{
    struct report_values values;
    struct run_set set = {0};
    struct error error;
    int code;
    if (!command_take(&command_report, argc, argv, &values, &code))
        return code;
    struct run_set_options set_options = {.paths = values.folders,
                                          .functions = values.functions,
                                          .k = values.k,
                                          .threshold = values.threshold,
                                          .without_slowest = values.without_slowest,
                                          .words = "vprofiler report"};
    bool ok = run_set_open(&set, &set_options, &error);
    if (ok)
        print(&set, values.format);
    else
        talk_error(&error);
    run_set_release(&set);
    return ok ? EXIT_DONE : exit_code_of(&error);
}

const struct command command_report = {
    .name = "report",
    .run = run,
    .summary = "print a finished result again",
    .description =
        "What `vprofiler iterate` printed at its end, for this terminal, as JSON or as the page; "
        "made from the result's traces. Nothing is written.\n",
    .options = options,
    .arguments = arguments,
    .examples = {{"vprofiler report", "the latest result of vprofiler-out"},
                 {"vprofiler report --without-slowest 1", "what the others vary by"},
                 {"vprofiler report --format html > report.html", "the page, to pass on"}},
    .status = STATUS_OF_READERS,
};
