#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash_map.h"
#include "base/memory.h"
#include "base/similar.h"
#include "base/str.h"
#include "driver/cli/command_line.h"
#include "driver/cli/talk.h"
#include "driver/workbench/config.h"
#include "driver/workbench/given.h"
#include "driver/workbench/mirror.h"
#include "driver/workbench/source_parser.h"
#include "rewriter/rewriter.h"

struct rewrite_options {
    const char *source, *tree, *commands, *config, *table, *out;
    const char *const *time, *const *open; /* lists of names, or NULL */
    bool synchronization, explain;
    unsigned jobs;
};

#define AT(member) offsetof(struct rewrite_options, member)

static const struct option_spec option_table[] = {
    OPTION("source", FOLDER, AT(source), "DIR", ".", "the source tree; it is only read"),
    OPTION("tree", FOLDER, AT(tree), "DIR", NULL,
           "the copy, which must not exist yet; otherwise OUT/rewritten"),
    OPTION("compile-commands", FILE, AT(commands), "FILE", NULL,
           "how it is compiled; otherwise compile_commands.json of the source tree"),
    OPTION("time", TEXT, AT(time), "NAME,NAME", "all", "functions to time", .repeatable = true),
    OPTION("open", TEXT, AT(open), "NAME,NAME", NULL,
           "functions (or all) whose calls of libraries and pointers are timed",
           .repeatable = true),
    FLAG("sync", AT(synchronization), "record locks, conditions, threads"),
    OPTION("config", FILE, AT(config), "FILE", NULL,
           "intervals and synchronization; otherwise vprofiler.json of the source tree, if it is "
           "there"),
    OPTION("table", FILE, AT(table), "FILE", NULL,
           "write what the probes are (functions.json) to FILE"),
    OPTION("out", FOLDER, AT(out), "DIR", "vprofiler-out",
           "where the facts of parsed files are kept"),
    OPTION("jobs", PROCESSORS, AT(jobs), "N", NULL, "source files parsed at once", .most = 1024),
    FLAG("explain", AT(explain), "list everything that was left out, and why"),
    {0},
};

/* Every path of a rewriting is absolute, for the parser changes the working directory. */
struct rewriting {
    const struct rewrite_options *options;
    char source[PATH_MAX], out[PATH_MAX];
    struct str tree, pristine, cache, commands, config_path, table;
    struct config config;
    struct compile_db db;
    struct rewriter *rewriter;
    bool *timed, *opened;
};

/* ---- where things are ---- */

static void absolute_path(struct str *path, const char *relative)
{
    char *here = getcwd(NULL, 0);
    path_join(path, here ? here : "/", relative);
    free(here);
}

/* The config is the file that was named, or the usual one in the source tree. */
static void named_or_usual(struct str *path, const char *named, const char *source,
                           const char *usual)
{
    if (named)
        absolute_path(path, named);
    else
        path_join(path, source, usual);
}

static bool check_paths(const struct rewriting *work, struct error *error)
{
    const char *tree = work->tree.data;
    if (!file_exists(work->commands.data))
        return error_set(error, ERROR_USAGE,
                         "There is no %s. Name one by --compile-commands FILE; CMake writes it "
                         "with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, bear for any other build.",
                         work->commands.data);
    if (file_exists(tree))
        return error_set(error, ERROR_USAGE,
                         "%s is there already. Remove it, or name another folder by --tree.", tree);
    if ((path_below(tree, work->source) || strcmp(tree, work->source) == 0) &&
        !path_below(tree, work->out))
        return error_set(error, ERROR_USAGE,
                         "The copy %s can't lie in the source tree %s. Name a folder elsewhere by "
                         "--tree.",
                         tree, work->source);
    return true;
}

/* The folder has a name that nobody could prepare. */
static bool make_pristine(struct rewriting *work, struct error *error)
{
    str_printf(&work->pristine, "%s/pristine-XXXXXX", work->out);
    if (mkdtemp(work->pristine.data))
        return true;
    error_system(error, "Can't make the folder %s", work->pristine.data);
    str_clear(&work->pristine);
    return false;
}

static bool find_paths(struct rewriting *work, struct error *error)
{
    const struct rewrite_options *options = work->options;
    char config[PATH_MAX], commands[PATH_MAX];
    if (!given_folder(options->source, "source folder", "source", work->source, error) ||
        !given_file(options->config, "config", "config", config, error) ||
        !given_file(options->commands, "list of compile commands", "compile-commands", commands,
                    error) ||
        !given_out(options->out, work->source, work->out, error))
        return false;
    named_or_usual(&work->tree, options->tree, work->out, "rewritten");
    named_or_usual(&work->commands, options->commands ? commands : NULL, work->source,
                   "compile_commands.json");
    named_or_usual(&work->config_path, options->config ? config : NULL, work->source,
                   "vprofiler.json");
    if (options->table)
        absolute_path(&work->table, options->table);
    path_join(&work->cache, work->out, "cache/facts");
    return check_paths(work, error) && make_pristine(work, error);
}

/* ---- the work ---- */

static bool open_rewriter(struct rewriting *work, struct error *error)
{
    struct rewriter_options options = {
        .parser = source_parser_load(error),
        .tree = work->tree.data,
        .pristine = work->pristine.data,
        .db = &work->db,
        .declarations = &work->config.declarations,
        .jobs = work->options->jobs,
        .cache = work->cache.data,
    };
    if (!options.parser)
        return false;
    if (file_exists(work->config_path.data) &&
        !config_read(&work->config, work->config_path.data, error))
        return false;
    if (!compile_db_read_json(&work->db, work->commands.data, error))
        return false;
    if (work->db.count == 0)
        return error_set(error, ERROR_USAGE,
                         "%s lists no compile commands. Build the program first, or name another "
                         "list by --compile-commands FILE.",
                         work->commands.data);
    talk("copy %s to %s", work->source, work->tree.data);
    struct mirror_left left = {0};
    bool copied = mirror_copy(work->source, work->out, work->tree.data, &left, error);
    if (copied && left.configured.length)
        talk("left out, because they were configured for your tree: %s", left.configured.data);
    if (copied && left.unread.length)
        talk("left out, because it can't be read: %s", left.unread.data);
    mirror_left_release(&left);
    if (!copied)
        return false;
    compile_db_relocate(&work->db, work->source, work->tree.data);
    work->rewriter = rewriter_open(&options, error);
    return work->rewriter != NULL;
}

static bool choose_name(const struct function_table *functions, bool *chosen, const char *name,
                        struct error *error)
{
    struct similar similar = {.wanted = name};
    bool all = strcmp(name, "all") == 0, found = all;
    for (uint32_t i = 0; i < functions->function_count; i++) {
        if (!functions->functions[i].body)
            continue;
        similar_offer(&similar, functions->functions[i].name);
        if (all || strcmp(name, functions->functions[i].name) == 0)
            found = chosen[i] = true;
    }
    struct str hint = {0};
    similar_append(&similar, "", &hint);
    if (!found)
        error_set(error, ERROR_USAGE,
                  "No function of the program is called %s (members are called Class::name).%s",
                  name, str_text(&hint));
    str_release(&hint);
    return found;
}

/* A list is "all", or names with commas between them; NULL: none. */
static bool choose(struct rewriting *work, const char *const *lists, bool **chosen,
                   struct error *error)
{
    const struct function_table *functions = rewriter_table(work->rewriter);
    *chosen = memory_zeroed(functions->function_count + 1);
    bool ok = true;
    for (; lists && *lists; lists++)
        for (const char *list = *lists; ok && *list; list += *list == ',') {
            size_t length = strcspn(list, ",");
            struct str name = {0};
            str_append_bytes(&name, list, length);
            ok = length == 0 || choose_name(functions, *chosen, name.data, error);
            str_release(&name);
            list += length;
        }
    return ok;
}

static bool rewrite(struct rewriting *work, struct error *error)
{
    if (!open_rewriter(work, error) || !choose(work, work->options->time, &work->timed, error) ||
        !choose(work, work->options->open, &work->opened, error))
        return false;
    struct rewrite_choice choice = {work->timed, work->opened, work->options->synchronization,
                                    NULL};
    return rewriter_rewrite(work->rewriter, &choice, error) &&
           (!work->options->table ||
            function_table_write(rewriter_table(work->rewriter), work->table.data, error));
}

/* ---- what is printed ---- */

static void print_probes(const struct rewriting *work)
{
    const struct function_table *functions = rewriter_table(work->rewriter);
    uint32_t kinds[PROBE_TASK + 1] = {0}, bodies = 0, wanted = 0;
    for (uint32_t i = 0; i < functions->function_count; i++) {
        bodies += functions->functions[i].body;
        wanted += work->timed[i];
    }
    for (uint32_t i = 0; i < functions->probe_count; i++)
        if (functions->probes[i].within != FUNCTION_NONE ||
            functions->probes[i].function != FUNCTION_NONE)
            kinds[functions->probes[i].kind]++;
    talk_print(stdout, "%8u functions, %u of them to be timed\n", bodies, wanted);
    talk_print(stdout, "%8u instrumented\n", kinds[PROBE_FUNCTION]);
    talk_print(stdout, "%8u calls timed, %u of them through pointers\n",
               kinds[PROBE_CALL] + kinds[PROBE_INDIRECT], kinds[PROBE_INDIRECT]);
    talk_print(stdout, "%8u synchronization calls wrapped\n",
               kinds[PROBE_SYNC] + kinds[PROBE_TASK]);
    talk_print(stdout, "%8u files written; %u compilations parsed, %u known from earlier\n",
               rewriter_files_written(work->rewriter), rewriter_files_parsed(work->rewriter),
               rewriter_files_cached(work->rewriter));
}

struct reason {
    const char *text;
    uint32_t count;
};

static int compare_reasons(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return strcmp(x->text, y->text);
}

static void print_reasons(const struct rewriter_skip *skips, uint32_t count)
{
    struct intern texts = {0};
    struct reason *reasons = memory_zeroed((count + 1) * sizeof *reasons);
    for (uint32_t i = 0; i < count; i++)
        if (skips[i].name[0]) {
            uint32_t id = intern_add(&texts, skips[i].reason);
            reasons[id].text = texts.text[id];
            reasons[id].count++;
        }
    uint32_t kinds = (uint32_t)texts.count;
    if (kinds)
        qsort(reasons, kinds, sizeof *reasons, compare_reasons);
    uint32_t all = 0;
    for (uint32_t i = 0; i < kinds; i++)
        all += reasons[i].count;
    talk_print(stdout, "%8u functions and calls left out\n", all);
    for (uint32_t i = 0; i < kinds; i++)
        talk_print(stdout, "%12u %s\n", reasons[i].count, reasons[i].text);
    memory_free(reasons);
    intern_release(&texts);
}

/* Files are always listed: what is missing of one is not known. */
static void print_files(const struct rewriter_skip *skips, uint32_t count)
{
    uint32_t files = 0;
    for (uint32_t i = 0; i < count; i++)
        files += !skips[i].name[0];
    if (files)
        talk_print(stdout, "%8u files with errors\n", files);
    for (uint32_t i = 0; i < count; i++)
        if (!skips[i].name[0])
            talk_print(stdout, "             %s:%u: %s\n", skips[i].file, skips[i].line,
                       skips[i].reason);
}

static void print_result(const struct rewriting *work)
{
    uint32_t count;
    const struct rewriter_skip *skips = rewriter_skips(work->rewriter, &count);
    for (uint32_t i = 0; work->options->explain && i < count; i++)
        if (skips[i].name[0])
            talk_print(stdout, "%s:%u: %s: %s\n", skips[i].file, skips[i].line, skips[i].name,
                       skips[i].reason);
    print_probes(work);
    print_reasons(skips, count);
    print_files(skips, count);
}

/* ---- the whole ---- */

static void release(struct rewriting *work)
{
    struct error ignored;
    if (work->pristine.length)
        file_remove_tree(work->pristine.data, &ignored);
    rewriter_close(work->rewriter);
    compile_db_release(&work->db);
    config_release(&work->config);
    memory_free(work->timed);
    memory_free(work->opened);
    struct str *texts[] = {&work->tree,     &work->pristine,    &work->cache,
                           &work->commands, &work->config_path, &work->table};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        str_release(texts[i]);
}

static int run(int argc, char **argv)
{
    struct rewrite_options values;
    int code;
    if (!command_take(&command_rewrite, argc, argv, &values, &code))
        return code;
    struct error error;
    struct rewriting work = {.options = &values};
    bool ok = find_paths(&work, &error) && rewrite(&work, &error);
    if (ok)
        print_result(&work);
    else
        talk_error(&error);
    release(&work);
    return ok ? EXIT_DONE : exit_code_of(&error);
}

const struct command command_rewrite = {
    .name = "rewrite",
    .run = run,
    .summary = "only instrument: a copy of the source tree with probes in it",
    .description =
        "Copies the source tree and instruments the copy: what each round of `vprofiler iterate` "
        "does, for builds of your own. Build the copy, and run it with `vprofiler record`.\n",
    .options = option_table,
    .examples = {{"vprofiler rewrite --compile-commands build/compile_commands.json --sync",
                  "every function, and who waits for whom"},
                 {"vprofiler rewrite --time handle,parse --open parse --tree /tmp/copy --table "
                  "functions.json",
                  "two functions, and the libraries that one of them calls"},
                 {"vprofiler rewrite --time all --open all --explain | grep server.c",
                  "what is left out of one file, and why"}},
    .status = "0 done, 1 nothing could be parsed or written, 2 wrong use",
};
