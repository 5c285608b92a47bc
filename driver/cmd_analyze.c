#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "driver/command.h"
#include "driver/run_set.h"
#include "driver/talk.h"
#include "driver/workdir.h"

static const char analyze_help[] =
    "usage: vprofiler analyze RUN_DIR... [options]\n"
    "\n"
    "Analyses traces that are there, without running anything, and writes a result as `iterate`\n"
    "does. RUN_DIR is a result (vprofiler-out/003: its last round with a trace), one of its "
    "rounds,\n"
    "or a folder with *.vtr files; functions.json lies in it or beside it. Several are analysed "
    "as\n"
    "one, as by `vprofiler merge`.\n"
    "\n"
    "  --functions FILE  the functions.json of the program that ran\n"
    "  --k N             factors shown first (as before, or 3)\n"
    "  --threshold D     smallest fraction of the variance that matters (as before, or 0.05)\n"
    "  --out DIR         where results go (vprofiler-out)\n"
    "  --separate        every RUN_DIR is a host of its own\n"
    "  --json            print report.json on stdout\n"
    "  --quiet           say nothing but the result\n"
    "\n"
    "examples:\n"
    "  vprofiler analyze vprofiler-out/latest --k 5\n"
    "  vprofiler analyze run/ --functions functions.json\n"
    "  VPROF_TRACE_DIR=run LD_PRELOAD=libvprof.so ./server && vprofiler analyze run --json\n"
    "\n"
    "exit status: 0 done, 1 the system refused, 2 wrong use, 3 nothing to analyse\n";

static const char merge_help[] =
    "usage: vprofiler merge RESULT RESULT... [options]\n"
    "\n"
    "Several runs, of one host or of many, as one: the tree, the factors and every number are bit\n"
    "for bit those of one analysis of all their traces. RESULT is a result of `iterate`, "
    "`analyze`\n"
    "or `merge`, or a folder with *.vtr files. All must be runs of one instrumented build: their\n"
    "functions.json are the same. Clocks of different hosts are never compared.\n"
    "\n"
    "  --functions FILE  the functions.json of the program that ran\n"
    "  --k N             factors shown first (as before, or 3)\n"
    "  --threshold D     smallest fraction of the variance that matters (as before, or 0.05)\n"
    "  --out DIR         where results go (vprofiler-out)\n"
    "  --separate        every RESULT is a host of its own, whatever its traces say\n"
    "  --json            print report.json on stdout\n"
    "  --quiet           say nothing but the result\n"
    "\n"
    "examples:\n"
    "  vprofiler merge monday/ tuesday/\n"
    "  vprofiler merge host-*/vprofiler-out/latest --out fleet\n"
    "  vprofiler merge a/ b/ --functions functions.json --json | jq .factors[0]\n"
    "\n"
    "exit status: 0 done, 1 the system refused, 2 wrong use, 3 nothing to analyse\n";

enum {
    OPTION_FUNCTIONS = 256,
    OPTION_K,
    OPTION_THRESHOLD,
    OPTION_OUT,
    OPTION_SEPARATE,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_HELP
};

static const struct option table[] = {
    {"functions", required_argument, NULL, OPTION_FUNCTIONS},
    {"k", required_argument, NULL, OPTION_K},
    {"threshold", required_argument, NULL, OPTION_THRESHOLD},
    {"out", required_argument, NULL, OPTION_OUT},
    {"separate", no_argument, NULL, OPTION_SEPARATE},
    {"json", no_argument, NULL, OPTION_JSON},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

struct analysis {
    const char *command;
    const char *out;
    bool json;
    struct run_set_options set;
};

static int take_k(struct analysis *analysis)
{
    char *end;
    unsigned long k = strtoul(optarg, &end, 10);
    if (end == optarg || *end || optarg[0] == '-' || k < 1 || k > 1000)
        return talk_usage(analysis->command, "--k wants a whole number from 1 to 1000, not '%s'.",
                          optarg);
    analysis->set.k = (unsigned)k;
    return EXIT_DONE;
}

static int take_threshold(struct analysis *analysis)
{
    char *end;
    analysis->set.threshold = strtod(optarg, &end);
    if (end != optarg && !*end && analysis->set.threshold > 0 && analysis->set.threshold < 1)
        return EXIT_DONE;
    return talk_usage(analysis->command, "--threshold wants a fraction between 0 and 1, not '%s'.",
                      optarg);
}

static int take_option(int option, struct analysis *analysis)
{
    switch (option) {
    case OPTION_FUNCTIONS:
        analysis->set.functions = optarg;
        return EXIT_DONE;
    case OPTION_K:
        return take_k(analysis);
    case OPTION_THRESHOLD:
        return take_threshold(analysis);
    case OPTION_OUT:
        analysis->out = optarg;
        return EXIT_DONE;
    case OPTION_SEPARATE:
        analysis->set.separate = true;
        return EXIT_DONE;
    case OPTION_JSON:
        analysis->json = true;
        return EXIT_DONE;
    case OPTION_QUIET:
        talk_set_quiet(true);
        return EXIT_DONE;
    default:
        fprintf(stderr, "Try: vprofiler %s --help\n", analysis->command);
        return EXIT_USAGE;
    }
}

static bool copy_functions(const struct run_set *set, const char *path, struct error *error)
{
    struct str text = {0};
    bool ok = file_read(&text, set->functions_path, error) &&
              file_write(path, str_text(&text), text.length, error);
    str_release(&text);
    return ok;
}

static bool write_result(struct analysis *analysis, struct workdir *workdir, struct run_set *set,
                         struct error *error)
{
    struct str functions = {0}, links = {0};
    bool ok = workdir_round(workdir, 1, "functions.json", &functions, error) &&
              workdir_round(workdir, 1, "trace", &links, error);
    analysis->set.links = links.data;
    ok = ok && run_set_load(set, &analysis->set, error) &&
         copy_functions(set, functions.data, error) &&
         run_set_analyze(set, &analysis->set, error) &&
         outcome_write(&set->outcome, workdir->root.data, error) && workdir_finish(workdir, error);
    str_release(&functions);
    str_release(&links);
    return ok;
}

static void talk_result(const struct analysis *analysis, const struct run_set *set)
{
    talk("%zu processes of %u %s, %u folders", set->files.count, set->files.group_count,
         set->files.group_count == 1 ? "host" : "hosts", set->files.source_count);
    for (uint32_t i = 0; i < set->joined.run.damage_count; i++)
        talk("%s", set->joined.run.damage[i]);
    talk("wrote %s/latest/report.html, report.json, report.txt", analysis->out);
}

static int run_analysis(struct analysis *analysis)
{
    struct error error;
    struct workdir workdir = {0};
    struct run_set set = {0};
    bool made = workdir_create(&workdir, analysis->out, &error);
    bool ok = made && write_result(analysis, &workdir, &set, &error);
    if (ok) {
        outcome_print(&set.outcome, analysis->json);
        talk_result(analysis, &set);
    } else {
        struct error ignored;
        if (made)
            file_remove_tree(workdir.root.data, &ignored);
        talk_error(&error);
    }
    run_set_release(&set);
    workdir_release(&workdir);
    return ok ? EXIT_DONE : exit_code_of(&error);
}

static void join_words(struct str *words, int argc, char **argv)
{
    str_append(words, "vprofiler");
    for (int i = 0; i < argc; i++)
        str_printf(words, " %s", argv[i]);
}

static int run_command(int argc, char **argv, const char *help, uint32_t least)
{
    struct analysis analysis = {.command = argv[0], .out = "vprofiler-out"};
    struct str words = {0};
    join_words(&words, argc, argv);
    for (int option; (option = getopt_long(argc, argv, "", table, NULL)) != -1;) {
        if (option == OPTION_HELP) {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        int code = take_option(option, &analysis);
        if (code != EXIT_DONE)
            return code;
    }
    analysis.set.paths = (const char *const *)argv + optind;
    analysis.set.count = (uint32_t)(argc - optind);
    analysis.set.words = words.data;
    if (analysis.set.count < least)
        return talk_usage(argv[0], least == 1 ? "a result or a trace folder is wanted."
                                              : "two results or trace folders, or more, are "
                                                "wanted; for one there is `vprofiler analyze`.");
    int code = run_analysis(&analysis);
    str_release(&words);
    return code;
}

int cmd_analyze(int argc, char **argv)
{
    return run_command(argc, argv, analyze_help, 1);
}

int cmd_merge(int argc, char **argv)
{
    return run_command(argc, argv, merge_help, 2);
}
