#include "driver/loop/iteration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "driver/cli/talk.h"
#include "driver/workbench/given.h"
#include "driver/workbench/installation.h"
#include "driver/workbench/mirror.h"
#include "driver/workbench/source_parser.h"

static bool check_parts(struct error *error)
{
    if (installation_runtime() && installation_recorder() && installation_include())
        return true;
    return error_set(error, ERROR_SYSTEM,
                     "libvprof.so, libvprof_record.so or vprof_api.h is not where it should be "
                     "beside this program. Install vprofiler again, or build it with `make`.");
}

static bool find_files(struct iteration *it, struct error *error)
{
    const struct iterate_options *options = it->options;
    return given_script(options->build, "build script", "build", it->build, error) &&
           given_script(options->run, "run script", "run", it->run, error) &&
           given_file(options->config, "config", "config", it->config_path, error) &&
           given_file(options->commands, "list of compile commands", "compile-commands",
                      it->commands, error) &&
           given_folder(options->source, "source folder", "source", it->source, error);
}

bool iteration_find_files(struct iteration *it, struct error *error)
{
    it->parser = source_parser_load(error);
    return it->parser && check_parts(error) && find_files(it, error);
}

/* A wrong config or command is told of before anything is copied or built. */
static bool check_commands(const struct iteration *it, struct error *error)
{
    struct compile_db db = {0};
    bool ok = !*it->commands || compile_db_read_json(&db, it->commands, error);
    compile_db_release(&db);
    if (!ok)
        error->code = ERROR_USAGE;
    return ok;
}

static bool read_config(struct iteration *it, struct error *error)
{
    struct str path = {0};
    path_join(&path, it->source, "vprofiler.json");
    const char *config = *it->config_path ? it->config_path : path.data;
    bool ok = !file_exists(config) || config_read(&it->config, config, error);
    str_release(&path);
    return ok;
}

static void note_origin(struct iteration *it)
{
    struct utsname system;
    if (uname(&system) == 0)
        snprintf(it->host, sizeof it->host, "%s", system.nodename);
    time_t now = time(NULL);
    strftime(it->date, sizeof it->date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    struct str command = {0};
    str_printf(&command, "git --no-optional-locks -C '%s' rev-parse --short=12 HEAD 2>/dev/null",
               it->source);
    FILE *pipe = strchr(it->source, '\'') ? NULL : popen(command.data, "r");
    if (pipe && fgets(it->commit, sizeof it->commit, pipe))
        it->commit[strcspn(it->commit, "\n")] = '\0';
    if (pipe)
        pclose(pipe);
    str_release(&command);
}

bool iteration_save(struct iteration *it, unsigned round, bool measured, struct error *error)
{
    if (it->once)
        return true;
    it->state.round = round;
    it->state.measured = measured;
    if (it->loop.table)
        loop_state_note(&it->state, &it->loop);
    return loop_state_write(&it->state, it->workdir.root.data, error);
}

bool iteration_note_building(struct iteration *it, bool building, struct error *error)
{
    it->state.building = building;
    return it->once || loop_state_write(&it->state, it->workdir.root.data, error);
}

static bool keep_what_is_asked(const struct iteration *it, struct error *error)
{
    return !it->options->keep || workdir_keep(&it->workdir, error);
}

static bool find_workdir(struct iteration *it, struct error *error)
{
    const char *out = it->out;
    if (!given_out(it->options->out, it->source, it->out, error))
        return false;
    if (!it->options->resume) {
        loop_state_begin(&it->state, it->options);
        if (!workdir_create(&it->workdir, out, error) || !keep_what_is_asked(it, error))
            return false;
        unsigned removed = workdir_tidy(&it->workdir);
        if (removed)
            talk("removed the traces of %u old loops; their reports are there. --keep keeps all",
                 removed);
        return iteration_save(it, 0, false, error);
    }
    return workdir_reopen(&it->workdir, out, LOOP_STATE_FILE, error) &&
           keep_what_is_asked(it, error) &&
           loop_state_read(&it->state, it->workdir.root.data, error) &&
           (loop_state_begin_again(&it->state, it->options), true);
}

/* A loop that is resumed goes on in its copy, if that is there and no build of it was broken off. */
static bool freshen_mirror(struct iteration *it, struct error *error)
{
    const struct loop_state *state = &it->state;
    struct mirror_fresh fresh = {.since = state->copied_s, .pristine = it->workdir.pristine.data};
    bool stale = false;
    if (!it->options->resume || state->round == 0 || state->building || state->copied_s == 0 ||
        !file_is_own_folder(it->workdir.tree.data))
        return true;
    talk_phase("[0] go on in %s, as it was built", it->workdir.tree.data);
    if (!mirror_freshen(it->source, it->workdir.out.data, it->workdir.tree.data, &fresh, &stale,
                        error))
        return error->code != ERROR_STOPPED;
    it->built_before = !stale;
    return true;
}

static bool fill_mirror(struct iteration *it, struct error *error)
{
    struct mirror_left left = {0};
    if (!freshen_mirror(it, error))
        return false;
    if (it->built_before)
        return true;
    /* Nor is gone on with what was copied in part. */
    if (!iteration_note_building(it, true, error))
        return false;
    workdir_sweep(&it->workdir);
    talk_phase("[0] copy the source tree to %s", it->workdir.tree.data);
    it->state.copied_s = time(NULL);
    bool ok = mirror_copy(it->source, it->workdir.out.data, it->workdir.tree.data, &left, error);
    if (ok && left.configured.length)
        talk(
            "[0] left out, because they were configured for your tree: %s. The build script has to "
            "configure them (cmake -S . -B build)",
            left.configured.data);
    if (ok && left.unread.length)
        talk("[0] left out, because it can't be read: %s", left.unread.data);
    mirror_left_release(&left);
    return ok;
}

static bool make_mirror(struct iteration *it, struct error *error)
{
    if (!read_config(it, error) || !check_commands(it, error) || !find_workdir(it, error))
        return false;
    note_origin(it);
    it->target = (struct target){
        .source = it->source,
        .tree = it->workdir.tree.data,
        .build = it->build,
        .run = *it->run ? it->run : NULL,
        .command = it->options->command,
        .declared = it->config.declarations.mark_count > 0,
        .endless = it->options->live,
        .kernel = kernel_mode_of(it->options->kernel),
        .compile_log = it->workdir.compile_log.data,
    };
    return fill_mirror(it, error);
}

/* The commands are those of the recorder and of the user's compile_commands.json; none is not an
 * error yet. */
static bool read_commands(struct iteration *it, struct error *error)
{
    struct str beside = {0};
    const char *named = *it->commands ? it->commands : NULL;
    bool ok = true;
    path_join(&beside, it->workdir.tree.data, "compile_commands.json");
    if (named || file_exists(beside.data))
        ok = compile_db_read_json(&it->db, named ? named : beside.data, error);
    /* The recorded commands name the work tree already. */
    compile_db_relocate(&it->db, it->source, it->workdir.tree.data);
    if (ok && !named && file_exists(it->workdir.compile_log.data))
        ok = compile_db_read_log(&it->db, it->workdir.compile_log.data, error);
    str_release(&beside);
    return ok;
}

/* The loop is taken up as it was, or begins; `round` becomes the one before the next. */
static bool begin_or_resume(struct iteration *it, struct error *error)
{
    uint64_t sources = loop_state_hash_sources(it->loop.table, it->source);
    if (it->state.round == 0) {
        it->state.sources = sources;
        return iteration_save(it, 1, false, error);
    }
    if (it->state.sources != sources)
        return error_set(error, ERROR_USAGE,
                         "The source in %s is not what this loop began with: its rounds would not "
                         "be comparable. Begin anew, without --resume.",
                         it->source);
    if (!loop_state_restore(&it->state, &it->loop, error))
        return false;
    it->round = it->state.round - 1;
    talk("[%u] resumed%s", it->state.round,
         it->state.measured ? ": what this round measured is there" : "");
    return true;
}

static bool open_rewriter(struct iteration *it, struct error *error)
{
    struct str cache = {0};
    path_join(&cache, it->workdir.out.data, "cache/facts");
    struct rewriter_options options = {
        .parser = it->parser,
        .tree = it->workdir.tree.data,
        .pristine = it->workdir.pristine.data,
        .db = &it->db,
        .declarations = &it->config.declarations,
        .jobs = it->options->jobs,
        .cache = cache.data,
    };
    talk_phase("[0] parse %u compilations", it->db.count);
    it->rewriter = rewriter_open(&options, error);
    str_release(&cache);
    return it->rewriter != NULL;
}

static bool begin_loop(struct iteration *it, struct error *error)
{
    if (it->target.declared && rewriter_annotated(it->rewriter))
        talk("[0] intervals are declared in vprofiler.json and marked in the source too: a request "
             "that both tell of counts twice");
    const enum pace *paces = it->options->live ? rewriter_paces(it->rewriter) : NULL;
    if (refine_loop_init(&it->loop, rewriter_table(it->rewriter), paces))
        return begin_or_resume(it, error);
    return error_set(
        error, ERROR_NOTHING,
        "No function of the program marks an interval. Put SI_BEGIN(id) and "
        "SI_END(id) of vprof_api.h where a request starts and ends, or declare them "
        "in vprofiler.json (see docs/config.md). Try `vprofiler init`: it shows likely "
        "places.");
}

/* The build must stay in the copy. */
static bool check_place(const struct iteration *it, struct error *error)
{
    for (uint32_t i = 0; i < it->db.count; i++) {
        const char *file = it->db.commands[i].file;
        if (path_below(file, it->source) && !path_below(file, it->workdir.tree.data))
            return error_set(error, ERROR_TARGET,
                             "The build left the copy: it compiled %s. The build script must work "
                             "in the folder it is started in ($VPROF_TREE) and name nothing of the "
                             "source tree by an absolute path.",
                             file);
    }
    return true;
}

/* A tree that was built before compiles nothing: its sources are made new in the copy, and it is
 * built once more. */
static bool find_commands(struct iteration *it, struct str *trace, struct error *error)
{
    if (!read_commands(it, error))
        return false;
    if (it->db.count == 0) {
        talk("[0] nothing was compiled: once more, with every source file new");
        if (!mirror_touch_sources(it->workdir.tree.data, error) ||
            !iteration_build_and_run(it, trace, error) || !read_commands(it, error))
            return false;
    }
    if (!check_place(it, error))
        return false;
    if (it->db.piped)
        talk("[0] %u compilations read their source from a pipe: which file it is can't be seen, "
             "and "
             "it is not instrumented. Name the file, or redirect it (<)",
             it->db.piped);
    if (it->db.count > 0)
        return true;
    return error_set(error, ERROR_TARGET,
                     "No compile commands: %s started no C or C++ compiler, and there is no "
                     "compile_commands.json in %s. Let the build script compile the program "
                     "(perhaps after a make clean), or name a file with --compile-commands FILE.",
                     it->options->build, it->source);
}

/* An earlier loop's build tells how the same files are compiled, as its compilers were started in
 * its own copy. */
static bool read_earlier_log(struct iteration *it, struct error *error)
{
    struct str root = {0}, log = {0}, tree = {0};
    bool ok = true;
    if (workdir_find(it->workdir.out.data, WORKDIR_COMPILE_LOG, &root)) {
        path_join(&log, root.data, WORKDIR_COMPILE_LOG);
        path_join(&tree, root.data, "tree");
        ok = compile_db_read_log(&it->db, log.data, error);
        compile_db_relocate(&it->db, tree.data, it->workdir.tree.data);
    }
    str_release(&root);
    str_release(&log);
    str_release(&tree);
    return ok;
}

/* What the marks are compiled with is known of a list of commands, or of an earlier loop. */
static bool try_unbuilt(struct iteration *it, struct error *error)
{
    if (it->config.declarations.mark_count == 0)
        return true;
    bool ok = read_commands(it, error) && (it->db.count > 0 || read_earlier_log(it, error)) &&
              iteration_try_unbuilt(it, error);
    compile_db_release(&it->db);
    return ok;
}

static const struct rewriter_skip *first_unparsed(const struct iteration *it)
{
    uint32_t count;
    const struct rewriter_skip *skips = rewriter_skips(it->rewriter, &count);
    for (uint32_t i = 0; i < count; i++)
        if (!*skips[i].name)
            return &skips[i];
    return NULL;
}

/* Where the compile commands are known there need be no build before that of the probes: in a live
 * loop that was given them, and in one that is resumed, which ran the program as it is before.
 * Unless the build makes some of what is parsed: then there is no rewriter yet. */
static bool parse_unbuilt(struct iteration *it, struct error *error)
{
    const struct rewriter_skip *missing;
    bool given = it->options->live && *it->commands;
    bool resumed = it->options->resume && it->state.round > 0;
    if (!given && !resumed)
        return true;
    if (!read_commands(it, error) || !check_place(it, error))
        return false;
    bool parsed = it->db.count > 0 && open_rewriter(it, error);
    if (!parsed && it->db.count > 0 && error->code != ERROR_TARGET)
        return false;
    if (parsed && !it->built_before && (missing = first_unparsed(it))) {
        talk("[0] built as it is first, because %s can't be parsed before: %s", missing->file,
             missing->reason);
        rewriter_close(it->rewriter);
        it->rewriter = NULL;
    }
    if (it->rewriter)
        it->target.unbuilt = !resumed;
    else
        compile_db_release(&it->db);
    return true;
}

static bool build_and_parse(struct iteration *it, struct error *error)
{
    struct str trace = {0};
    unlink(it->workdir.compile_log.data); /* of the loop that is resumed */
    bool ok = iteration_build_and_run(it, &trace, error) && find_commands(it, &trace, error) &&
              open_rewriter(it, error) && iteration_check_load(it, trace.data, error);
    if (trace.length)
        iteration_drop_trace(it, trace.data);
    str_release(&trace);
    return ok;
}

bool iteration_parse(struct iteration *it, struct error *error)
{
    return make_mirror(it, error) && try_unbuilt(it, error) && parse_unbuilt(it, error) &&
           (it->rewriter || build_and_parse(it, error)) && iteration_try_declared(it, error);
}

bool iteration_prepare(struct iteration *it, struct error *error)
{
    return iteration_parse(it, error) && begin_loop(it, error);
}
