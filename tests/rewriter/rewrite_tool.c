/* rewrite_tool.c - the rewriter on a folder, for tests and for trying it out.
 *
 *     rewrite_tool [options] TREE
 *       --time all|NAME,NAME     functions to time
 *       --open all|NAME,NAME     functions whose calls are timed
 *       --sync                   wrap synchronization
 *       --lean                   no probes in what is short, nor at calls of it
 *       --config FILE            declared intervals and synchronization, as in vprofiler.json
 *       --db FILE                compile_commands.json; else each source file of TREE itself
 *       --log FILE               what libvprof_record.so wrote, instead of --db
 *       --flag FLAG              for the files of TREE where no --db is given (repeat it)
 *       --pristine DIR           default TREE.pristine
 *       --jobs N
 *       --cache DIR              facts of earlier runs
 *       --table FILE             write functions.json
 *       --skips                  list what was left out
 *       --functions              list the functions with a body, their marks and callees; with
 *                                --lean those that are short, too
 *       --reach                  list what functions name without calling, and who may be called by
 *                                what is not in the tree
 *       --ask TEXT               print what the preamble is and stop (TEXT: "preamble", or
 *                                "redirects": what follows it where all synchronization is used)
 */
#include <dirent.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/str.h"
#include "rewriter/parser.h"
#include "rewriter/preamble.h"
#include "rewriter/rewriter.h"
#include "rewriter/sync_name.h"

struct job {
    const char *tree, *time, *open, *config, *db, *log, *pristine, *cache, *table;
    bool sync, lean, skips, functions, reach;
    unsigned jobs;
    const char *flags[64];
    uint32_t flag_count;
    struct compile_db commands;
    struct declarations declarations;
    json_t *json; /* owns the declarations' strings */
};

static int fail(const struct error *error)
{
    fprintf(stderr, "rewrite_tool: %s\n", error->message);
    return error->code == ERROR_USAGE ? 2 : 1;
}

/* The config ---------------------------------------------------------------------------------- */

static const char *text_of(json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void read_mark(struct mark_declaration *marks, uint32_t *count, json_t *interval,
                      const char *key, enum mark_what what)
{
    json_t *object = json_object_get(interval, key), *at = json_object_get(object, "at");
    if (!json_is_object(object))
        return;
    struct mark_declaration mark = {.what = what,
                                    .function = text_of(object, "function"),
                                    .id = text_of(object, "id"),
                                    .condition = text_of(object, "if"),
                                    .type = what == MARK_BEGIN  ? text_of(interval, "type")
                                            : what == MARK_TYPE ? text_of(object, "is")
                                                                : NULL};
    mark.place = json_is_object(at)                           ? MARK_AT_LINE
                 : strcmp(json_string_value(at), "exit") == 0 ? MARK_AT_EXIT
                                                              : MARK_AT_ENTRY;
    mark.line = (uint32_t)json_integer_value(json_object_get(at, "line"));
    marks[(*count)++] = mark;
}

static uint32_t read_argument(json_t *value, bool *dereference)
{
    const char *text = json_string_value(value);
    if (!text)
        return (uint32_t)json_integer_value(value);
    if (strcmp(text, "return") == 0)
        return SYNC_ARGUMENT_RETURN;
    *dereference = text[0] == '*';
    return (uint32_t)atoi(text + *dereference);
}

static void read_sync(struct sync_declaration *sync, json_t *object)
{
    static const char *const ROLES[] = {"acquire", "release", "enqueue", "dequeue"};
    sync->function = text_of(object, "function");
    for (int i = 0; i < 4; i++)
        if (strcmp(text_of(object, "role"), ROLES[i]) == 0)
            sync->role = (enum sync_role)i;
    json_t *value = json_object_get(object, "object");
    sync->argument =
        read_argument(value ? value : json_object_get(object, "task"), &sync->dereference);
}

static bool read_config(struct job *job)
{
    json_error_t where;
    job->json = json_load_file(job->config, 0, &where);
    if (!job->json) {
        fprintf(stderr, "rewrite_tool: %s:%d: %s\n", job->config, where.line, where.text);
        return false;
    }
    json_t *intervals = json_object_get(job->json, "intervals"), *item;
    json_t *syncs = json_object_get(job->json, "synchronization");
    struct declarations *to = &job->declarations;
    to->marks = memory_zeroed((4 * json_array_size(intervals) + 1) * sizeof *to->marks);
    to->syncs = memory_zeroed((json_array_size(syncs) + 1) * sizeof *to->syncs);
    size_t i;
    json_array_foreach(intervals, i, item)
    {
        read_mark(to->marks, &to->mark_count, item, "begin", MARK_BEGIN);
        read_mark(to->marks, &to->mark_count, item, "end", MARK_END);
        read_mark(to->marks, &to->mark_count, item, "enter", MARK_ENTER);
        read_mark(to->marks, &to->mark_count, item, "type", MARK_TYPE);
    }
    json_array_foreach(syncs, i, item) read_sync(&to->syncs[to->sync_count++], item);
    json_t *untimed = json_object_get(job->json, "untimed");
    to->untimed = memory_zeroed((json_array_size(untimed) + 1) * sizeof *to->untimed);
    json_array_foreach(untimed, i, item) to->untimed[to->untimed_count++] = json_string_value(item);
    return true;
}

/* The commands -------------------------------------------------------------------------------- */

static int is_source(const struct dirent *entry)
{
    return str_ends_with(entry->d_name, ".c") || str_ends_with(entry->d_name, ".cc");
}

static void add_command(struct job *job, const char *name)
{
    struct compile_db *db = &job->commands;
    struct compile_command command = {.directory = job->tree,
                                      .file = arena_printf(&db->arena, "%s/%s", job->tree, name)};
    command.arguments = ARENA_ARRAY(&db->arena, const char *, job->flag_count + 3);
    command.arguments[command.argument_count++] = "cc";
    for (uint32_t i = 0; i < job->flag_count; i++)
        command.arguments[command.argument_count++] = job->flags[i];
    command.arguments[command.argument_count++] = command.file;
    VEC_PUSH(db->commands, db->count, db->capacity) = command;
}

static void commands_of_folder(struct job *job)
{
    struct dirent **entries;
    int count = scandir(job->tree, &entries, is_source, alphasort);
    for (int i = 0; i < count; i++) {
        if (strncmp(entries[i]->d_name, "expected", 8) != 0)
            add_command(job, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* The choice ---------------------------------------------------------------------------------- */

static bool in_list(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at && *at; at += strcspn(at, ",") + (strchr(at, ',') != NULL))
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

static bool *choose(const struct function_table *table, const char *list)
{
    bool *chosen = memory_zeroed(table->function_count + 1);
    for (uint32_t i = 0; list && i < table->function_count; i++)
        chosen[i] = table->functions[i].body &&
                    (strcmp(list, "all") == 0 || in_list(list, table->functions[i].name));
    return chosen;
}

/* What is printed ----------------------------------------------------------------------------- */

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_functions(const struct function_table *table, const enum pace *paces)
{
    for (uint32_t i = 0; i < table->function_count; i++) {
        const struct function_info *function = &table->functions[i];
        if (!function->body)
            continue;
        printf("%s:%u %s%s%s%s:", function->file, function->line, function->name,
               function->marks ? " [marks]" : "", function->indirect_calls ? " [indirect]" : "",
               paces && paces[i] == PACE_SHORT ? " [short]" : "");
        for (uint32_t k = 0; k < function->callee_count; k++)
            printf(" %s", table->functions[function->callees[k]].name);
        printf("\n");
    }
}

static void print_reach(const struct function_table *table)
{
    static const char *const CALLS[] = {"", " [calls given]", " [calls any]"};
    for (uint32_t i = 0; i < table->function_count; i++) {
        const struct function_info *function = &table->functions[i];
        const char *calls = CALLS[function->calls_back];
        if (!function->referenced && !*calls && !function->reference_count &&
            !function->team_unseen)
            continue;
        printf("reach %s%s%s%s%s:", function->name, function->referenced ? " [referenced]" : "",
               function->handles_signals ? " [signal]" : "", calls,
               function->team_unseen ? " [unseen team]" : "");
        for (uint32_t k = 0; k < function->reference_count; k++)
            printf(" %s", table->functions[function->references[k]].name);
        printf("\n");
    }
}

static void print_summary(struct rewriter *rewriter, bool with_cache, double parse_s,
                          double rewrite_s)
{
    const struct function_table *table = rewriter_table(rewriter);
    uint32_t kinds[PROBE_TASK + 1] = {0}, bodies = 0, skips;
    for (uint32_t i = 0; i < table->function_count; i++)
        bodies += table->functions[i].body;
    for (uint32_t i = 0; i < table->probe_count; i++)
        kinds[table->probes[i].kind]++;
    rewriter_skips(rewriter, &skips);
    printf("functions %u, with a body %u; probes: function %u, call %u, indirect %u, sync %u, "
           "task %u; skipped %u; files written %u; parse %.2f s, rewrite %.2f s\n",
           table->function_count, bodies, kinds[PROBE_FUNCTION], kinds[PROBE_CALL],
           kinds[PROBE_INDIRECT], kinds[PROBE_SYNC], kinds[PROBE_TASK], skips,
           rewriter_files_written(rewriter), parse_s, rewrite_s);
    if (with_cache)
        printf("parsed %u, cached %u\n", rewriter_files_parsed(rewriter),
               rewriter_files_cached(rewriter));
}

static void print_skips(const struct rewriter *rewriter)
{
    uint32_t count;
    const struct rewriter_skip *skips = rewriter_skips(rewriter, &count);
    for (uint32_t i = 0; i < count; i++)
        printf("%s:%u %s: %s\n", skips[i].file, skips[i].line, skips[i].name, skips[i].reason);
}

static int run(struct job *job)
{
    struct error error;
    struct rewriter_options options = {&parser_clang,      job->tree, job->pristine, &job->commands,
                                       &job->declarations, job->jobs, job->cache};
    double start = now_s();
    struct rewriter *rewriter = rewriter_open(&options, &error);
    if (!rewriter)
        return fail(&error);
    struct function_table *table = rewriter_table(rewriter);
    bool *timed = choose(table, job->time), *opened = choose(table, job->open);
    struct rewrite_choice choice = {timed, opened, job->sync,
                                    job->lean ? rewriter_paces(rewriter) : NULL};
    double parsed = now_s();
    bool ok = rewriter_rewrite(rewriter, &choice, &error);
    double done = now_s();
    if (ok && job->table)
        ok = function_table_write(table, job->table, &error);
    if (ok && job->functions)
        print_functions(table, choice.paces);
    if (ok && job->reach)
        print_reach(table);
    if (ok && job->skips)
        print_skips(rewriter);
    if (ok)
        print_summary(rewriter, job->cache != NULL, parsed - start, done - parsed);
    memory_free(timed);
    memory_free(opened);
    rewriter_close(rewriter);
    return ok ? 0 : fail(&error);
}

static void print_preamble(const char *what)
{
    struct str text = {0};
    if (strcmp(what, "redirects") == 0)
        sync_name_redirect(&text, UINT64_MAX | SYNC_TEAM, 0);
    else if (strcmp(what, "sites") == 0)
        str_append(&text, rewriter_sites);
    else
        str_append(&text, rewriter_preamble);
    fputs(str_text(&text), stdout);
    str_release(&text);
}

static bool parse_options(struct job *job, int argc, char **argv)
{
    static const struct option OPTIONS[] = {
        {"time", 1, 0, 't'},
        {"open", 1, 0, 'o'},
        {"sync", 0, 0, 's'},
        {"config", 1, 0, 'c'},
        {"db", 1, 0, 'd'},
        {"log", 1, 0, 'l'},
        {"flag", 1, 0, 'f'},
        {"pristine", 1, 0, 'p'},
        {"cache", 1, 0, 'C'},
        {"jobs", 1, 0, 'j'},
        {"table", 1, 0, 'T'},
        {"skips", 0, 0, 'k'},
        {"functions", 0, 0, 'F'},
        {"ask", 1, 0, 'a'},
        {"lean", 0, 0, 'L'},
        {"reach", 0, 0, 'R'},
        {0, 0, 0, 0},
    };
    for (int option; (option = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1;)
        switch (option) {
        case 't':
            job->time = optarg;
            break;
        case 'o':
            job->open = optarg;
            break;
        case 's':
            job->sync = true;
            break;
        case 'c':
            job->config = optarg;
            break;
        case 'd':
            job->db = optarg;
            break;
        case 'l':
            job->log = optarg;
            break;
        case 'f':
            job->flags[job->flag_count++ % 64] = optarg;
            break;
        case 'p':
            job->pristine = optarg;
            break;
        case 'j':
            job->jobs = (unsigned)atoi(optarg);
            break;
        case 'C':
            job->cache = optarg;
            break;
        case 'T':
            job->table = optarg;
            break;
        case 'k':
            job->skips = true;
            break;
        case 'F':
            job->functions = true;
            break;
        case 'L':
            job->lean = true;
            break;
        case 'R':
            job->reach = true;
            break;
        case 'a':
            print_preamble(optarg);
            exit(0);
        default:
            return false;
        }
    return optind + 1 == argc;
}

int main(int argc, char **argv)
{
    struct job job = {.jobs = 1};
    if (!parse_options(&job, argc, argv)) {
        fprintf(stderr, "usage: rewrite_tool [options] TREE; the file's head lists them.\n");
        return 2;
    }
    char *tree = realpath(argv[optind], NULL);
    if (!tree) {
        perror(argv[optind]);
        return 1;
    }
    job.tree = tree;
    struct str pristine = {0}, folder = {0};
    char *here = getcwd(NULL, 0);
    str_printf(&folder, "%s.pristine", tree);
    path_join(&pristine, here, job.pristine ? job.pristine : folder.data);
    job.pristine = pristine.data;
    struct error error;
    int status = 2;
    if ((job.db && !compile_db_read_json(&job.commands, job.db, &error)) ||
        (job.log && !compile_db_read_log(&job.commands, job.log, &error)))
        status = fail(&error);
    else if (!job.config || read_config(&job)) {
        if (!job.db && !job.log)
            commands_of_folder(&job);
        status = run(&job);
    }
    compile_db_release(&job.commands);
    memory_free(job.declarations.marks);
    memory_free(job.declarations.syncs);
    memory_free(job.declarations.untimed);
    json_decref(job.json);
    str_release(&pristine);
    str_release(&folder);
    free(here);
    free(tree);
    return status;
}
