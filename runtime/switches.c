#include "runtime/switches.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/shared_file.h"
#include "runtime/sites.h"
#include "runtime/system.h"
#include "runtime/trace_file.h"

/* Every process writes what it finds missing: all write the same. */
static bool extend(int fd, uint64_t from, uint64_t to)
{
    static unsigned char ones[TRACE_PAGE]; /* a thread's stack may be small */
    memset(ones, 1, sizeof ones);
    for (uint64_t size; from < to; from += size) {
        size = to - from < sizeof ones ? to - from : sizeof ones;
        if (system_write_at(fd, ones, size, from) != (long)size)
            return false;
    }
    return true;
}

static const struct trace_control HEADER = {TRACE_CONTROL_MAGIC, TRACE_VERSION, TRACE_PAGE, 0, 0};
#define FIXED_BYTES offsetof(struct trace_control, generation)

static bool has_header(int fd)
{
    struct trace_control found;
    return lseek(fd, 0, SEEK_SET) == 0 &&
           system_read(fd, &found, sizeof found) == (long)sizeof found &&
           memcmp(&found, &HEADER, FIXED_BYTES) == 0;
}

static bool complete(int fd, uint64_t count)
{
    off_t size = lseek(fd, 0, SEEK_END);
    uint64_t end = size < 0 ? 0 : (uint64_t)size;
    if (end < TRACE_PAGE && system_write_at(fd, &HEADER, sizeof HEADER, 0) != (long)sizeof HEADER)
        return false;
    uint64_t from = end < TRACE_PAGE ? TRACE_PAGE : end, to = TRACE_PAGE + count;
    return has_header(fd) && (from >= to || trace_file_may_grow_to(to)) && extend(fd, from, to);
}

/* The file is mapped once more for the sites, as an object's array is gone when that is unloaded.
 */
static void map_for_sites(int fd, uint64_t count)
{
    const struct trace_control *header;
    if (sites_have_switches())
        return;
    header = mmap(NULL, TRACE_PAGE + count, PROT_READ, MAP_SHARED, fd, 0);
    if (header != MAP_FAILED)
        sites_use((const unsigned char *)header + TRACE_PAGE, count, header);
}

static bool map_file(unsigned char *array, uint64_t count)
{
    long fd = shared_file_open(TRACE_CONTROL_NAME);
    if (fd < 0)
        return false;
    bool ok = complete((int)fd, count) && mmap(array, count, PROT_READ, MAP_SHARED | MAP_FIXED,
                                               (int)fd, TRACE_PAGE) != MAP_FAILED;
    if (ok)
        map_for_sites((int)fd, count);
    system_close((int)fd);
    return ok;
}

/* A page of this machine may be larger than the one that the array was laid out for. */
static bool is_whole_pages(const unsigned char *array, uint64_t count)
{
    uint64_t page = trace_file_page();
    return (uintptr_t)array % page == 0 && count % page == 0 && TRACE_PAGE % page == 0;
}

void switches_map(unsigned char *array, uint64_t count)
{
    if (array[0])
        return;
    if (!is_whole_pages(array, count) || !map_file(array, count)) {
        memset(array, 1, count);
        sites_use(array, count, NULL);
    }
}
