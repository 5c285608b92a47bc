#include "trace/trace_seal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/file.h"
#include "trace/calibration.h"
#include "trace/trace_folder.h"

static bool is_zero(const char *data, size_t size)
{
    return data[0] == 0 && memcmp(data, data + 1, size - 1) == 0;
}

/* The checksum is that of the header's page, as if there were no seal in it. */
static uint64_t header_checksum(const char *data)
{
    char page[TRACE_PAGE];
    memcpy(page, data, sizeof page);
    memset(page + offsetof(struct trace_file_header, seal), 0, sizeof(struct trace_seal));
    return XXH3_64bits_withSeed(page, sizeof page, 0);
}

/* The result is where something was written next, from a page on. To look into a hole is a SIGBUS
 * where a tmpfs is full. */
static size_t next_page(int fd, size_t at, size_t end)
{
    off_t data = lseek(fd, (off_t)at, SEEK_DATA);
    if (data < 0)
        return errno == ENXIO ? end : at;
    return (size_t)data - (size_t)data % TRACE_PAGE;
}

/* The sum over all pages that are not zeros: a copy may have holes where the file has none. */
static uint64_t checksum_of(int fd, const char *data, size_t size)
{
    uint64_t sum = header_checksum(data);
    size_t forgotten = 0;
    for (size_t at = next_page(fd, TRACE_PAGE, size); at < size;) {
        size_t page = size - at < TRACE_PAGE ? size - at : TRACE_PAGE;
        bool zero = is_zero(data + at, page);
        if (!zero)
            sum += XXH3_64bits_withSeed(data + at, page, at / TRACE_PAGE);
        at = zero ? next_page(fd, at + page, size) : at + page;
        if (at - forgotten >= FILE_FORGET_BYTES) {
            madvise((void *)(uintptr_t)(data + forgotten), at - forgotten, MADV_DONTNEED);
            forgotten = at - at % TRACE_PAGE;
        }
    }
    return sum;
}

/* The run's files of one clock have these in common. */
struct sealing {
    struct calibration_range range;
    uint32_t files;
};

static bool write_seal(int fd, const struct file_map *map, const struct sealing *run)
{
    /* The count is under the checksum: the map shows it once it is written. */
    off_t files_at = offsetof(struct trace_file_header, run_files);
    if (pwrite(fd, &run->files, sizeof run->files, files_at) != sizeof run->files)
        return false;
    struct trace_seal seal = {.run = {run->range.first, run->range.last},
                              .bytes = map->size_bytes,
                              .checksum = checksum_of(fd, map->data, map->size_bytes)};
    off_t at = offsetof(struct trace_file_header, seal);
    return pwrite(fd, &seal, sizeof seal, at) == sizeof seal;
}

static bool seal_file(const char *path, const struct sealing *runs, struct error *error)
{
    struct trace_file_header header;
    struct file_map map = {0};
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    bool ok = fd >= 0 || error_system(error, "Can't write to the trace %s", path);
    if (ok && trace_folder_header(fd, &header) && header.clock <= TRACE_CLOCK_MONOTONIC) {
        ok = file_map_open(&map, path, error);
        if (ok && map.size_bytes >= TRACE_PAGE && !write_seal(fd, &map, &runs[header.clock]))
            ok = error_system(error, "Can't write to the trace %s", path);
        file_map_close(&map);
    }
    if (fd >= 0)
        close(fd);
    return ok;
}

static void add_file(struct sealing *runs, const char *path)
{
    struct trace_file_header header;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (trace_folder_header(fd, &header) && header.clock <= TRACE_CLOCK_MONOTONIC) {
        calibration_range_add(&runs[header.clock].range, header.calibration);
        runs[header.clock].files++;
    }
    close(fd);
}

bool trace_seal_folder(const char *directory, struct error *error)
{
    struct sealing runs[TRACE_CLOCK_MONOTONIC + 1] = {0};
    struct trace_folder folder;
    bool ok = trace_folder_list(&folder, directory, error);
    for (size_t i = 0; ok && i < folder.count; i++)
        add_file(runs, folder.paths[i]);
    for (size_t i = 0; ok && i < folder.count; i++)
        ok = seal_file(folder.paths[i], runs, error);
    trace_folder_release(&folder);
    return ok;
}

/* A file that is still written to has grown since it was mapped, and before its header said so. */
static uint64_t size_now(const char *path, size_t mapped)
{
    struct stat status;
    return stat(path, &status) == 0 && status.st_size > 0 ? (uint64_t)status.st_size : mapped;
}

bool trace_seal_holds(const char *path, const char *data, size_t size_bytes, struct str *text)
{
    struct trace_file_header header;
    memcpy(&header, data, sizeof header);
    const struct trace_seal *seal = &header.seal;
    uint64_t least = seal->bytes > header.filled_bytes ? seal->bytes : header.filled_bytes;
    if (size_now(path, size_bytes) < least) {
        str_printf(text,
                   "the file was cut: %zu bytes of %" PRIu64
                   " are left. Intervals are missing, or parts of them: copy it again.",
                   size_bytes, least);
        return false;
    }
    if (seal->bytes < TRACE_PAGE)
        return true;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool same = fd < 0 || checksum_of(fd, data, seal->bytes) == seal->checksum;
    if (fd >= 0)
        close(fd);
    if (!same)
        str_append(text, "the file was changed after its run, as its checksum says. Intervals may "
                         "be missing or wrong: copy it again.");
    return same;
}

bool trace_seal_is_one_run(const struct trace_file_header *a, const struct trace_file_header *b)
{
    return memcmp(a->seal.run, b->seal.run, sizeof a->seal.run) == 0;
}
