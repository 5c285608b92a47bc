#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "driver/cli/command_line.h"
#include "driver/cli/shell_word.h"
#include "driver/cli/talk.h"
#include "driver/commands/interval_guess.h"
#include "driver/workbench/given.h"

struct init_values {
    const char *source;
    char *const *command;
};

static const struct option_spec options[] = {
    OPTION("source", FOLDER, offsetof(struct init_values, source), "DIR", ".", "the source tree"),
    {0},
};

static const struct option_spec arguments[] = {
    ARGUMENT(COMMAND, offsetof(struct init_values, command), "COMMAND ARGS...",
             "what runs the program under load; it goes into build.sh"),
    {0},
};

/* ---- how the program is built ---- */

struct build_kind {
    const char *file; /* whose presence tells */
    const char *name;
    const char *script;
};

#define MAKE                                                                                       \
    "# What the Makefile sets in CFLAGS goes here too: this replaces it.\n"                        \
    "make -j\"$(nproc)\" CFLAGS=\"-O2 -g $VPROF_CFLAGS\" CXXFLAGS=\"-O2 -g $VPROF_CFLAGS\"\n"
#define AUTOTOOLS                                                                                  \
    "[ -f config.status ] || ./configure CFLAGS=\"-O2 -g $VPROF_CFLAGS\" CXXFLAGS=\"-O2 -g "       \
    "$VPROF_CFLAGS\"\n"                                                                            \
    "make -j\"$(nproc)\"\n"

static const struct build_kind build_kinds[] = {
    {"CMakeLists.txt", "CMake",
     "cmake -S . -B vprofiler-build -DCMAKE_BUILD_TYPE=RelWithDebInfo \\\n"
     "      -DCMAKE_C_FLAGS=\"$VPROF_CFLAGS\" -DCMAKE_CXX_FLAGS=\"$VPROF_CFLAGS\"\n"
     "cmake --build vprofiler-build -j\"$(nproc)\"\n"},
    {"meson.build", "Meson",
     "[ -d vprofiler-build ] || CFLAGS=\"$VPROF_CFLAGS\" CXXFLAGS=\"$VPROF_CFLAGS\" \\\n"
     "    meson setup vprofiler-build --buildtype=debugoptimized\n"
     "ninja -C vprofiler-build\n"},
    {"configure", "autotools", AUTOTOOLS},
    {"configure.ac", "autotools", "[ -f configure ] || autoreconf -fi\n" AUTOTOOLS},
    {"GNUmakefile", "make", MAKE},
    {"makefile", "make", MAKE},
    {"Makefile", "make", MAKE},
    {NULL, "no build that is known here",
     "echo 'build.sh: write here how the program is built' >&2\nexit 1\n"},
};

static const struct build_kind *find_build(const char *source)
{
    const struct build_kind *kind = build_kinds;
    for (bool found = false; kind->file && !found; kind += !found) {
        struct str path = {0};
        path_join(&path, source, kind->file);
        found = file_exists(path.data);
        str_release(&path);
    }
    return kind;
}

/* ---- what is written ---- */

static void write_script(struct str *text, const struct build_kind *kind, char *const *command)
{
    str_printf(
        text,
        "#!/bin/sh\n"
        "# Builds the program and runs it under load; vprofiler starts it once a round, in a "
        "copy of\n"
        "# this tree ($VPROF_TREE). $VPROF_CFLAGS says where vprof_api.h is. Name nothing of "
        "the tree by\n"
        "# an absolute path. By hand: sh build.sh\n"
        "set -e\n\n"
        "# Build (%s). Keep the optimization that you ship with.\n%s\n"
        "# Run: some thousand requests, 10 seconds or more, then end the program by itself.\n",
        kind->name, kind->script);
    for (char *const *word = command; word && *word; word++) {
        if (word != command)
            str_append_char(text, ' ');
        shell_word_append(text, *word);
    }
    str_append(text, command ? "\n"
                             : "echo 'build.sh: write here what runs the program under load' >&2\n"
                               "exit 1\n");
}

static void write_config(struct str *text, const struct likely_interval *likely)
{
    const char *function = likely->place.function, *file = likely->place.file;
    str_printf(text,
               "{\n"
               "  \"comment\": \"A guess: one interval is one call of %s (%s:%u), which %s calls "
               "after %s. Where a request goes on in another thread, begin and end it there, by an "
               "id that both know, and add an enter. Form: docs/config.md\",\n"
               "  \"intervals\": [\n"
               "    {\n"
               "      \"begin\": { \"function\": \"%s\", \"at\": \"entry\", \"id\": "
               "\"__builtin_frame_address(0)\" },\n"
               "      \"end\":   { \"function\": \"%s\", \"at\": \"exit\",  \"id\": "
               "\"__builtin_frame_address(0)\" }\n"
               "    }\n"
               "  ]\n"
               "}\n",
               function, file, likely->place.line, likely->loop.function, likely->source, function,
               function);
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

static void print_commands(const char *source)
{
    static const char *const places[] = {"compile_commands.json", "build/compile_commands.json"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++) {
        struct str path = {0};
        path_join(&path, source, places[i]);
        found = file_exists(path.data) ? places[i] : NULL;
        str_release(&path);
    }
    talk_print(stdout, "%-10s %s\n", "commands", found ? found : "recorded from the first build");
}

static void print_guess(const struct interval_guess *guess)
{
    enum { MOST_SHOWN = 5 };
    if (guess->annotated)
        talk_print(stdout, "%-10s marked in the source (SI_BEGIN)\n", "intervals");
    else if (!guess->likely_count)
        talk_print(
            stdout,
            "%-10s none is marked, and none of %u files has a loop that takes requests:\n"
            "%-10s put SI_BEGIN(id) and SI_END(id) of vprof_api.h where a request starts and "
            "ends\n",
            "intervals", guess->file_count, "");
    for (uint32_t i = 0; !guess->annotated && i < guess->likely_count && i < MOST_SHOWN; i++) {
        const struct likely_interval *likely = &guess->likely[i];
        talk_print(stdout, "%-10s %s (%s:%u), called after %s in the loop of %s (%s:%u)\n",
                   i == 0 ? "intervals" : "", likely->place.function, likely->place.file,
                   likely->place.line, likely->source, likely->loop.function, likely->loop.file,
                   likely->loop.line);
    }
}

static bool init(const char *source, char *const *command, struct error *error)
{
    struct interval_guess guess = {0};
    struct str script = {0}, config = {0};
    const struct build_kind *kind = find_build(source);
    talk_print(stdout, "%-10s %s%s%s%s\n", "build", kind->name, kind->file ? " (" : "",
               kind->file ? kind->file : "", kind->file ? ")" : "");
    print_commands(source);
    interval_guess_find(&guess, source);
    print_guess(&guess);
    write_script(&script, kind, command);
    bool ok = write_new(source, "build.sh", &script, 0777, error);
    bool sure = guess.likely_count && guess.likely[0].weight >= INTERVAL_SURE;
    if (ok && !guess.annotated && sure) {
        write_config(&config, &guess.likely[0]);
        ok = write_new(source, "vprofiler.json", &config, 0666, error);
    }
    if (ok)
        talk_print(stdout, "\nRead build.sh%s%s. Next: vprofiler iterate --build build.sh\n",
                   config.length ? " and vprofiler.json" : "",
                   command ? "" : "; what runs the program stands at the end of build.sh");
    str_release(&script);
    str_release(&config);
    interval_guess_release(&guess);
    return ok;
}

static int run(int argc, char **argv)
{
    struct init_values values;
    struct error error;
    char source[PATH_MAX];
    int code;
    if (!command_take(&command_init, argc, argv, &values, &code))
        return code;
    if (given_folder(values.source, "source folder", "source", source, &error) &&
        init(source, values.command, &error))
        return EXIT_DONE;
    talk_error(&error);
    return exit_code_of(&error);
}

const struct command command_init = {
    .name = "init",
    .run = run,
    .summary = "begin with a program: write a build.sh, and guess its intervals",
    .description =
        "Finds how the program is built (CMake, Meson, autotools, make) and where its requests "
        "probably begin and end: functions that are called after accept, recv, epoll_wait or a "
        "queue's pop in a loop. Writes a build.sh and, where nothing is marked yet, a "
        "vprofiler.json to begin with. A file that is there is never changed.\n",
    .options = options,
    .arguments = arguments,
    .examples = {{"vprofiler init", "in the program's source tree"},
                 {"vprofiler init -- ./bench.sh --seconds 20", "and this runs it under load"},
                 {"vprofiler init --source ~/src/server", "in another folder"}},
    .status = "0 done, 1 a file can't be written, 2 wrong use",
};
