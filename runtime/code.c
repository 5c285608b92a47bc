#include "runtime/code.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "runtime/system.h"
#include "runtime/trace_file.h"

enum { WHILE_MADE = 0600, COMPLETE = 0500 };
enum { PAGES_AT_ONCE = 512 };

/* Names and pages are kept here, as the program's stack may be short. */
static struct {
    char name[PATH_MAX + 128];
    uint64_t pages[PAGES_AT_ONCE];
} scratch;

static size_t size_of(const struct code *code)
{
    return code->own.end - code->own.start;
}

/* ---- the object's own file ---- */

/* The object's code is a file's, and can't be written to; anything else that may be there is none
 * of ours. */
static bool is_code(const struct maps_line *line)
{
    return memcmp(line->rest, "r-xp ", 5) == 0 && line->path && line->path[0] == '/';
}

/* The name may have been given to another file since the object's was deleted. */
static bool is_file_of(const struct maps_line *line, const struct stat *s)
{
    return s->st_dev == makedev(line->major, line->minor) && s->st_ino == line->inode;
}

static int open_own(const struct code *code, struct stat *s)
{
    int fd = (int)system_open(code->own.path, O_RDONLY, 0);
    if (fd < 0 || (fstat(fd, s) == 0 && is_file_of(&code->own, s)))
        return fd;
    system_close(fd);
    return -1;
}

static bool learn(struct code *code, const void *inside)
{
    if (code->own.start)
        return true;
    if (!maps_find((uintptr_t)inside, &code->own) || !is_code(&code->own)) {
        code->own.start = 0;
        return false;
    }
    code->inode = code->own.inode;
    maps_name(&code->own);
    return true;
}

/* ---- may something else be mapped over it? ---- */

#define PAGE_PRESENT (UINT64_C(1) << 63)
#define PAGE_SWAPPED (UINT64_C(1) << 62)
#define PAGE_OF_FILE (UINT64_C(1) << 61)

/* A page that was written to is not the file's any more. */
static bool are_of_file(const uint64_t *pages, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (pages[i] & (PAGE_PRESENT | PAGE_SWAPPED) && !(pages[i] & PAGE_OF_FILE))
            return false;
    return true;
}

static bool is_unchanged(const struct code *code)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), end = code->own.end / page;
    int fd = (int)system_open("/proc/self/pagemap", O_RDONLY, 0);
    bool fine = fd >= 0;
    for (uint64_t at = code->own.start / page; fine && at < end; at += PAGES_AT_ONCE) {
        size_t n = end - at < PAGES_AT_ONCE ? end - at : PAGES_AT_ONCE;
        size_t bytes = n * sizeof *scratch.pages;
        fine =
            system_read_at(fd, scratch.pages, bytes, at * sizeof *scratch.pages) == (long)bytes &&
            are_of_file(scratch.pages, n);
    }
    if (fd >= 0)
        system_close(fd);
    return fine;
}

static bool is_as_left(const struct code *code)
{
    struct maps_line now;
    return maps_find(code->own.start, &now) && now.start == code->own.start &&
           now.end == code->own.end && is_code(&now) && now.inode == code->inode &&
           is_unchanged(code);
}

/* ---- the shared file ---- */

/* The hash is FNV-1a by words, with a shift, as multiplication alone carries nothing down. */
uint64_t code_mix(uint64_t set, uint64_t value)
{
    uint64_t hash = (set ^ value ^ UINT64_C(0xcbf29ce484222325)) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

static const char *name_of(const struct code *code, const struct stat *own, uint64_t set)
{
    const uint64_t parts[] = {own->st_dev,
                              own->st_ino,
                              (uint64_t)own->st_mtim.tv_sec,
                              (uint64_t)own->st_mtim.tv_nsec,
                              (uint64_t)own->st_size,
                              code->own.offset,
                              size_of(code),
                              geteuid(),
                              set};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        hash = code_mix(hash, parts[i]);
    snprintf(scratch.name, sizeof scratch.name, "%s/code-%.64s-%016llx", trace_file_directory(),
             strrchr(code->own.path, '/') + 1, (unsigned long long)hash);
    return scratch.name;
}

enum state { NOT_OURS, UNFINISHED, FINISHED };

/* Nobody else may have written code that this process is to execute. */
static enum state look_at(int fd, const struct code *code)
{
    struct stat s;
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode) || s.st_uid != geteuid() || s.st_nlink > 1 ||
        s.st_mode & (S_IRWXG | S_IRWXO))
        return NOT_OURS;
    bool whole = (s.st_mode & ALLPERMS) == COMPLETE && (size_t)s.st_size == size_of(code);
    return whole ? FINISHED : UNFINISHED;
}

static bool write_all(int fd, const unsigned char *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        long n = system_write_at(fd, bytes + done, size - done, done);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return ftruncate(fd, (off_t)size) == 0;
}

/* The file's mode, which is set last, says that it is complete. */
static bool make(int fd, const struct code *code, int own, const struct code_change *change)
{
    size_t size = size_of(code);
    unsigned char *bytes = MAP_FAILED;
    if (trace_file_may_grow_to(size))
        bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, own, (off_t)code->own.offset);
    if (bytes == MAP_FAILED)
        return false;
    bool ok = change->make(change->context, (struct code_copy){bytes, code->own.start, size}) &&
              write_all(fd, bytes, size) && fchmod(fd, COMPLETE) == 0;
    munmap(bytes, size);
    return ok;
}

/* The lock ends with its process, so that a killed one's work is done again. */
static enum code_result make_alone(int fd, const char *name, const struct code *code, int own,
                                   const struct code_change *change)
{
    struct stat s;
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (look_at(fd, code) == NOT_OURS)
        return CODE_ALONE;
    if (fcntl(fd, F_SETLK, &all) != 0)
        return errno == EAGAIN || errno == EACCES ? CODE_BUSY : CODE_ALONE;
    if (fstat(fd, &s) != 0 || s.st_nlink == 0)
        return CODE_BUSY;
    if (look_at(fd, code) == FINISHED || make(fd, code, own, change))
        return CODE_SHOWN;
    unlink(name);
    return CODE_ALONE;
}

static enum code_result open_shared(int *fd, const char *name, const struct code *code, int own,
                                    const struct code_change *change)
{
    *fd = (int)system_open(name, O_RDONLY | O_NOFOLLOW, 0);
    if (*fd >= 0 && look_at(*fd, code) == FINISHED)
        return CODE_SHOWN;
    if (*fd >= 0)
        system_close(*fd);
    *fd = (int)system_open(name, O_RDWR | O_CREAT | O_NOFOLLOW, WHILE_MADE);
    return *fd < 0 ? CODE_ALONE : make_alone(*fd, name, code, own, change);
}

/* ---- it is mapped ---- */

/* The system call is made here and not by libc's name: ThreadSanitizer takes that, to note what is
 * mapped, in memory that it has of the program's data only. */
static bool map_at(void *where, size_t size, int fd, uint64_t offset)
{
    int flags = MAP_PRIVATE | MAP_FIXED | MAP_POPULATE;
#ifdef SYS_mmap
    return syscall(SYS_mmap, where, size, PROT_READ | PROT_EXEC, (long)flags, (long)fd, offset) ==
           (long)where;
#else
    return mmap(where, size, PROT_READ | PROT_EXEC, flags, fd, (off_t)offset) == where;
#endif
}

/* The kernel holds the lock of all mappings from the old one's end to the new one's begin, and a
 * thread that needs the code meanwhile waits for it. So whatever may fail is tried before,
 * at another address: the old mapping is not lost. */
static bool map_over(struct code *code, int fd, uint64_t offset)
{
    struct stat s;
    size_t size = size_of(code);
    void *where = (void *)code->own.start;
    void *trial = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, (off_t)offset);
    if (trial == MAP_FAILED || munmap(trial, size) != 0 || fstat(fd, &s) != 0 ||
        !map_at(where, size, fd, offset))
        return false;
    code->inode = s.st_ino;
    return true;
}

static void leave(struct code *code, const struct stat *own, uint64_t set)
{
    if (code->set)
        unlink(name_of(code, own, code->set));
    code->set = set;
}

static enum code_result show(struct code *code, int own, const struct stat *s,
                             const struct code_change *change)
{
    int fd = own;
    enum code_result result = CODE_SHOWN;
    if (change->set)
        result = open_shared(&fd, name_of(code, s, change->set), code, own, change);
    if (result == CODE_SHOWN &&
        !(is_as_left(code) && map_over(code, fd, change->set ? 0 : code->own.offset)))
        result = CODE_ALONE;
    if (result == CODE_SHOWN)
        leave(code, s, change->set);
    if (fd >= 0 && fd != own)
        system_close(fd);
    return result;
}

enum code_result code_show(struct code *code, const void *inside, const struct code_change *change)
{
    struct stat s;
    enum code_result result = CODE_ALONE;
    if (!code->alone && change->set == code->set)
        return CODE_SHOWN;
    int own = !code->alone && learn(code, inside) ? open_own(code, &s) : -1;
    if (own >= 0) {
        result = show(code, own, &s, change);
        system_close(own);
    }
    code->alone = result == CODE_ALONE;
    return result;
}
