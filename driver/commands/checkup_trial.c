/* A small program goes the whole way: parsed, instrumented, compiled, run and traced. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "driver/commands/checkup.h"
#include "driver/workbench/installation.h"
#include "driver/workbench/process.h"
#include "driver/workbench/source_parser.h"
#include "rewriter/rewriter.h"
#include "trace/timeline_load.h"

static const char program[] = "#include <stddef.h>\n"
                              "#include \"vprof_api.h\"\n"
                              "static void work(size_t i)\n{\n    (void)i;\n}\n"
                              "int main(void)\n{\n"
                              "    for (size_t i = 0; i < 10; i++) {\n"
                              "        SI_BEGIN(i);\n        work(i);\n        SI_END(i);\n    }\n"
                              "    return 0;\n}\n";

struct trial {
    struct checkup *checkup;
    const char *compiler;
    char folder[PATH_MAX];
    struct str log;
};

static void mend(struct trial *trial, const char *name, const char *message, const char *cure)
{
    checkup_add(trial->checkup, name, FINDING_MEND, arena_strdup(&trial->checkup->arena, message),
                cure);
}

static void fine(struct trial *trial, const char *name, const char *message)
{
    checkup_add(trial->checkup, name, FINDING_FINE, message, NULL);
}

static bool run_in_folder(struct trial *trial, char *const *argv, bool traced)
{
    struct process process = {.argv = argv, .directory = trial->folder, .log = trial->log.data};
    struct error error;
    if (traced) {
        process_set(&process, "LD_PRELOAD", installation_runtime());
        process_set(&process, "VPROF_TRACE_DIR", trial->folder);
    }
    bool ok = process_run(&process, &error);
    process_release(&process);
    return ok;
}

static bool try_compiler(struct trial *trial)
{
    char version[200] = "";
    char *ask[] = {(char *)trial->compiler, "--version", NULL};
    if (!run_in_folder(trial, ask, false)) {
        mend(trial, "compiler", "there is no C compiler (cc)",
             "apt install gcc, or name one in $CC.");
        return false;
    }
    FILE *file = fopen(trial->log.data, "r");
    if (file && fgets(version, sizeof version, file))
        version[strcspn(version, "\n")] = '\0';
    if (file)
        fclose(file);
    fine(trial, "compiler", arena_strdup(&trial->checkup->arena, version));
    return true;
}

/* Gives the first file that the parser has an error in, or NULL. */
static const char *first_error(const struct rewriter *rewriter)
{
    uint32_t count;
    const struct rewriter_skip *skips = rewriter_skips(rewriter, &count);
    for (uint32_t i = 0; i < count; i++)
        if (!skips[i].name[0])
            return skips[i].reason;
    return NULL;
}

static bool instrument(struct rewriter *rewriter, struct error *error)
{
    uint32_t count = rewriter_table(rewriter)->function_count;
    bool *all = memory_zeroed(count + 1);
    memset(all, 1, count);
    const char *fault = first_error(rewriter);
    bool ok = fault ? error_set(error, ERROR_FORMAT, "%s", fault)
                    : rewriter_rewrite(rewriter,
                                       &(struct rewrite_choice){
                                           .timed = all, .opened = all, .synchronization = true},
                                       error);
    memory_free(all);
    return ok;
}

static bool try_parser(struct trial *trial)
{
    struct str commands = {0}, path = {0}, pristine = {0};
    struct compile_db db = {0};
    struct declarations none = {0};
    struct error error;
    str_printf(&commands,
               "[{\"directory\": \"%s\", \"file\": \"small.c\", "
               "\"arguments\": [\"cc\", \"-I%s\", \"-c\", \"small.c\"]}]",
               trial->folder, installation_include());
    path_join(&path, trial->folder, "compile_commands.json");
    path_join(&pristine, trial->folder, "pristine");
    struct rewriter_options options = {.parser = source_parser_load(&error),
                                       .tree = trial->folder,
                                       .pristine = pristine.data,
                                       .db = &db,
                                       .declarations = &none,
                                       .jobs = 1};
    bool ok = options.parser && file_write(path.data, commands.data, commands.length, &error) &&
              compile_db_read_json(&db, path.data, &error);
    struct rewriter *rewriter = ok ? rewriter_open(&options, &error) : NULL;
    ok = rewriter && instrument(rewriter, &error);
    if (!options.parser)
        mend(
            trial, "parser", error.message,
            "apt install libclang1-14 (the version that it names), or build vprofiler with yours.");
    else if (ok)
        fine(trial, "parser", "libclang parses and finds its own headers");
    else
        mend(trial, "parser", error.message,
             "apt install libclang-common-14-dev (the version of your libclang).");
    rewriter_close(rewriter);
    compile_db_release(&db);
    str_release(&commands);
    str_release(&path);
    str_release(&pristine);
    return ok;
}

static void tell_clock(struct trial *trial, const char *clock)
{
    if (strcmp(clock, "monotonic") == 0)
        checkup_add(trial->checkup, "clock", FINDING_NOTE,
                    "no counter that the kernel's time is made of: probes ask clock_gettime, and "
                    "cost a few times as much",
                    NULL);
    else
        fine(trial, "clock",
             arena_printf(&trial->checkup->arena, "the processor's counter (%s)", clock));
}

static void try_run(struct trial *trial)
{
    struct str include = {0}, path = {0};
    struct timelines run;
    struct error error;
    str_printf(&include, "-I%s", installation_include());
    path_join(&path, trial->folder, "small");
    char *compile[] = {(char *)trial->compiler, include.data, "small.c", "-o", "small", NULL};
    char *start[] = {path.data, NULL};
    if (!run_in_folder(trial, compile, false))
        mend(trial, "trial", "a small instrumented program does not compile",
             "apt install libc6-dev; try another compiler by $CC.");
    else if (!run_in_folder(trial, start, true) || !timelines_load(&run, trial->folder, &error))
        mend(trial, "trial", "a small program ran and left no trace",
             "Is LD_PRELOAD forbidden here, or /tmp mounted noexec? Set TMPDIR to another folder.");
    else {
        fine(
            trial, "trial",
            arena_printf(&trial->checkup->arena,
                         "a small program was instrumented, compiled, run and traced: %u intervals",
                         run.interval_count));
        tell_clock(trial, run.clock);
        timelines_release(&run);
    }
    str_release(&include);
    str_release(&path);
}

void checkup_trial(struct checkup *checkup)
{
    const char *compiler = getenv("CC"), *place = getenv("TMPDIR");
    struct trial trial = {.checkup = checkup, .compiler = compiler && *compiler ? compiler : "cc"};
    struct str source = {0};
    struct error error;
    if (!source_parser_is_here(&error)) {
        checkup_add(checkup, "parser", FINDING_NOTE,
                    "not here (vprofiler-record): programs are recorded and results looked at, and "
                    "no source is instrumented. Install vprofiler for that",
                    NULL);
        return;
    }
    if (!installation_runtime() || !installation_recorder() || !installation_include()) {
        mend(&trial, "parts", "libvprof.so, libvprof_record.so or vprof_api.h is missing",
             "Install vprofiler again, or build it with make.");
        return;
    }
    snprintf(trial.folder, sizeof trial.folder, "%s/vprofiler-doctor-XXXXXX",
             place && *place ? place : "/tmp");
    if (!mkdtemp(trial.folder)) {
        mend(&trial, "trial", "no temporary folder can be made", "Set TMPDIR to one with room.");
        return;
    }
    path_join(&trial.log, trial.folder, "log");
    path_join(&source, trial.folder, "small.c");
    if (!file_write(source.data, program, strlen(program), &error))
        mend(&trial, "trial", error.message, "Set TMPDIR to a folder with room.");
    else if (try_compiler(&trial) && try_parser(&trial))
        try_run(&trial);
    file_remove_tree(trial.folder, &error);
    str_release(&trial.log);
    str_release(&source);
}
