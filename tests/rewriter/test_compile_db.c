/* compile_commands.json, the recorder's log, and moving both to another folder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "check.h"
#include "rewriter/compile_db.h"

static char folder[] = "/tmp/vprof-db-XXXXXX";

static const char *put(const char *name, const char *text, size_t size_bytes)
{
    static char path[256];
    struct error error;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    CHECK(file_write(path, text, size_bytes, &error));
    return path;
}

static bool argument_is(const struct compile_db *db, uint32_t command, uint32_t at,
                        const char *text)
{
    return command < db->count && at < db->commands[command].argument_count &&
           strcmp(db->commands[command].arguments[at], text) == 0;
}

static void test_json(void)
{
    struct compile_db db = {0};
    struct error error;
    put("words.rsp", "-DIN=\"a b\"\n'-I with space'", 27);
    struct str text = {0};
    str_printf(
        &text,
        "[{\"directory\": \"%s/./x/..\", \"file\": \"sub/../a.c\", \"command\": "
        "\"gcc -DA='\\\"q\\\"' -D\\\"B c\\\" back\\\\\\\\ slash @words.rsp -c a.c -o a.o\"},"
        "{\"directory\": \"%s\", \"file\": \"b.c\", \"arguments\": [\"cc\", \"-c\", \"b.c\"]},"
        "{\"directory\": \"%s\", \"file\": \"b.c\", \"arguments\": [\"cc\", \"-g\", \"-c\", "
        "\"b.c\"]},"
        "{\"directory\": \"%s\", \"file\": \"b.c\", \"arguments\": [\"cc\", \"-c\", \"b.c\", "
        "\"-ob2.o\"]}]",
        folder, folder, folder, folder);
    CHECK(compile_db_read_json(&db, put("db.json", text.data, text.length), &error));
    str_release(&text);
    CHECK(db.count == 3);
    CHECK(argument_is(&db, 0, 1, "-DA=\"q\""));
    CHECK(argument_is(&db, 0, 2, "-DB c"));
    CHECK(argument_is(&db, 0, 3, "back\\") || argument_is(&db, 0, 3, "back slash"));
    CHECK(argument_is(&db, 1, 1, "-g"));
    CHECK(strstr(db.commands[0].file, "/a.c") && !strstr(db.commands[0].file, ".."));
    compile_db_release(&db);
}

static void test_bad_json(void)
{
    static const char *const BAD[] = {"", "{}", "[1]", "[{\"directory\": \"x\", \"file\": \"a\"}]",
                                      "[{\"directory\": \"/x\", \"file\": \"a\"}]"};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        struct compile_db db = {0};
        struct error error = {0};
        CHECK(!compile_db_read_json(&db, put("bad.json", BAD[i], strlen(BAD[i])), &error));
        CHECK(error.code == ERROR_FORMAT && strlen(error.message) > 20);
        compile_db_release(&db);
    }
    struct compile_db db = {0};
    struct error error = {0};
    CHECK(!compile_db_read_json(&db, "/nonexistent/db.json", &error));
    CHECK(error.code == ERROR_SYSTEM);
}

static void test_log(void)
{
    static const char LOG[] = "/src\0gcc\0-c\0a.c\0-o\0a.o\0\n"
                              "/src\0g++\0-O2\0b.cc\0c.cpp\0-o\0prog\0\n"
                              "/src\0gcc\0-E\0a.c\0\n"
                              "/src\0gcc\0-MM\0a.c\0\n"
                              "/src\0gcc\0a.o\0b.o\0-o\0x.c\0\n"
                              "/src\0gcc\0-c\0-DNEW\0a.c\0-o\0a.o\0\n"
                              "/src\0gcc\0-c\0cut.c";
    struct compile_db db = {0};
    struct error error;
    CHECK(compile_db_read_log(&db, put("log", LOG, sizeof LOG - 1), &error));
    CHECK(db.count == 3);
    CHECK(argument_is(&db, 0, 2, "-DNEW"));
    CHECK(db.count == 3 && strcmp(db.commands[1].file, "/src/b.cc") == 0 &&
          strcmp(db.commands[2].file, "/src/c.cpp") == 0);
    compile_db_release(&db);
}

static void test_words(void)
{
    static const char LOG[] = "/src\0ccache\0gcc\0-c\0a.c\0-o\0a.o\0\n"
                              "/src\0/usr/bin/gcc\0-c\0a.c\0-o\0a.o\0\n"
                              "/src\0gcc\0-xc\0-c\0-\0-o\0p.o\0\n"
                              "/src\0gcc\0-x\0assembler\0-c\0s.c\0\n"
                              "/src\0gcc\0-x\0c\0/src/t.inc\0-x\0none\0u.cc\0v.o\0\n";
    struct compile_db db = {0};
    struct error error;
    CHECK(compile_db_read_log(&db, put("log", LOG, sizeof LOG - 1), &error));
    CHECK(db.count == 3 && db.piped == 1);
    CHECK(argument_is(&db, 0, 0, "/usr/bin/gcc"));
    CHECK(db.count == 3 && strcmp(db.commands[1].file, "/src/t.inc") == 0 &&
          strcmp(db.commands[2].file, "/src/u.cc") == 0);
    compile_db_release(&db);
}

static void test_order(void)
{
    static const char LOG[] = "/src\0gcc\0-c\0b.c\0-o\0b.o\0\n"
                              "/src\0gcc\0-c\0-fPIC\0a.c\0-o\0a.lo\0\n"
                              "/src\0gcc\0-c\0a.c\0-o\0a.o\0\n";
    struct compile_db db = {0};
    struct error error;
    CHECK(compile_db_read_log(&db, put("log", LOG, sizeof LOG - 1), &error));
    CHECK(argument_is(&db, 0, 5, "a.lo"));
    CHECK(argument_is(&db, 1, 4, "a.o") && argument_is(&db, 2, 4, "b.o"));
    compile_db_release(&db);
}

static void test_relocate(void)
{
    static const char LOG[] = "/home/u/src/sub\0gcc\0-I/home/u/src/inc\0-I/home/u/src2\0"
                              "-I/x/home/u/src\0-DP=\"/home/u/src\"\0-fmap=/home/u/src=.\0"
                              "/home/u/src/a.c\0\n";
    struct compile_db db = {0};
    struct error error;
    CHECK(compile_db_read_log(&db, put("log", LOG, sizeof LOG - 1), &error));
    compile_db_relocate(&db, "/home/u/src", "/w");
    CHECK(db.count == 1 && strcmp(db.commands[0].directory, "/w/sub") == 0 &&
          strcmp(db.commands[0].file, "/w/a.c") == 0);
    CHECK(argument_is(&db, 0, 1, "-I/w/inc"));
    CHECK(argument_is(&db, 0, 2, "-I/home/u/src2"));
    CHECK(argument_is(&db, 0, 3, "-I/x/home/u/src"));
    CHECK(argument_is(&db, 0, 4, "-DP=\"/w\""));
    CHECK(argument_is(&db, 0, 5, "-fmap=/w=.") || argument_is(&db, 0, 5, "-fmap=/home/u/src=."));
    CHECK(argument_is(&db, 0, 6, "/w/a.c"));
    compile_db_release(&db);
}

int main(void)
{
    struct error error;
    if (!mkdtemp(folder))
        return 1;
    test_json();
    test_bad_json();
    test_log();
    test_words();
    test_order();
    test_relocate();
    file_remove_tree(folder, &error);
    return failures != 0;
}
