/* mirror_test.c - what a copy of a tree keeps, and what its links name. */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "driver/workbench/mirror.h"
#include "driver/workbench/process.h"

static int failed;
static char home[] = "/tmp/vprofiler-mirror-XXXXXX";

static void expect(bool truth, const char *what)
{
    if (!truth)
        printf("FAILED: %s\n", what);
    failed += !truth;
}

static const char *at(const char *below)
{
    static char paths[4][PATH_MAX];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, PATH_MAX, "%s/%s", home, below);
    return path;
}

static void make_tree(void)
{
    struct error error;
    struct timespec times[2] = {{1000, 5}, {2000, 7}};
    file_make_directories(at("source/inner"), &error);
    file_make_directories(at("source/out/001"), &error);
    file_write(at("source/main.c"), "int x;\n", 7, &error);
    file_write(at("source/out/old"), "", 0, &error);
    file_write(at("outside"), "o", 1, &error);
    chmod(at("source/main.c"), 0751);
    utimensat(AT_FDCWD, at("source/main.c"), times, 0);
    expect(symlink("main.c", at("source/near")) == 0, "near");
    expect(symlink("../main.c", at("source/inner/up")) == 0, "up");
    expect(symlink("../../outside", at("source/inner/away")) == 0, "away");
    expect(symlink(at("source/main.c"), at("source/absolute")) == 0, "absolute");
    expect(symlink("nowhere", at("source/dangling")) == 0, "dangling");
    expect(mkfifo(at("source/pipe"), 0600) == 0, "pipe");
}

static bool names(const char *link, const char *target)
{
    char text[PATH_MAX];
    ssize_t length = readlink(at(link), text, sizeof text - 1);
    text[length < 0 ? 0 : length] = '\0';
    return strcmp(text, target) == 0;
}

static void check_copy(void)
{
    struct stat status;
    expect(lstat(at("copy/main.c"), &status) == 0, "the file is there");
    expect((status.st_mode & 07777) == 0751, "with its mode");
    expect(status.st_mtim.tv_sec == 2000 && status.st_mtim.tv_nsec == 7, "and its time");
    expect(names("copy/near", "main.c"), "a near link stays");
    expect(names("copy/inner/up", "../main.c"), "a link within the tree stays");
    expect(names("copy/inner/away", at("outside")), "a link out of the tree names the same place");
    expect(names("copy/absolute", at("copy/main.c")), "an absolute link names the copy");
    expect(names("copy/dangling", "nowhere"), "a dangling link stays");
    expect(!file_exists(at("copy/out")), "vprofiler's own output is left out");
    expect(lstat(at("copy/pipe"), &status) != 0, "a pipe is left out");
}

/* A configured build folder is left out and named; a tree configured in place is refused. */
static void check_configured(void)
{
    struct error error;
    struct mirror_left left = {0};
    file_make_directories(at("source/build"), &error);
    file_write(at("source/build/CMakeCache.txt"), "", 0, &error);
    expect(mirror_copy(at("source"), at("source/out"), at("copy3"), &left, &error), "copied");
    expect(strcmp(str_text(&left.configured), "build") == 0 && !file_exists(at("copy3/build")),
           "the build folder is left out");
    file_write(at("source/CMakeCache.txt"), "", 0, &error);
    expect(!mirror_copy(at("source"), "", at("copy4"), &left, &error) &&
               error.code == ERROR_USAGE && strstr(error.message, "configured in place"),
           "in place is refused");
}

/* A hole in front, between and behind; what is data is where it was. */
static void check_sparse(void)
{
    struct error error;
    struct mirror_left left = {0};
    struct stat from, to;
    const off_t size = (off_t)3 << 30, places[] = {1 << 20, 7777777, size - 5};
    int fd = open(at("source/sparse"), O_RDWR | O_CREAT, 0600);
    expect(ftruncate(fd, size) == 0, "a sparse file");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        expect(pwrite(fd, "data", 4, places[i]) == 4, "has data");
    close(fd);
    expect(mirror_copy(at("source"), at("source/out"), at("copy5"), &left, &error), "copied");
    expect(stat(at("source/sparse"), &from) == 0 && stat(at("copy5/sparse"), &to) == 0 &&
               to.st_size == size && to.st_blocks <= from.st_blocks + 64,
           "holes stay holes");
    fd = open(at("copy5/sparse"), O_RDONLY);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char got[4] = "";
        expect(pread(fd, got, 4, places[i]) == 4 && memcmp(got, "data", 4) == 0, "data stays");
    }
    close(fd);
    unlink(at("source/sparse"));
    unlink(at("copy5/sparse"));
    mirror_left_release(&left);
}

/* Root may read everything. */
static void check_unread(void)
{
    struct error error;
    struct mirror_left left = {0};
    bool root = geteuid() == 0;
    if (root && (chown(home, 65534, 65534) != 0 || chown(at("source"), 65534, 65534) != 0 ||
                 seteuid(65534) != 0))
        return;
    if (faccessat(AT_FDCWD, at("source"), W_OK, AT_EACCESS) != 0) {
        printf("not tried: %s is in a folder that is closed to other users\n", home);
        expect(!root || seteuid(0) == 0, "root again");
        return;
    }
    file_make_directories(at("source/closed"), &error);
    file_write(at("source/secret"), "", 0, &error);
    chmod(at("source/secret"), 0);
    chmod(at("source/closed"), 0);
    expect(mirror_copy(at("source"), at("source/out"), at("copy6"), &left, &error), "copied");
    expect(strstr(str_text(&left.unread), "secret (") != NULL &&
               strstr(str_text(&left.unread), "closed (") != NULL,
           "what can't be read is named");
    expect(!file_exists(at("copy6/secret")), "and left out");
    if (root)
        expect(seteuid(0) == 0, "root again");
    chmod(at("source/closed"), 0700);
    unlink(at("source/secret"));
    mirror_left_release(&left);
}

/* In the middle of a file, of which nothing more is copied. */
static void check_stopped(void)
{
    struct error error;
    struct mirror_left left = {0};
    unlink(at("source/CMakeCache.txt"));
    process_catch_interrupts();
    raise(SIGINT);
    expect(!mirror_copy(at("source"), at("source/out"), at("copy7"), &left, &error) &&
               error.code == ERROR_STOPPED,
           "it can be stopped");
    struct stat status;
    expect(stat(at("copy7/main.c"), &status) != 0 || status.st_size == 0, "and is, at once");
    mirror_left_release(&left);
}

static bool holds(const char *file, const char *wanted)
{
    struct str text = {0};
    struct error ignored;
    bool same = file_read(&text, at(file), &ignored) && strcmp(str_text(&text), wanted) == 0;
    str_release(&text);
    return same;
}

static bool freshen(time_t since, bool *stale)
{
    struct error error = {0};
    struct mirror_fresh fresh = {since, at("was")};
    bool ok = mirror_freshen(at("source"), at("source/out"), at("copy8"), &fresh, stale, &error);
    expect(ok, error.message);
    return ok;
}

/* What was changed after the copy is taken; what a build made or probes changed there stays. */
static void check_freshened(void)
{
    struct mirror_left left = {0};
    struct error error = {0};
    bool stale;
    time_t now = time(NULL);
    file_write(at("source/script"), "old", 3, &error);
    expect(mirror_copy(at("source"), at("source/out"), at("copy8"), &left, &error), error.message);
    mirror_left_release(&left);
    file_make_directories(at("was"), &error);
    file_write(at("was/main.c"), "int x;\n", 7, &error);
    file_write(at("copy8/main.c"), "probes", 6, &error);
    file_write(at("copy8/made"), "object", 6, &error);
    file_write(at("source/script"), "newer", 5, &error);
    file_write(at("source/inner/added"), "a", 1, &error);
    freshen(now + 1000, &stale);
    expect(!stale && holds("copy8/script", "old"), "what is old is not copied");
    freshen(now, &stale);
    expect(!stale && holds("copy8/script", "newer") && holds("copy8/inner/added", "a"),
           "what is new is");
    expect(holds("copy8/main.c", "probes") && holds("copy8/made", "object"), "the others stay");
    file_write(at("source/main.c"), "int y;\n", 7, &error);
    freshen(now, &stale);
    expect(stale && holds("copy8/main.c", "probes"), "another source makes the copy stale");
}

int main(void)
{
    struct error error = {0};
    if (!mkdtemp(home))
        return 1;
    make_tree();
    struct mirror_left left = {0};
    bool ok = mirror_copy(at("source"), at("source/out"), at("copy"), &left, &error);
    expect(ok, error.message);
    check_copy();
    expect(mirror_touch_sources(at("copy"), &error), "sources are made new");
    struct stat status;
    expect(stat(at("copy/main.c"), &status) == 0 && status.st_mtim.tv_sec > 100000,
           "main.c is new");
    expect(!mirror_copy(at("none"), "", at("copy2"), &left, &error) &&
               strstr(error.message, "none"),
           "a missing tree is an error");
    check_freshened();
    check_sparse();
    check_unread();
    check_configured();
    check_stopped();
    mirror_left_release(&left);
    file_remove_tree(home, &error);
    printf("%s\n", failed ? "failed" : "ok");
    return failed != 0;
}
