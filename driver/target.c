#include "driver/target.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "driver/installation.h"
#include "driver/process.h"

enum { LOG_LINES = 20, LOG_ERRORS = 3 };

/* Where the script lies: in the work tree where the user's one lies in the source tree. */
static void find_script(const struct target *target, const char *script, struct str *path)
{
    const char *below = path_below(script, target->source);
    path_join(path, target->tree, below ? below : script);
}

static void add_preload(struct str *preload, const char *library)
{
    if (!library)
        return;
    str_printf(preload, "%s%s", preload->length ? ":" : "", library);
}

static void set_environment(struct process *process, const struct target *target,
                            const struct target_round *round, bool runs)
{
    char number[16];
    struct str text = {0};
    snprintf(number, sizeof number, "%u", round->number);
    process_set(process, "VPROF_TREE", target->tree);
    process_set(process, "VPROF_ROUND", number);
    process_set(process, "VPROF_TRACE_DIR", round->trace_directory);
    str_printf(&text, "-I%s", installation_include());
    process_set(process, "VPROF_CFLAGS", text.data);
    str_clear(&text);
    str_printf(&text, "-Wl,--whole-archive %s -Wl,--no-whole-archive -lpthread",
               installation_static_runtime());
    process_set(process, "VPROF_LIBS", text.data);
    str_clear(&text);
    if (round->number == 0) {
        process_set(process, "VPROF_COMPILE_LOG", target->compile_log);
        add_preload(&text, installation_recorder());
    }
    if (runs)
        add_preload(&text, installation_runtime());
    /* The sanitizer refuses to be preloaded after us; it need not be. */
    const char *sanitizer = getenv("ASAN_OPTIONS");
    struct str relaxed = {0};
    str_printf(&relaxed, "%s%sverify_asan_link_order=0", sanitizer ? sanitizer : "",
               sanitizer && *sanitizer ? ":" : "");
    process_set(process, "ASAN_OPTIONS", relaxed.data);
    str_release(&relaxed);
    const char *users = getenv("LD_PRELOAD");
    if (users && *users)
        add_preload(&text, users);
    if (text.length)
        process_set(process, "LD_PRELOAD", text.data);
    str_release(&text);
}

static const char *blame(const struct target *target, const struct process *process, unsigned round)
{
    if (target->advice)
        return target->advice;
    if (round == 0 && WIFEXITED(process->status) && WEXITSTATUS(process->status) == 127)
        return "Status 127 is a command that was not found: is its name right, as seen from the "
               "copy, and does the build make it there?";
    if (round > 0 && target->declared)
        return "Without instrumentation it worked. An expression of vprofiler.json (an id, an if, "
               "a type) may not compile where it was put: the first errors are above.";
    if (round == 0)
        return "It is your program as it is, in a copy: nothing was instrumented yet. Make it work "
               "by hand first.";
    return "Without instrumentation it worked: vprofiler broke it, or it depends on timing. Please "
           "report it if it stays so; fewer functions (--k 1) may help.";
}

/* As a shell would read it again. */
static void append_word(struct str *command, const char *word)
{
    bool plain = *word && !word[strcspn(word, " \t\n\"'\\$&|;<>()*?#~`")];
    str_append(command, plain ? " " : " '");
    for (; *word; word++)
        if (*word == '\'')
            str_append(command, "'\\''");
        else
            str_append_char(command, *word);
    str_append(command, plain ? "" : "'");
}

/* The message for a failed command, in place of process_run's. */
static void explain(const struct target *target, const struct process *process, const char *what,
                    unsigned round, struct error *error)
{
    struct str how = {0}, tail = {0}, command = {0};
    process_describe(process, &how);
    process_log_errors(process->log, LOG_ERRORS, &tail);
    process_log_tail(process->log, LOG_LINES, &tail);
    for (char *const *word = process->argv; *word; word++)
        append_word(&command, *word);
    error_set(error, ERROR_TARGET,
              "%s ended with %s in round %u.\n%.3000s  log     %s\n  repeat  cd '%s' &&%s\n%s",
              what, how.data, round, tail.length ? tail.data : "    | (it printed nothing)\n",
              process->log, target->tree, command.data, blame(target, process, round));
    str_release(&how);
    str_release(&tail);
    str_release(&command);
}

/* One command of the user's in this round. */
struct step {
    const char *what; /* for messages */
    const char *log;
    bool runs; /* the program may run in it */
};

static bool run_command(const struct target *target, const struct target_round *round,
                        const struct step *step, char *const *argv, double *seconds,
                        struct error *error)
{
    struct process process = {.argv = argv,
                              .directory = target->tree,
                              .log = step->log,
                              .most_seconds = step->runs ? target->seconds : 0};
    set_environment(&process, target, round, step->runs);
    bool ok = process_run(&process, error);
    if (!ok && error->code == ERROR_TARGET)
        explain(target, &process, step->what, round->number, error);
    *seconds = process.seconds;
    process_release(&process);
    return ok;
}

/* What the script's first line names, for one that is not executable; else sh. */
static void find_interpreter(const char *script, char *interpreter, size_t size_bytes)
{
    char line[256] = "";
    FILE *file = fopen(script, "r");
    if (file && !fgets(line, sizeof line, file))
        line[0] = '\0';
    if (file)
        fclose(file);
    char *word = strncmp(line, "#!", 2) == 0 ? strtok(line + 2, " \t\n") : NULL;
    if (word && str_ends_with(word, "/env"))
        word = strtok(NULL, " \t\n");
    snprintf(interpreter, size_bytes, "%s", word ? word : "sh");
}

static bool run_script(const struct target *target, const struct target_round *round,
                       const struct step *step, const char *script, double *seconds,
                       struct error *error)
{
    struct str path = {0};
    char shell[256];
    find_script(target, script, &path);
    find_interpreter(path.data, shell, sizeof shell);
    bool direct = access(path.data, X_OK) == 0;
    char *argv[] = {direct ? path.data : shell, direct ? NULL : path.data, NULL};
    bool ok = run_command(target, round, step, argv, seconds, error);
    str_release(&path);
    return ok;
}

bool target_build(const struct target *target, struct target_round *round, struct error *error)
{
    bool runs = !target->run && !target->command;
    struct step step = {runs ? "The build script" : "The build", round->build_log, runs};
    return run_script(target, round, &step, target->build, &round->build_seconds, error);
}

bool target_run(const struct target *target, struct target_round *round, struct error *error)
{
    struct step step = {"The program", round->run_log, true};
    if (target->run)
        return run_script(target, round, &step, target->run, &round->run_seconds, error);
    if (target->command)
        return run_command(target, round, &step, target->command, &round->run_seconds, error);
    round->run_seconds = 0;
    return true;
}
