#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "driver/cli/command_line.h"
#include "driver/cli/talk.h"
#include "driver/commands/export_file.h"
#include "driver/commands/export_stacks.h"
#include "driver/commands/export_waits.h"
#include "driver/runs/run_set.h"
#include "driver/runs/waits_run.h"
#include "interval/choice.h"
#include "interval/view.h"
#include "report/kit/chrome.h"
#include "report/kit/csv.h"
#include "report/kit/parquet.h"
#include "report/variance/run_tables.h"
#include "report/variance/speedscope.h"
#include "report/variance/stacks.h"
#include "variance/cell_rows.h"

struct export
{
    const char *const *folders;
    const char *format, *output, *weight, *functions;
    const char *const *intervals;
    const char *of;
    double least, at, seconds;
};

#define AT(member) offsetof(struct export, member)
static const char *const format_names[] = {"csv",    "parquet", "folded",   "dot", "speedscope",
                                           "chrome", "pprof",   "perfetto", NULL};
static const char *const weight_names[] = {"share", "tail", "mean", NULL}; /* enum stack_weight */
static const char *const of_names[] = {"intervals", "waits", "stacks", NULL};
static const struct option_spec options[] = {
    OPTION("format", CHOICE, AT(format), "FORMAT", NULL, "what to write", .choices = format_names,
           .needed = true),
    OPTION("output", TEXT, AT(output), "PATH", NULL,
           "the file, or the folder for csv and parquet; otherwise stdout, and vprofiler-csv or "
           "vprofiler-parquet"),
    OPTION("weight", CHOICE, AT(weight), "WHAT", "share", "folded: what a stack weighs",
           .choices = weight_names),
    OPTION("of", CHOICE, AT(of), "WHAT", NULL,
           "waits: the graph of `vprofiler waits`; stacks: the contexts of `vprofiler stacks`; "
           "otherwise of intervals, and of waits where none were recorded",
           .choices = of_names),
    OPTION("least", FRACTION, AT(least), "SHARE", "0.005",
           "dot: leave out nodes, or edges, of less"),
    OPTION("interval", TEXT, AT(intervals), "N", NULL,
           "speedscope, chrome: an interval by its number in intervals.csv, typical or slowest; "
           "otherwise typical and slowest",
           .repeatable = true),
    OPTION("at", DURATION, AT(at), "TIME", NULL,
           "chrome, of waits: where the stretch begins, from the run's beginning; otherwise in its "
           "middle"),
    OPTION("for", DURATION, AT(seconds), "TIME", "1s", "chrome, of waits: how long it is"),
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

/* Gives the index of `name`, which is one of `names`. */
static unsigned index_of(const char *name, const char *const *names)
{
    unsigned index = 0;
    while (strcmp(names[index], name) != 0)
        index++;
    return index;
}

/* ---- tables ---- */

/* Processes stand in the order of the readable files. */
static const char **hosts_of_processes(const struct run_set *set)
{
    const char **hosts = memory_zeroed(sizeof *hosts * (set->joined.run.process_count + 1));
    uint32_t process = 0;
    for (size_t i = 0; i < set->files.count && process < set->joined.run.process_count; i++)
        if (set->files.files[i].readable && !set->files.files[i].recorder)
            hosts[process++] = set->files.files[i].host;
    return hosts;
}

struct table_file {
    struct str path;
    FILE *out;
    struct table *table;
};

static bool table_file_open(struct table_file *file, const struct table_kind *kind,
                            const struct table_format *format, const char *folder,
                            struct error *error)
{
    export_file_table_path(kind, format, folder, &file->path);
    file->out = export_file_open(file->path.data, error);
    if (file->out)
        file->table = table_open(kind, format, file->out);
    return file->out;
}

/* Closes a table's file, whether it was opened or not. */
static bool table_file_close(struct table_file *file, struct error *error)
{
    if (file->table)
        table_close(file->table);
    bool ok = file->out && export_file_close(file->out, file->path.data, error);
    str_release(&file->path);
    return ok;
}

/* Writes the two tables that grow with the run, row by row. */
struct row_files {
    const struct timelines *run;
    const char **hosts; /* by process */
    struct table_file intervals, cells;
    uint64_t cell_count;
};

static void take_row(void *context, const struct cell_row *row)
{
    struct row_files *files = context;
    const struct interval *from = &files->run->intervals[row->interval];
    struct interval_facts facts = {.host = files->hosts[from->process],
                                   .pid = files->run->processes[from->process].pid,
                                   .tid = files->run->threads[from->begin_thread].tid,
                                   .type = from->type,
                                   .begin_ns = from->begin,
                                   .latency_ns = from->end - from->begin};
    intervals_add(files->intervals.table, row, &facts);
    cells_add(files->cells.table, row, facts.latency_ns);
    files->cell_count += row->cell_count;
}

static bool write_rows(struct row_files *files, const struct run_set *set,
                       const struct table_format *format, const char *folder, struct error *error)
{
    bool ok = table_file_open(&files->intervals, &intervals_table, format, folder, error) &&
              table_file_open(&files->cells, &cells_table, format, folder, error);
    if (ok)
        cell_rows_visit(&set->variance->tree, files->run, &set->functions, take_row, files);
    struct error later;
    ok = table_file_close(&files->intervals, ok ? error : &later) && ok;
    return table_file_close(&files->cells, ok ? error : &later) && ok;
}

static bool write_nodes(const struct run_set *set, const struct table_format *format,
                        const char *folder, struct error *error)
{
    struct table_file nodes = {0};
    if (table_file_open(&nodes, &nodes_table, format, folder, error))
        nodes_add_all(nodes.table, &set->variance->tree);
    struct error later;
    return table_file_close(&nodes, nodes.out ? error : &later);
}

static bool write_ledger(const struct run_set *set, const struct table_format *format,
                         const char *folder, struct error *error)
{
    const struct variance_result *variance = set->variance;
    struct table_file ledger = {0}, owners = {0};
    if (table_file_open(&ledger, &ledger_table, format, folder, error))
        ledger_add_all(ledger.table, &variance->tree, &variance->roots);
    if (ledger.out && table_file_open(&owners, &owners_table, format, folder, error))
        owners_add_all(owners.table, &variance->tree);
    struct error later;
    bool ok = table_file_close(&ledger, ledger.out ? error : &later);
    return table_file_close(&owners, ok && owners.out ? error : &later) && ok;
}

/* Writes the tables of the families of analyses, beside the variance's. */
static bool write_family_tables(const struct run_set *set, const struct table_format *format,
                                const char *folder, struct error *error)
{
    bool ok = true;
    for (uint32_t f = 0; families[f] && ok; f++) {
        const void *result = results_of(&set->results, families[f]);
        const struct family_table *made = result ? families[f]->tables : NULL;
        for (; made && made->kind && ok; made++)
            ok = export_file_table(made, result, format, folder, error);
    }
    return ok;
}

static bool write_tables(const struct export *export, struct run_set *set,
                         const struct table_format *format, struct error *error)
{
    struct str usual = {0};
    str_printf(&usual, "vprofiler-%s", format->suffix);
    const char *folder = export->output ? export->output : usual.data;
    struct row_files files = {.run = &set->joined.run, .hosts = hosts_of_processes(set)};
    bool ok = file_make_directories(folder, error) && write_nodes(set, format, folder, error) &&
              write_ledger(set, format, folder, error) &&
              write_rows(&files, set, format, folder, error) &&
              write_family_tables(set, format, folder, error);
    if (ok)
        talk("wrote intervals, nodes and cells to %s: %llu intervals, %u nodes, %llu cells", folder,
             (unsigned long long)set->variance->tree.intervals.count,
             set->variance->tree.node_count, (unsigned long long)files.cell_count);
    str_release(&usual);
    memory_free(files.hosts);
    return ok;
}

static bool write_csv(const struct export *export, struct run_set *set, struct error *error)
{
    return write_tables(export, set, &csv_format, error);
}

static bool write_parquet(const struct export *export, struct run_set *set, struct error *error)
{
    return write_tables(export, set, &parquet_format, error);
}

/* ---- the tree ---- */

static bool write_folded(const struct export *export, struct run_set *set, struct error *error)
{
    FILE *out = export_file_open(export->output, error);
    if (!out)
        return false;
    uint32_t negative = folded_write(out, &set->variance->tree,
                                     (enum stack_weight)index_of(export->weight, weight_names));
    if (negative)
        talk("left out: %u stacks that take away from the whole; a folded weight can't be negative",
             negative);
    return export_file_close(out, export->output, error);
}

static bool write_dot(const struct export *export, struct run_set *set, struct error *error)
{
    FILE *out = export_file_open(export->output, error);
    if (!out)
        return false;
    dot_write(out, &set->variance->tree, export->least);
    return export_file_close(out, export->output, error);
}

/* ---- timelines of intervals ---- */

enum { MOST_TRACKS = 64 };

static bool choose(const struct interval_choice *choice, const char *word, uint32_t *number,
                   struct error *error)
{
    char *end;
    unsigned long value = strtoul(word, &end, 10);
    if (strcmp(word, "typical") == 0)
        value = choice->typical;
    else if (strcmp(word, "slowest") == 0)
        value = choice->slowest;
    else if (*end || word[0] < '0' || word[0] > '9' || value >= choice->count)
        return error_set(error, ERROR_USAGE,
                         "--interval wants typical, slowest or a number from 0 to %u, the first "
                         "column of intervals.csv (vprofiler export --format csv), not '%s'.",
                         choice->count - 1, word);
    *number = (uint32_t)value;
    return true;
}

/* Makes a view for each word; NULL where a word names no interval. */
static struct interval_view *make_views(const struct run_set *set, const char *const *words,
                                        struct interval_source *source, struct error *error)
{
    struct interval_choice choice;
    uint32_t count = option_count(words), made = 0, number = 0;
    struct interval_view *views = memory_zeroed(sizeof *views * (count + 1));
    interval_choice_init(&choice, &set->joined.run, &set->variance->tree.intervals);
    for (; made < count && choose(&choice, words[made], &number, error); made++) {
        struct interval_wish wish = {.interval = choice.intervals[number],
                                     .number = number,
                                     .what = words[made][0] >= 'a' ? words[made] : "chosen",
                                     .most_tracks = MOST_TRACKS,
                                     .processors = true};
        interval_view_make(&views[made], source, &wish);
    }
    interval_choice_release(&choice);
    if (made == count)
        return views;
    while (made > 0)
        interval_view_release(&views[--made]);
    memory_free(views);
    return NULL;
}

static bool write_views(const struct export *export, struct run_set *set, bool speedscope,
                        struct error *error)
{
    static const char *const usual[] = {"typical", "slowest", NULL};
    const char *const *words = export->intervals ? export->intervals : usual;
    uint32_t count = option_count(words);
    struct interval_source source;
    struct str text = {0};
    interval_source_init(&source, &set->joined.run, &set->functions);
    struct interval_view *views = make_views(set, words, &source, error);
    struct track_view *shown = memory_alloc(sizeof *shown * (count + 1));
    for (uint32_t i = 0; views && i < count; i++)
        shown[i] = views[i].view;
    if (views && speedscope)
        speedscope_write(&text, &set->variance->tree, shown, count);
    else if (views)
        chrome_write(&text, shown, count);
    bool ok = views && export_file_write(&text, export->output, error);
    for (uint32_t i = 0; views && i < count; i++)
        interval_view_release(&views[i]);
    memory_free(shown);
    memory_free(views);
    str_release(&text);
    interval_source_release(&source);
    return ok;
}

static bool write_speedscope(const struct export *export, struct run_set *set, struct error *error)
{
    return write_views(export, set, true, error);
}

static bool write_chrome(const struct export *export, struct run_set *set, struct error *error)
{
    return write_views(export, set, false, error);
}

static bool write_pprof(const struct export *export, struct run_set *set, struct error *error)
{
    (void)export, (void)set;
    return error_set(error, ERROR_USAGE,
                     "pprof is of stacks: --of stacks. Intervals have speedscope and folded.");
}

static bool write_perfetto(const struct export *export, struct run_set *set, struct error *error)
{
    (void)export, (void)set;
    return error_set(
        error, ERROR_USAGE,
        "perfetto is of stacks: --of stacks. Intervals have chrome, which Perfetto reads.");
}

/* ---- the command ---- */

typedef bool export_write(const struct export *export, struct run_set *set, struct error *error);
static export_write *const writers[] = {write_csv,   write_parquet,    write_folded,
                                        write_dot,   write_speedscope, write_chrome,
                                        write_pprof, write_perfetto}; /* format_names */

static bool export_intervals(const struct export *export, struct error *error)
{
    struct run_set set = {0};
    struct run_set_options set_options = {.paths = export->folders,
                                          .functions = export->functions,
                                          .words = "",
                                          .also = FAMILY_KERNEL};
    bool ok = run_set_open(&set, &set_options, error) &&
              writers[index_of(export->format, format_names)](export, &set, error);
    run_set_release(&set);
    return ok;
}

static bool export_waits(const struct export *export, struct error *error)
{
    if (option_count(export->folders) > 1)
        return error_set(error, ERROR_USAGE, "Waits are exported of one result at a time.");
    struct export_waits waits = {.path = export->folders ? export->folders[0] : "vprofiler-out",
                                 .format = export->format,
                                 .output = export->output,
                                 .least = export->least,
                                 .at = export->at,
                                 .seconds = export->seconds};
    return export_waits_write(&waits, error);
}

static bool export_stacks(const struct export *export, struct error *error)
{
    if (option_count(export->folders) > 1)
        return error_set(error, ERROR_USAGE, "Stacks are exported of one result at a time.");
    struct export_stacks stacks = {.path = export->folders ? export->folders[0] : "vprofiler-out",
                                   .format = export->format,
                                   .output = export->output};
    return export_stacks_write(&stacks, error);
}

static bool is_of_stacks(const struct export *export)
{
    return export->of && strcmp(export->of, "stacks") == 0;
}

static bool is_of_waits(const struct export *export)
{
    if (export->of)
        return strcmp(export->of, "waits") == 0;
    return option_count(export->folders) <= 1 &&
           trace_files_are_kernel_alone(export->folders ? export->folders[0] : "vprofiler-out");
}

static int run(int argc, char **argv)
{
    struct export export;
    struct error error;
    int code;
    if (!command_take(&command_export, argc, argv, &export, &code))
        return code;
    bool ok = is_of_stacks(&export)  ? export_stacks(&export, &error)
              : is_of_waits(&export) ? export_waits(&export, &error)
                                     : export_intervals(&export, &error);
    if (!ok)
        talk_error(&error);
    return ok ? EXIT_DONE : exit_code_of(&error);
}

const struct command command_export = {
    .name = "export",
    .run = run,
    .summary = "a result for other tools: tables, stacks, graphs, timelines",
    .description =
        "The tables and the tree of a result, for databases and viewers (docs/export.md). Several "
        "results are exported as one, as by `vprofiler merge`.\n"
        "  csv, parquet\n"
        "          a folder of intervals, nodes and cells: every interval's exact\n"
        "          time in every node, for a database (docs/sql); of the ledger, and\n"
        "          of owners, the ledger's line that a leaf is of\n"
        "  folded  stacks with whole weights, for flamegraph.pl or speedscope: share\n"
        "          (millionths of the variance), tail (millionths of what makes\n"
        "          the slowest 1 % slow) or mean (ns in a mean interval)\n"
        "  dot     the tree as a graph\n"
        "  speedscope, chrome\n"
        "          what the threads did during chosen intervals, as timelines on one\n"
        "          scale, for speedscope.app and Perfetto\n"
        "\n"
        "Of waits (docs/waits.md): csv and parquet are wait_groups, wait_edges and wait_processor, "
        "which stand beside the others where the kernel's side was recorded; dot is the graph; "
        "chrome is a stretch of the run, in which blocked threads say whom they wait for.\n"
        "\n"
        "Of stacks (docs/stacks.md): csv and parquet are stack_contexts, stack_functions and "
        "stack_threads; folded, speedscope and pprof are contexts by their own time, in ns, with "
        "what "
        "they waited for as the innermost frame; perfetto is the threads in time, with calls as "
        "they "
        "are inferred.\n",
    .options = options,
    .arguments = arguments,
    .examples = {{"vprofiler export --format folded | flamegraph.pl > variance.svg",
                  "the latest result as a flame graph of its variance"},
                 {"vprofiler export vprofiler-out/003 --format csv --output tables",
                  "tables for a database"},
                 {"vprofiler export --format dot | dot -Tsvg > tree.svg", "the tree"}},
    .status = STATUS_OF_READERS,
};
