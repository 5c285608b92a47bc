/* libvprof_record.so: writes down the compiler runs of the user's build.
 *
 * Preloaded into the build. In a compiler driver or a launcher of one, and with VPROF_COMPILE_LOG
 * set, it appends one record, "cwd\0argv0\0argv1\0...\0\n", with a single write, so that the
 * records of a parallel build don't mix. What is read from standard input is the file that it is,
 * if it is one. In every other program it does nothing. The C library only; errno is kept. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rewriter/compiler_name.h"

static char *append(char *at, const char *text)
{
    size_t length = strlen(text) + 1;
    memcpy(at, text, length);
    return at + length;
}

static void write_record(const char *log, const char *folder, int argc, const char **argv)
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

/* The file that standard input is, or NULL. */
static const char *input_file(char path[static PATH_MAX])
{
    struct stat status;
    if (fstat(STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode))
        return NULL;
    ssize_t length = readlink("/proc/self/fd/0", path, PATH_MAX - 1);
    if (length <= 0 || path[0] != '/')
        return NULL;
    path[length] = '\0';
    return path;
}

static void name_input(int argc, const char **argv, char path[static PATH_MAX])
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-") == 0 && strcmp(argv[i - 1], "-o") != 0 && input_file(path))
            argv[i] = path;
}

/* glibc hands a constructor main's arguments. */
__attribute__((constructor)) static void record(int argc, char **argv, char **envp)
{
    (void)envp;
    int saved = errno;
    const char *log = getenv("VPROF_COMPILE_LOG");
    char folder[PATH_MAX], input[PATH_MAX];
    if (log && *log && argc > 1 && argv && argv[0] &&
        compiler_name_find(argc, (const char *const *)argv) >= 0 && getcwd(folder, sizeof folder)) {
        const char **words = malloc((size_t)argc * sizeof *words);
        if (words) {
            memcpy(words, argv, (size_t)argc * sizeof *words);
            name_input(argc, words, input);
            write_record(log, folder, argc, words);
        }
        free(words);
    }
    errno = saved;
}
