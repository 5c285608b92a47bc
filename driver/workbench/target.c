#include "driver/workbench/target.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "driver/cli/shell_word.h"
#include "driver/cli/talk.h"
#include "driver/workbench/given.h"
#include "driver/workbench/installation.h"
#include "driver/workbench/process.h"
#include "trace/trace_seal.h"

enum { LOG_LINES = 20, LOG_ERRORS = 3 };
/* After so long a round 0 may be a server's (chosen: a load of a minute is not rare). */
enum { LONG_RUN_S = 30, LONG_SILENCE_S = 60 };
#define ENDLESS_CAP_BYTES "268435456" /* of each process: a look at a live run reads all of it */

/* A script lies in the work tree where the user's own lies in the source tree. */
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
    if (target->endless && !getenv("VPROF_TRACE_KEEP")) /* a window is of the newest ones */
        process_set(process, "VPROF_TRACE_KEEP", "newest");
    if (target->endless && !getenv("VPROF_TRACE_CAP_BYTES"))
        process_set(process, "VPROF_TRACE_CAP_BYTES", ENDLESS_CAP_BYTES);
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
        add_preload(&text, target->wrapped ? installation_wrapper() : installation_runtime());
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

static bool was_not_found(const struct process *process)
{
    return WIFEXITED(process->status) && WEXITSTATUS(process->status) == STATUS_NOT_FOUND;
}

/* `said` is the end of the log. */
static const char *blame(const struct target *target, const struct process *process, unsigned round,
                         const char *said)
{
    if (target->advice)
        return target->advice;
    if (target->recorded)
        return was_not_found(process)
                   ? "Status 127 is a command that was not found: is its name right?"
                   : "What it did until then is analysed.";
    if (strstr(said, "vprof_api.h: No such file") || strstr(said, "'vprof_api.h' file not found"))
        return "The compiler must be given $VPROF_CFLAGS (a Makefile may set its own CFLAGS in its "
               "place), or vprof_api.h copied into the tree: it needs nothing else.";
    if (round == 0 && was_not_found(process))
        return "Status 127 is a command that was not found: is its name right, as seen from the "
               "copy, and does the build make it there?";
    if (target->unbuilt)
        return "It was not built without instrumentation before. Does it work so by hand? Without "
               "--compile-commands it is tried here.";
    if (round > 0 && target->declared)
        return "Without instrumentation it worked. An expression of vprofiler.json (an id, an if, "
               "a type) may not compile where it was put: the first errors are above.";
    if (round == 0)
        return "It is your program as it is, in a copy, with no terminal to ask at (/dev/tty) and "
               "no input: nothing was instrumented yet. Make it work by hand first "
               "(setsid ... </dev/null).";
    return "Without instrumentation it worked: vprofiler broke it, or it depends on timing. Please "
           "report it if it stays so; fewer functions (--k 1) may help.";
}

/* The message for a failed command stands in place of process_run's. */
static void explain(const struct target *target, const struct process *process, const char *what,
                    unsigned round, struct error *error)
{
    struct str how = {0}, tail = {0}, command = {0};
    char when[32] = "";
    if (!target->recorded)
        snprintf(when, sizeof when, " in round %u", round);
    process_describe(process, &how);
    process_log_errors(process->log, LOG_ERRORS, &tail);
    process_log_tail(process->log, LOG_LINES, &tail);
    shell_word_append_quoted(&command, target->tree);
    str_append(&command, " &&");
    for (char *const *word = process->argv; *word; word++) {
        str_append_char(&command, ' ');
        shell_word_append(&command, *word);
    }
    error_set(error, ERROR_TARGET, "%s ended with %s%s.\n%.3000s  log     %s\n  repeat  cd %s\n%s",
              what, how.data, when, tail.length ? tail.data : "    | (it printed nothing)\n",
              process->log, command.data, blame(target, process, round, str_text(&tail)));
    str_release(&how);
    str_release(&tail);
    str_release(&command);
}

/* A script that is not executable is given to what its first line names, else to sh. */
static void find_interpreter(const char *script, char *interpreter, size_t size_bytes)
{
    char line[256], *rest;
    char *word = given_interpreter(script, line, sizeof line, &rest);
    if (word && str_ends_with(word, "/env"))
        word = strtok_r(NULL, GIVEN_BLANKS, &rest);
    snprintf(interpreter, size_bytes, "%s", word ? word : "sh");
}

/* Round 0 is the program as it is, in which a server shows: it does not come to its end. */
static struct process_hint hint_of(const struct target *target, const struct target_round *round,
                                   bool runs)
{
    if (!runs || round->number > 0 || target->recorded)
        return (struct process_hint){0};
    if (target->run || target->command)
        return (struct process_hint){
            .text = "[0] still running. A server does not end by itself: if this is one, stop here "
                    "(Ctrl-C) and add --live, which watches a program while it runs",
            .seconds = LONG_RUN_S};
    return (struct process_hint){
        .text =
            "[0] still running, and nothing is compiled any more. A server does not end by "
            "itself: if the script runs one, stop here (Ctrl-C), let --build only build, and add "
            "--live --run SCRIPT, which watches a program while it runs",
        .file = target->compile_log,
        .seconds = LONG_SILENCE_S};
}

static void take_command(struct target_command *command, const struct target *target,
                         const struct target_round *round, char *const *argv)
{
    command->process = (struct process){.argv = argv,
                                        .directory = target->tree,
                                        .log = command->log,
                                        .hint = hint_of(target, round, command->runs),
                                        .most_seconds = command->runs ? target->seconds : 0};
    set_environment(&command->process, target, round, command->runs);
}

static void take_script(struct target_command *command, const struct target *target,
                        const struct target_round *round, const char *script)
{
    find_script(target, script, &command->script);
    find_interpreter(command->script.data, command->shell, sizeof command->shell);
    bool direct = access(command->script.data, X_OK) == 0;
    command->words[0] = direct ? command->script.data : command->shell;
    command->words[1] = direct ? NULL : command->script.data;
    take_command(command, target, round, command->words);
}

/* Round 0 is thrown away. The recorder is there before the program, so that it sees all of it. */
static bool start(struct target_command *command, const struct target *target,
                  const struct target_round *round, struct error *error)
{
    if (command->runs && round->number > 0)
        kernel_recording_start(
            &command->kernel,
            (struct kernel_wish){target->kernel, target->endless, target->stacks, target->points},
            round->trace_directory);
    bool started = process_start(&command->process, error);
    if (started)
        kernel_recording_watch(&command->kernel, command->process.child);
    return started;
}

/* Judges how it ended, and forgets it. */
static bool finish(struct target_command *command, const struct target *target, unsigned round,
                   bool started, double *seconds, struct error *error)
{
    kernel_recording_stop(&command->kernel);
    bool ok = started && process_check(&command->process, error);
    if (started && !ok && error->code == ERROR_TARGET)
        explain(target, &command->process, command->what, round, error);
    if (started && command->process.strays.length)
        talk("    %s left running what was ended with it: %s", command->what,
             command->process.strays.data);
    *seconds = command->process.seconds;
    process_release(&command->process);
    str_release(&command->script);
    return ok;
}

static bool run(struct target_command *command, const struct target *target,
                const struct target_round *round, double *seconds, struct error *error)
{
    bool started = start(command, target, round, error);
    if (started)
        process_wait(&command->process);
    return finish(command, target, round->number, started, seconds, error);
}

/* The first error counts. What was recorded is as it is, however the program ended. */
static bool seal(const struct target_round *round, bool ok, struct error *error)
{
    struct error other;
    bool sealed = !round->trace_directory || !file_exists(round->trace_directory) ||
                  trace_seal_folder(round->trace_directory, ok ? error : &other);
    return ok && sealed;
}

bool target_build(const struct target *target, struct target_round *round, struct error *error)
{
    bool runs = !target->run && !target->command;
    struct target_command command = {
        .what = runs ? "The build script" : "The build", .log = round->build_log, .runs = runs};
    take_script(&command, target, round, target->build);
    bool ok = run(&command, target, round, &round->build_seconds, error);
    return runs ? seal(round, ok, error) : ok;
}

static void take_program(struct target_command *command, const struct target *target,
                         const struct target_round *round)
{
    *command = (struct target_command){.what = "The program", .log = round->run_log, .runs = true};
    if (target->run)
        take_script(command, target, round, target->run);
    else
        take_command(command, target, round, target->command);
}

bool target_run(const struct target *target, struct target_round *round, struct error *error)
{
    struct target_command command;
    round->run_seconds = 0;
    if (!target->run && !target->command)
        return true;
    take_program(&command, target, round);
    return seal(round, run(&command, target, round, &round->run_seconds, error), error);
}

bool target_start(const struct target *target, const struct target_round *round,
                  struct target_command *command, struct error *error)
{
    double seconds;
    take_program(command, target, round);
    return start(command, target, round, error) ||
           finish(command, target, round->number, false, &seconds, error);
}

bool target_end(const struct target *target, struct target_round *round,
                struct target_command *command, struct error *error)
{
    process_end(&command->process);
    return seal(round, finish(command, target, round->number, true, &round->run_seconds, error),
                error);
}
