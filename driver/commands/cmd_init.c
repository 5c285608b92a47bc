#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/number.h"
#include "driver/cli/command_line.h"
#include "driver/cli/shell_word.h"
#include "driver/cli/talk.h"
#include "driver/init/interval_trial.h"
#include "driver/init/ready.h"
#include "driver/workbench/config.h"
#include "driver/workbench/given.h"
#include "driver/workbench/process.h"
#include "driver/workbench/source_parser.h"

struct init_values {
    const char *source, *ready;
    bool try, no_build;
    unsigned take, jobs;
    char *const *command;
};

#define AT(member) offsetof(struct init_values, member)

static const struct option_spec options[] = {
    OPTION("source", FOLDER, AT(source), "DIR", ".", "the source tree"),
    OPTION("for", CHOICE, AT(ready), "PROGRAM", NULL,
           "write the declaration that is ready for this program, in place of a guess",
           .choices = ready_names),
    OPTION("take", WHOLE, AT(take), "N", NULL, "write the N-th interval that is shown, sure or not",
           .most = 20),
    FLAG("try", AT(try),
         "build the program with the declaration and run it for two seconds: how many intervals, "
         "how long, and what is not in them"),
    FLAG("no-build", AT(no_build),
         "build nothing: what an #ifdef leaves out may be shown, and nothing is sure"),
    OPTION("jobs", PROCESSORS, AT(jobs), "N", NULL, "source files parsed at once", .most = 1024),
    {0},
};

static const struct option_spec arguments[] = {
    ARGUMENT(COMMAND, AT(command), "COMMAND ARGS...",
             "what runs the program under load; it goes into build.sh"),
    {0},
};

/* A beginning is what one `init` found out and writes. */
struct beginning {
    const struct init_values *values;
    char source[PATH_MAX];
    struct build_trial build;
    struct interval_guess guess;
    struct interval_trial trial;
    struct str script, config; /* empty: none is written */
    struct str ready_script;
    struct str config_path; /* what is tried */
    bool kept;              /* there is a vprofiler.json */
};

/* ---- what is written ---- */

static void write_script(struct beginning *own)
{
    const struct build_kind *first = build_kind_next(own->source, NULL);
    const struct build_kind *kind = own->build.kind ? own->build.kind
                                    : first         ? first
                                                    : build_kind_unknown();
    char *const *command = own->values->command;
    bool ready = own->ready_script.length > 0;
    str_printf(
        &own->script,
        "#!/bin/sh\n"
        "# Builds the program and runs it under load; vprofiler starts it once a round, in a "
        "copy of\n"
        "# this tree ($VPROF_TREE). $VPROF_CFLAGS says where vprof_api.h is. Name nothing of "
        "the tree by\n"
        "# an absolute path. By hand: sh build.sh\n"
        "set -e\n\n"
        "# Build (%s; %s). Keep the optimization that you ship with.\n%s\n"
        "# Run: some thousand requests, 10 seconds or more, then end the program by "
        "itself.\n",
        ready ? own->values->ready : kind->name,
        own->build.kind ? "tried: it works" : "not tried, or it failed",
        ready ? own->ready_script.data : kind->script);
    for (char *const *word = command; word && *word; word++) {
        if (word != command)
            str_append_char(&own->script, ' ');
        shell_word_append(&own->script, *word);
    }
    str_append(&own->script,
               command ? "\n"
                       : "echo 'build.sh: write here what runs the program under load' >&2\n"
                         "exit 1\n");
}

/* Writes the file, never over one that is there; tells which of the two it was. */
static bool write_new(const char *source, const char *name, const struct str *text, mode_t mode,
                      struct error *error)
{
    struct str path = {0};
    path_join(&path, source, name);
    int fd = open(path.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    bool there = fd < 0 && errno == EEXIST;
    bool ok = there || (fd >= 0 && write(fd, text->data, text->length) == (ssize_t)text->length);
    if (!ok)
        error_system(error, "Can't write %s", path.data);
    if (fd >= 0 && close(fd) != 0 && ok)
        ok = error_system(error, "Can't write %s", path.data);
    if (ok)
        talk_print(stdout, "%-10s %s%s\n", there ? "kept" : "wrote", name,
                   there ? ": it was there" : "");
    str_release(&path);
    return ok;
}

/* ---- what is told ---- */

static void print_build(const struct beginning *own)
{
    const struct build_trial *build = &own->build;
    const struct build_kind *first = build_kind_next(own->source, NULL);
    if (build->unfinished)
        talk_print(stdout, "%-10s %s ended with an error after %u compilations:\n%s", "build",
                   build->kind->name, build->db.count, build->said.data);
    else if (build->kind)
        talk_print(stdout, "%-10s %s%s%s%s works: %.1f s, %u compilations\n", "build",
                   build->kind->name, *build->kind->file ? " (" : "", build->kind->file,
                   *build->kind->file ? ")" : "", build->seconds, build->db.count);
    else if (own->values->no_build)
        talk_print(stdout, "%-10s not tried (%s)\n", "build",
                   first ? first->name : build_kind_unknown()->name);
    else if (build->failed.length)
        talk_print(stdout, "%-10s tried in vain: %s. The last one said:\n%s", "build",
                   build->failed.data, build->said.data);
    else
        talk_print(stdout, "%-10s %s\n", "build", build_kind_unknown()->name);
}

static void print_reasons(const struct request_path *path)
{
    for (uint32_t i = 0; i < path->reason_count; i++)
        talk_print(stdout, "%-10s   %s %s\n", "", i ? "      " : "because", path->reasons[i]);
}

static void print_paths(const struct beginning *own)
{
    enum { MOST_SHOWN = 4 };
    const struct request_paths *paths = &own->guess.paths;
    for (uint32_t i = 0; i < paths->count && i < MOST_SHOWN; i++) {
        struct str text = {0};
        interval_guess_describe(&own->guess, i, &text);
        talk_print(stdout, "%-10s %u. %s\n", i == 0 ? "intervals" : "", i + 1, text.data);
        print_reasons(&paths->items[i]);
        str_release(&text);
    }
}

/* NULL: it is sure. */
static const char *doubt_of(const struct beginning *own)
{
    const struct request_paths *paths = &own->guess.paths;
    if (own->guess.annotated)
        return "the source marks them by itself";
    if (!paths->count)
        return paths->source_count ? "nothing that receives from a client gets to an answer"
                                   : "nothing receives from a client";
    if (!own->build.kind)
        return "the program was not built, so what is compiled is not known";
    if (own->build.unfinished)
        return "the build.sh that is there ended with an error";
    return paths->doubt;
}

static void print_guess(const struct beginning *own)
{
    if (own->values->ready)
        talk_print(stdout, "%-10s those that are ready for %s\n", "intervals", own->values->ready);
    else if (own->guess.annotated)
        talk_print(stdout, "%-10s marked in the source (SI_BEGIN), in %s\n", "intervals",
                   own->guess.annotated);
    else if (!own->guess.paths.count)
        talk_print(
            stdout,
            "%-10s none is marked, and in %u compilations %s:\n"
            "%-10s put SI_BEGIN(id) and SI_END(id) of vprof_api.h where a request starts and "
            "ends\n",
            "intervals", own->guess.flow.unit_count, doubt_of(own), "");
    else
        print_paths(own);
}

static void print_trial(const struct interval_trial *trial)
{
    talk_print(stdout, "%-10s %.0f s: %s interval%s", "tried", trial->seconds,
               number_count(trial->count).text, number_plural(trial->count));
    if (trial->count)
        talk_print(stdout, ", p50 %s, longest %s", number_ns(trial->p50_ns, false).text,
                   number_ns(trial->longest_ns, false).text);
    if (trial->answers)
        talk_print(
            stdout, "; %s of %s answers sent in one",
            number_percent_short((double)trial->answers_inside / (double)trial->answers).text,
            number_count(trial->answers).text);
    talk_print(stdout, "\n");
    for (uint32_t i = 0; i < trial->doubt_count; i++)
        talk_print(stdout, "%-10s %s\n", "warning", trial->doubts[i].data);
}

/* ---- the steps ---- */

static bool find_build(struct beginning *own, struct error *error)
{
    if (!own->values->no_build && !build_trial_run(&own->build, error))
        return false;
    if (!own->build.kind)
        build_trial_skip(&own->build);
    return true;
}

/* A tree of which nothing can be parsed has no intervals that could be guessed. */
static void find_intervals(struct beginning *own)
{
    struct error error;
    talk_phase("parse %u compilations", own->build.db.count);
    if (own->build.db.count)
        interval_guess_find(&own->guess, own->build.tree.data, &own->build.db, own->values->jobs,
                            &error);
}

static bool choose(struct beginning *own, struct error *error)
{
    unsigned take = own->values->take;
    if (take && take > own->guess.paths.count)
        return error_set(error, ERROR_USAGE, "--take %u: %u intervals were found.", take,
                         own->guess.paths.count);
    if (own->values->ready)
        return true;
    if (take || !doubt_of(own))
        interval_guess_write(&own->guess, take ? take - 1 : 0, &own->config);
    return true;
}

static bool place_config(struct beginning *own, struct error *error)
{
    path_join(&own->config_path, own->source, "vprofiler.json");
    own->kept = file_exists(own->config_path.data);
    if (own->kept || !own->config.length)
        return true;
    path_join(&own->config_path, own->build.folder, "vprofiler.json");
    return file_write(own->config_path.data, own->config.data, own->config.length, error);
}

static bool is_in_program(const struct flow *flow, const char *name)
{
    const char *colon = strrchr(name, ':');
    const char *own = colon && colon > name && colon[-1] != ':' ? colon + 1 : name;
    for (uint32_t i = 0; i < flow->function_count; i++)
        if (flow->functions[i].body && str_ends_with(flow->functions[i].name, own))
            return true;
    return false;
}

/* What is ready is for a program's own source, and for its versions that have these functions. */
static bool check_ready(const struct beginning *own, struct error *error)
{
    struct config config = {0};
    const char *missing = NULL;
    if (!own->values->ready || !own->build.kind || own->kept)
        return true;
    if (!config_read(&config, own->config_path.data, error))
        return false;
    for (uint32_t i = 0; i < config.declarations.mark_count && !missing; i++)
        if (!is_in_program(&own->guess.flow, config.declarations.marks[i].function))
            missing = config.declarations.marks[i].function;
    if (missing)
        error_set(error, ERROR_NOTHING,
                  "What is compiled here has no function %s: is it the source of %s, in a version "
                  "that has it? Without --for the intervals are guessed.",
                  missing, own->values->ready);
    config_release(&config);
    return !missing;
}

static bool try_interval(struct beginning *own, struct error *error)
{
    if (!own->values->try)
        return true;
    if (!own->build.kind)
        return error_set(error, ERROR_TARGET, "--try needs a build that works: see above.");
    if (!own->kept && !own->config.length && !own->guess.annotated)
        return error_set(error, ERROR_NOTHING,
                         "There is no declaration to try. Take one of those above by --take N.");
    if (!own->values->command && !own->build.own)
        return error_set(error, ERROR_USAGE,
                         "--try needs what runs the program under load: vprofiler init --try -- "
                         "COMMAND");
    own->trial = (struct interval_trial){
        .build = &own->build,
        .guess = &own->guess,
        .config = own->kept || own->config.length ? own->config_path.data : NULL,
        .command = own->values->command,
        .jobs = own->values->jobs};
    if (!interval_trial_run(&own->trial, error))
        return false;
    print_trial(&own->trial);
    return true;
}

/* Where most answers are sent outside of it, the guess is not the request. */
static bool is_refuted(const struct beginning *own)
{
    return !own->kept && !own->values->ready && !own->values->take &&
           own->trial.answers_inside < own->trial.answers / 2;
}

/* A declaration that was tried in vain is not written. */
static bool write_files(struct beginning *own, struct error *error)
{
    bool vain = own->values->try && own->trial.count == 0, refuted = is_refuted(own);
    write_script(own);
    if (!write_new(own->source, "build.sh", &own->script, 0777, error))
        return false;
    if (own->config.length && !vain && !refuted)
        return write_new(own->source, "vprofiler.json", &own->config, 0666, error);
    if (own->kept)
        talk_print(stdout, "%-10s vprofiler.json: it was there\n", "kept");
    else if (vain)
        talk_print(stdout, "%-10s no vprofiler.json: this declaration gave no interval\n", "wrote");
    else if (refuted)
        talk_print(stdout,
                   "%-10s no vprofiler.json: most answers are not sent in it. Take it all the same "
                   "by --take 1\n",
                   "wrote");
    else if (own->guess.annotated)
        talk_print(stdout, "%-10s no vprofiler.json: it needs none\n", "wrote");
    else
        talk_print(stdout, "%-10s no vprofiler.json: not sure, because %s%s\n", "wrote",
                   doubt_of(own),
                   own->guess.paths.count ? ". Take one by --take N, or write it by hand" : "");
    return true;
}

static bool init(struct beginning *own, struct error *error)
{
    if (!source_parser_load(error))
        return false;
    if (own->values->ready &&
        !ready_read(own->values->ready, &own->config, &own->ready_script, error))
        return false;
    if (!build_trial_begin(&own->build, own->source, error))
        return false;
    own->build.ready = own->ready_script.length ? own->ready_script.data : NULL;
    if (!find_build(own, error))
        return false;
    find_intervals(own);
    talk_pause();
    print_build(own);
    print_guess(own);
    if (!choose(own, error) || !place_config(own, error) || !check_ready(own, error) ||
        !try_interval(own, error) || !write_files(own, error))
        return false;
    talk_print(stdout, "\nRead build.sh%s%s. Next: vprofiler iterate --build build.sh\n",
               own->config.length ? " and vprofiler.json" : "",
               own->values->command ? "" : "; what runs the program stands at the end of build.sh");
    return true;
}

static void release(struct beginning *own)
{
    build_trial_end(&own->build);
    interval_trial_release(&own->trial);
    interval_guess_release(&own->guess);
    str_release(&own->script);
    str_release(&own->config);
    str_release(&own->ready_script);
    str_release(&own->config_path);
}

static int run(int argc, char **argv)
{
    struct init_values values;
    struct error error;
    int code;
    if (!command_take(&command_init, argc, argv, &values, &code))
        return code;
    static struct beginning own;
    own.values = &values;
    process_catch_interrupts();
    bool ok = given_folder(values.source, "source folder", "source", own.source, &error) &&
              init(&own, &error);
    if (!ok)
        talk_error(&error);
    release(&own);
    return ok ? EXIT_DONE : exit_code_of(&error);
}

const struct command command_init = {
    .name = "init",
    .run = run,
    .summary = "begin with a program: write a build.sh, and guess its intervals",
    .description =
        "Finds by trial how the program is built (configure, CMake, Meson, make), in a copy, and "
        "by "
        "the flow of its data where requests begin and end: from where a client's descriptor is "
        "received from to where the answer is sent, through callbacks, tables of handlers and "
        "queues between threads. Only what was compiled counts.\n"
        "\n"
        "Writes a build.sh, and a vprofiler.json where it is sure; otherwise it shows what it "
        "found, "
        "and why. A file that is there is never changed.\n",
    .options = options,
    .arguments = arguments,
    .examples = {{"vprofiler init", "in the program's source tree"},
                 {"vprofiler init --try -- ./bench.sh --seconds 20",
                  "and this runs it under load; two seconds of it tell whether the guess is right"},
                 {"vprofiler init --for redis", "what is ready for a program that many run"}},
    .status = "0 done, 1 a file can't be written or a trial failed, 2 wrong use, 3 nothing to try",
};
