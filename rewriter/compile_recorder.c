/* libvprof_record.so: writes down how the user's build starts compilers.
 *
 * Preloaded into the build. In a compiler driver or a launcher of one, and with VPROF_COMPILE_LOG
 * set, it appends one record, "cwd\0argv0\0argv1\0...\0\n", with a single write, so that the
 * records of a parallel build don't mix. What is read from standard input is the file that it is,
 * if it is one. In every other program it does nothing. The C library only; errno is kept. */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
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

/* Standard input may be a file: this is its path, or NULL. */
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

static void record_command(int argc, char *const *argv)
{
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

/* glibc hands a constructor main's arguments. */
__attribute__((constructor)) static void record(int argc, char **argv, char **envp)
{
    (void)envp;
    record_command(argc, argv);
}

/* Programs that nothing can be preloaded into: who starts one writes it down. -------------------
 */

static bool is_static(const char *path)
{
    Elf64_Ehdr head;
    Elf64_Phdr part;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool is = fd >= 0 && read(fd, &head, sizeof head) == sizeof head &&
              memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_ident[EI_CLASS] == ELFCLASS64 &&
              head.e_phentsize == sizeof part;
    for (unsigned i = 0; is && i < head.e_phnum; i++)
        is =
            pread(fd, &part, sizeof part, (off_t)(head.e_phoff + i * sizeof part)) == sizeof part &&
            part.p_type != PT_INTERP;
    if (fd >= 0)
        close(fd);
    return is;
}

/* The program is looked for as execvp does; false where it is not there. */
static bool find_program(const char *name, char path[static PATH_MAX])
{
    const char *at = getenv("PATH");
    if (strchr(name, '/'))
        return strlen(name) < PATH_MAX && strcpy(path, name);
    for (; at && *at; at += strcspn(at, ":"), at += *at == ':') {
        int length = (int)strcspn(at, ":");
        if (snprintf(path, PATH_MAX, "%.*s/%s", length, at, name) < PATH_MAX &&
            access(path, X_OK) == 0)
            return true;
    }
    return false;
}

static void note_start(const char *name, char *const *argv)
{
    int saved = errno, argc = 0;
    char path[PATH_MAX];
    while (argv && argv[argc])
        argc++;
    if (argc > 1 && getenv("VPROF_COMPILE_LOG") &&
        compiler_name_find(argc, (const char *const *)argv) >= 0 && find_program(name, path) &&
        is_static(path))
        record_command(argc, argv);
    errno = saved;
}

#define NEXT(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

int execve(const char *path, char *const argv[], char *const envp[])
{
    note_start(path, argv);
    return NEXT(execve)(path, argv, envp);
}

int execv(const char *path, char *const argv[])
{
    note_start(path, argv);
    return NEXT(execv)(path, argv);
}

int execvp(const char *file, char *const argv[])
{
    note_start(file, argv);
    return NEXT(execvp)(file, argv);
}

int execvpe(const char *file, char *const argv[], char *const envp[])
{
    note_start(file, argv);
    return NEXT(execvpe)(file, argv, envp);
}

int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    note_start(path, argv);
    return NEXT(posix_spawn)(child, path, actions, attributes, argv, envp);
}

int posix_spawnp(pid_t *child, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    note_start(file, argv);
    return NEXT(posix_spawnp)(child, file, actions, attributes, argv, envp);
}
