#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "driver/command.h"
#include "driver/run_set.h"
#include "driver/talk.h"
#include "report/csv.h"
#include "report/stacks.h"
#include "variance/cell_rows.h"

static const char help[] =
    "usage: vprofiler export [RESULT...] --format FORMAT [options]\n"
    "\n"
    "The tables and the tree of a result, for other tools. RESULT is as for `vprofiler analyze`\n"
    "(vprofiler-out: its latest); several are exported as one.\n"
    "\n"
    "  --format csv         a folder of intervals.csv, nodes.csv and cells.csv: every interval's\n"
    "                       time in every node, exact, for a database (SQL: docs/export.md)\n"
    "  --format folded      stacks with whole weights: flamegraph.pl, speedscope\n"
    "  --format dot         the tree as a graph: dot -Tsvg\n"
    "  --output PATH        file, or folder for csv (stdout; vprofiler-csv)\n"
    "  --weight WHAT        folded: share (millionths of the variance), tail (of what makes the\n"
    "                       slowest 1 % slow) or mean (ns in a mean interval) (share)\n"
    "  --least FRACTION     dot: leave out nodes of a smaller share (0.005)\n"
    "  --functions FILE     the functions.json of the program that ran\n"
    "  --quiet              say nothing but the result\n"
    "\n"
    "examples:\n"
    "  vprofiler export --format folded | flamegraph.pl > variance.svg\n"
    "  vprofiler export vprofiler-out/003 --format csv --output tables\n"
    "  vprofiler export --format dot | dot -Tsvg > tree.svg\n"
    "\n"
    "exit status: 0 done, 1 the system refused, 2 wrong use, 3 nothing to export\n";

enum {
    OPTION_FORMAT = 256,
    OPTION_OUTPUT,
    OPTION_WEIGHT,
    OPTION_LEAST,
    OPTION_FUNCTIONS,
    OPTION_QUIET,
    OPTION_HELP
};

static const struct option table[] = {
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"output", required_argument, NULL, OPTION_OUTPUT},
    {"weight", required_argument, NULL, OPTION_WEIGHT},
    {"least", required_argument, NULL, OPTION_LEAST},
    {"functions", required_argument, NULL, OPTION_FUNCTIONS},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

struct export
{
    const struct export_format *format;
    const char *output;
    enum stack_weight weight;
    double least;
    struct run_set_options set;
};

struct export_format {
    const char *name;
    bool (*write)(const struct export *export, struct run_set *set, struct error *error);
};

/* ---- files ---- */

static bool close_output(FILE *out, const char *path, struct error *error)
{
    bool ok = fflush(out) == 0 && !ferror(out);
    if (!ok)
        error_system(error, "Can't write %s", path ? path : "to stdout");
    if (path && fclose(out) != 0 && ok)
        ok = error_system(error, "Can't write %s", path);
    return ok;
}

/* NULL: stdout. */
static FILE *open_output(const char *path, struct error *error)
{
    FILE *out = path ? fopen(path, "w") : stdout;
    if (!out)
        error_system(error, "Can't write %s", path);
    return out;
}

/* ---- csv ---- */

/* Processes stand in the order of the readable files. */
static const char **hosts_of_processes(const struct run_set *set)
{
    const char **hosts = memory_zeroed(sizeof *hosts * (set->joined.run.process_count + 1));
    uint32_t process = 0;
    for (size_t i = 0; i < set->files.count && process < set->joined.run.process_count; i++)
        if (set->files.files[i].readable)
            hosts[process++] = set->files.files[i].host;
    return hosts;
}

/* The two tables that grow with the run, row by row. */
struct csv_files {
    const struct timelines *run;
    const char **hosts; /* by process */
    FILE *intervals, *cells;
    uint64_t cell_count;
};

static void take_row(void *context, const struct cell_row *row)
{
    struct csv_files *files = context;
    const struct interval *from = &files->run->intervals[row->interval];
    struct csv_interval interval = {.host = files->hosts[from->process],
                                    .pid = files->run->processes[from->process].pid,
                                    .tid = files->run->threads[from->begin_thread].tid,
                                    .type = from->type,
                                    .begin_ns = from->begin,
                                    .latency_ns = from->end - from->begin};
    csv_add_interval(files->intervals, row, &interval);
    csv_add_cells(files->cells, row, &interval);
    files->cell_count += row->cell_count;
}

static bool write_rows(struct csv_files *files, const struct run_set *set, const char *intervals,
                       const char *cells, struct error *error)
{
    files->intervals = open_output(intervals, error);
    files->cells = files->intervals ? open_output(cells, error) : NULL;
    if (files->cells) {
        csv_begin_intervals(files->intervals);
        csv_begin_cells(files->cells);
        cell_rows_visit(&set->variance.tree, files->run, &set->functions, take_row, files);
    }
    bool ok = files->intervals && close_output(files->intervals, intervals, error);
    return files->cells && close_output(files->cells, cells, error) && ok;
}

static bool write_nodes(const struct run_set *set, const char *path, struct error *error)
{
    FILE *out = open_output(path, error);
    if (out)
        csv_write_nodes(out, &set->variance.tree);
    return out && close_output(out, path, error);
}

static bool write_csv(const struct export *export, struct run_set *set, struct error *error)
{
    const char *folder = export->output ? export->output : "vprofiler-csv";
    struct csv_files files = {.run = &set->joined.run, .hosts = hosts_of_processes(set)};
    struct str intervals = {0}, nodes = {0}, cells = {0};
    str_printf(&intervals, "%s/intervals.csv", folder);
    str_printf(&nodes, "%s/nodes.csv", folder);
    str_printf(&cells, "%s/cells.csv", folder);
    bool ok = file_make_directories(folder, error) && write_nodes(set, nodes.data, error) &&
              write_rows(&files, set, intervals.data, cells.data, error);
    if (ok)
        talk("wrote %s, %s, %s: %llu intervals, %u nodes, %llu cells", intervals.data, nodes.data,
             cells.data, (unsigned long long)set->variance.tree.intervals.count,
             set->variance.tree.node_count, (unsigned long long)files.cell_count);
    str_release(&intervals);
    str_release(&nodes);
    str_release(&cells);
    memory_free(files.hosts);
    return ok;
}

/* ---- the tree ---- */

static bool write_folded(const struct export *export, struct run_set *set, struct error *error)
{
    FILE *out = open_output(export->output, error);
    if (!out)
        return false;
    uint32_t negative = folded_write(out, &set->variance.tree, export->weight);
    if (negative)
        talk("left out: %u stacks that take away from the whole; a folded weight can't be negative",
             negative);
    return close_output(out, export->output, error);
}

static bool write_dot(const struct export *export, struct run_set *set, struct error *error)
{
    FILE *out = open_output(export->output, error);
    if (!out)
        return false;
    dot_write(out, &set->variance.tree, export->least);
    return close_output(out, export->output, error);
}

static const struct export_format formats[] = {
    {"csv", write_csv}, {"folded", write_folded}, {"dot", write_dot}};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

/* ---- the command line ---- */

static int take_format(struct export *export)
{
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (strcmp(optarg, formats[i].name) == 0)
            export->format = &formats[i];
    if (export->format)
        return EXIT_DONE;
    return talk_usage("export", "--format is csv, folded or dot, not '%s'.", optarg);
}

static int take_weight(struct export *export)
{
    static const char *const names[] = {"share", "tail", "mean"};
    for (int i = STACK_SHARE; i <= STACK_MEAN; i++)
        if (strcmp(optarg, names[i]) == 0) {
            export->weight = (enum stack_weight)i;
            return EXIT_DONE;
        }
    return talk_usage("export", "--weight is share, tail or mean, not '%s'.", optarg);
}

static int take_least(struct export *export)
{
    char *end;
    export->least = strtod(optarg, &end);
    if (end != optarg && !*end && export->least >= 0 && export->least <= 1)
        return EXIT_DONE;
    return talk_usage("export", "--least wants a fraction from 0 to 1, not '%s'.", optarg);
}

static int take_option(int option, struct export *export)
{
    switch (option) {
    case OPTION_FORMAT:
        return take_format(export);
    case OPTION_OUTPUT:
        export->output = optarg;
        return EXIT_DONE;
    case OPTION_WEIGHT:
        return take_weight(export);
    case OPTION_LEAST:
        return take_least(export);
    case OPTION_FUNCTIONS:
        export->set.functions = optarg;
        return EXIT_DONE;
    case OPTION_QUIET:
        talk_set_quiet(true);
        return EXIT_DONE;
    default:
        fputs("Try: vprofiler export --help\n", stderr);
        return EXIT_USAGE;
    }
}

static int run_export(struct export *export)
{
    struct error error;
    struct run_set set = {0};
    bool ok = run_set_load(&set, &export->set, &error) &&
              run_set_analyze(&set, &export->set, &error) &&
              export->format->write(export, &set, &error);
    if (!ok)
        talk_error(&error);
    run_set_release(&set);
    return ok ? EXIT_DONE : exit_code_of(&error);
}

int cmd_export(int argc, char **argv)
{
    static const char *const latest[] = {"vprofiler-out"};
    struct export export = {.least = 0.005, .set = {.words = ""}};
    for (int option; (option = getopt_long(argc, argv, "", table, NULL)) != -1;) {
        if (option == OPTION_HELP) {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        int code = take_option(option, &export);
        if (code != EXIT_DONE)
            return code;
    }
    if (!export.format)
        return talk_usage("export", "say --format csv, folded or dot.");
    export.set.paths = optind < argc ? (const char *const *)argv + optind : latest;
    export.set.count = optind < argc ? (uint32_t)(argc - optind) : 1;
    return run_export(&export);
}
