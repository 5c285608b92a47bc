#include "driver/workbench/switch_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/trace_format.h"

enum { FIRST_GENERATION = 1 };

/* The file has whole pages: a runtime fills up the last one with ones. */
static size_t file_bytes(const struct switch_file *file)
{
    return TRACE_PAGE + ((size_t)file->probe_count + TRACE_PAGE - 1) / TRACE_PAGE * TRACE_PAGE;
}

void *switch_file_map_new(const char *folder, const char *name, size_t bytes, struct error *error)
{
    struct str path = {0};
    path_join(&path, folder, name);
    unlink(path.data); /* what still runs reads the old one, which must not get shorter */
    int fd = open(path.data, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
                  getenv("VPROF_TRACE_SHARE") ? 0666 : 0600);
    void *file = MAP_FAILED;
    /* posix_fallocate returns the reason, and error_system looks for it in errno. */
    int why = fd < 0 ? errno : posix_fallocate(fd, 0, (off_t)bytes);
    if (why)
        errno = why;
    else
        file = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (file == MAP_FAILED)
        error_system(error, "Can't write %s", path.data);
    if (fd >= 0)
        close(fd);
    str_release(&path);
    return file == MAP_FAILED ? NULL : file;
}

bool switch_file_make(struct switch_file *file, const char *folder, uint32_t probe_count,
                      struct error *error)
{
    static const struct trace_control header = {TRACE_CONTROL_MAGIC, TRACE_VERSION, TRACE_PAGE,
                                                FIRST_GENERATION, 1};
    *file = (struct switch_file){.probe_count = probe_count, .generation = FIRST_GENERATION};
    unsigned char *page = switch_file_map_new(folder, TRACE_CONTROL_NAME, file_bytes(file), error);
    if (!page)
        return false;
    memcpy(page, &header, sizeof header);
    file->switches = page + TRACE_PAGE;
    file->switches[0] = 1;
    return true;
}

/* A generation is never 0, so that the counter skips it. */
static void set(struct switch_file *file, const unsigned char *roles)
{
    if (!file->switches)
        return;
    struct trace_control *header = (struct trace_control *)(void *)(file->switches - TRACE_PAGE);
    for (uint32_t i = 1; i < file->probe_count; i++)
        __atomic_store_n(&file->switches[i], roles ? roles[i] : 0, __ATOMIC_RELAXED);
    __atomic_store_n(&header->resting, roles == NULL, __ATOMIC_RELAXED);
    file->generation += 1 + (file->generation == UINT32_MAX);
    __atomic_store_n(&header->generation, file->generation, __ATOMIC_RELEASE);
}

void switch_file_set(struct switch_file *file, const unsigned char *roles)
{
    set(file, roles);
}

void switch_file_rest(struct switch_file *file)
{
    set(file, NULL);
}

void switch_file_release(struct switch_file *file)
{
    if (file->switches)
        munmap(file->switches - TRACE_PAGE, file_bytes(file));
    file->switches = NULL;
}
