#include "driver/init/build_trial.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "driver/cli/talk.h"
#include "driver/workbench/mirror.h"
#include "driver/workbench/process.h"
#include "driver/workbench/target.h"

/* A build.sh that is there may run the program too. */
enum { MOST_OWN_SECONDS = 300, SAID_LINES = 6 };

bool build_trial_begin(struct build_trial *trial, const char *source, struct error *error)
{
    const char *place = getenv("TMPDIR");
    *trial = (struct build_trial){.source = source};
    snprintf(trial->folder, sizeof trial->folder, "%s/vprofiler-init-XXXXXX",
             place && *place ? place : "/tmp");
    if (!mkdtemp(trial->folder)) {
        trial->folder[0] = '\0';
        return error_system(error, "Can't make a folder below %s (set TMPDIR to another one)",
                            place && *place ? place : "/tmp");
    }
    path_join(&trial->tree, trial->folder, "tree");
    path_join(&trial->script, trial->folder, "build.sh");
    path_join(&trial->log, trial->folder, "build.log");
    path_join(&trial->compile_log, trial->folder, "compiles.log");
    path_join(&trial->trace, trial->folder, "trace");
    return true;
}

static bool copy_tree(struct build_trial *trial, struct error *error)
{
    struct mirror_left left = {0};
    struct str out = {0};
    struct error ignored;
    path_join(&out, trial->source, "vprofiler-out");
    file_remove_tree(trial->tree.data, &ignored);
    file_remove_tree(trial->compile_log.data, &ignored);
    bool ok = mirror_copy(trial->source, out.data, trial->tree.data, &left, error) &&
              mirror_touch_sources(trial->tree.data, error);
    mirror_left_release(&left);
    str_release(&out);
    return ok;
}

static bool build(struct build_trial *trial, unsigned round, struct error *error)
{
    static char *const nothing[] = {"true", NULL};
    struct target target = {
        .source = trial->source,
        .tree = trial->tree.data,
        .build = trial->script.data,
        .command = trial->own ? NULL : nothing,
        .compile_log = trial->compile_log.data,
        .advice = "",
        .seconds = MOST_OWN_SECONDS,
    };
    struct target_round times = {
        .number = round, .trace_directory = trial->trace.data, .build_log = trial->log.data};
    struct error ignored;
    file_remove_tree(trial->trace.data, &ignored);
    bool ok =
        file_make_directories(trial->trace.data, error) && target_build(&target, &times, error);
    trial->seconds = times.build_seconds;
    return ok;
}

static bool write_script(struct build_trial *trial, const char *script, struct error *error)
{
    struct str text = {0};
    str_printf(&text, "#!/bin/sh\nset -e\n%s", script);
    bool ok = file_write(trial->script.data, text.data, text.length, error);
    str_release(&text);
    return ok;
}

static bool read_log(struct build_trial *trial)
{
    struct error ignored;
    compile_db_release(&trial->db);
    return file_exists(trial->compile_log.data) &&
           compile_db_read_log(&trial->db, trial->compile_log.data, &ignored) &&
           trial->db.count > 0;
}

/* False where it is not to be gone on. */
static bool try_kind(struct build_trial *trial, const struct build_kind *kind, bool *built,
                     struct error *error)
{
    talk_phase("try to build it by %s%s%s%s", kind->name, *kind->file ? " (" : "", kind->file,
               *kind->file ? ")" : "");
    if (!copy_tree(trial, error) || (!trial->own && !write_script(trial, kind->script, error)))
        return false;
    struct error fault;
    bool ok = build(trial, 0, &fault);
    if (!ok && fault.code == ERROR_STOPPED) {
        *error = fault;
        return false;
    }
    bool compiled = read_log(trial);
    *built = compiled && (ok || trial->own);
    trial->unfinished = *built && !ok;
    if (*built)
        trial->kind = kind;
    else
        str_printf(&trial->failed, "%s%s", trial->failed.length ? ", " : "", kind->name);
    str_clear(&trial->said);
    if (!ok && file_exists(trial->log.data))
        process_log_tail(trial->log.data, SAID_LINES, &trial->said);
    else
        str_append(&trial->said, "    | (it compiled no C or C++ file)\n");
    return true;
}

static bool try_own(struct build_trial *trial, bool *built, struct error *error)
{
    static const struct build_kind own = {"", "the build.sh that is there", ""};
    struct str path = {0};
    path_join(&path, trial->source, "build.sh");
    bool ok = true;
    if (file_exists(path.data)) {
        trial->own = true;
        str_clear(&trial->script);
        str_append(&trial->script, path.data);
        ok = try_kind(trial, &own, built, error);
        trial->own = *built;
        if (!*built)
            path_join(&trial->script, trial->folder, "build.sh");
    }
    str_release(&path);
    return ok;
}

/* ---- without a build ---- */

/* nftw has no room for a context. */
static struct str *json_;
static const char *tree_;

static int add_source(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    static const char *const plus[] = {".cc", ".cpp", ".cxx"};
    const char *name = path + place->base;
    (void)status;
    if (kind == FTW_D && place->level > 0 && (*name == '.' || str_starts_with(name, "vprofiler-")))
        return FTW_SKIP_SUBTREE;
    bool cplusplus = false;
    for (size_t i = 0; i < sizeof plus / sizeof plus[0]; i++)
        cplusplus |= str_ends_with(name, plus[i]);
    if (kind != FTW_F || (!cplusplus && !str_ends_with(name, ".c")) || strpbrk(path, "\"\\"))
        return FTW_CONTINUE;
    str_printf(json_,
               "%s{\"directory\": \"%s\", \"file\": \"%s\", \"arguments\": [\"%s\", \"-I.\", "
               "\"-Iinclude\", \"-Isrc\", \"-D_GNU_SOURCE\", \"-c\", \"%s\"]}",
               json_->length > 1 ? ",\n" : "", tree_, path, cplusplus ? "c++" : "cc", path);
    return FTW_CONTINUE;
}

static void list_sources(struct build_trial *trial)
{
    struct str json = {0}, path = {0};
    struct error ignored;
    str_append(&json, "[");
    json_ = &json;
    tree_ = trial->tree.data;
    nftw(trial->tree.data, add_source, 32, FTW_PHYS | FTW_ACTIONRETVAL);
    str_append(&json, "]\n");
    path_join(&path, trial->folder, "sources.json");
    compile_db_release(&trial->db);
    if (file_write(path.data, json.data, json.length, &ignored))
        compile_db_read_json(&trial->db, path.data, &ignored);
    str_release(&json);
    str_release(&path);
}

void build_trial_skip(struct build_trial *trial)
{
    static const char *const places[] = {"compile_commands.json", "build/compile_commands.json"};
    struct error ignored;
    struct str path = {0};
    bool read = false;
    if (!file_exists(trial->tree.data) && !copy_tree(trial, &ignored))
        return;
    for (size_t i = 0; i < sizeof places / sizeof places[0] && !read; i++) {
        path_join(&path, trial->source, places[i]);
        read = file_exists(path.data) && compile_db_read_json(&trial->db, path.data, &ignored) &&
               trial->db.count > 0;
    }
    if (read)
        compile_db_relocate(&trial->db, trial->source, trial->tree.data);
    else
        list_sources(trial);
    str_release(&path);
}

/* ---- the whole ---- */

bool build_trial_run(struct build_trial *trial, struct error *error)
{
    bool built = false;
    const struct build_kind *kind = NULL;
    if (!try_own(trial, &built, error))
        return false;
    struct build_kind ready = {"", "its ready script", trial->ready};
    if (!built && trial->ready && !try_kind(trial, &ready, &built, error))
        return false;
    if (trial->kind == &ready)
        trial->kind = build_kind_ready();
    while (!built && (kind = build_kind_next(trial->source, kind)))
        if (!try_kind(trial, kind, &built, error))
            return false;
    return true;
}

bool build_trial_again(struct build_trial *trial, struct error *error)
{
    return build(trial, 1, error);
}

void build_trial_end(struct build_trial *trial)
{
    struct error ignored;
    if (trial->folder[0])
        file_remove_tree(trial->folder, &ignored);
    compile_db_release(&trial->db);
    struct str *texts[] = {&trial->tree,  &trial->script, &trial->log, &trial->compile_log,
                           &trial->trace, &trial->failed, &trial->said};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        str_release(texts[i]);
}
