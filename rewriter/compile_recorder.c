/* libvprof_record.so: writes down the compiler runs of the user's build.
 *
 * Preloaded into the build. In a compiler driver, and with VPROF_COMPILE_LOG set, it appends one
 * record, "cwd\0argv0\0argv1\0...\0\n", with a single write, so that the records of a parallel
 * build don't mix. In every other program it does nothing. The C library only; errno is kept. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The name without the folder and a version: "/usr/bin/x86_64-linux-gnu-gcc-12" ->
 * "x86_64-linux-gnu-gcc". */
static size_t driver_length(const char *name)
{
    size_t length = strlen(name);
    size_t end = length;
    while (end > 0 && (isdigit((unsigned char)name[end - 1]) || name[end - 1] == '.'))
        end--;
    return end > 0 && end < length && name[end - 1] == '-' ? end - 1 : length;
}

static bool is_driver(const char *path)
{
    static const char *const NAMES[] = {"cc",    "c++",     "gcc", "g++",
                                        "clang", "clang++", "c99", "c89"};
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t length = driver_length(name);
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        size_t part = strlen(NAMES[i]);
        if (length >= part && memcmp(name + length - part, NAMES[i], part) == 0 &&
            (length == part || name[length - part - 1] == '-'))
            return true;
    }
    return false;
}

static char *append(char *at, const char *text)
{
    size_t length = strlen(text) + 1;
    memcpy(at, text, length);
    return at + length;
}

static void write_record(const char *log, const char *folder, int argc, char **argv)
{
    size_t size_bytes = strlen(folder) + 2;
    for (int i = 0; i < argc; i++)
        size_bytes += strlen(argv[i]) + 1;
    char *record = malloc(size_bytes);
    int fd = open(log, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (record && fd >= 0) {
        char *at = append(record, folder);
        for (int i = 0; i < argc; i++)
            at = append(at, argv[i]);
        *at = '\n';
        ssize_t put = write(fd, record, size_bytes);
        (void)put; /* a record that is lost is a file that is not parsed, and reported there */
    }
    if (fd >= 0)
        close(fd);
    free(record);
}

/* glibc hands a constructor main's arguments. */
__attribute__((constructor)) static void record(int argc, char **argv, char **envp)
{
    (void)envp;
    int saved = errno;
    const char *log = getenv("VPROF_COMPILE_LOG");
    char folder[PATH_MAX];
    if (log && *log && argc > 1 && argv && argv[0] && is_driver(argv[0]) &&
        strcmp(argv[1], "-cc1") != 0 && getcwd(folder, sizeof folder))
        write_record(log, folder, argc, argv);
    errno = saved;
}
