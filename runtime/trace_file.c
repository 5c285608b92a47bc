#include "runtime/trace_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "runtime/claim.h"
#include "runtime/clock.h"
#include "runtime/extents.h"
#include "runtime/free_ranges.h"
#include "runtime/shared_file.h"
#include "runtime/system.h"

#define CAP_DEFAULT_BYTES (UINT64_C(4) << 30)
#define NAMES_MAX 10000        /* tried: a program that was executed anew has its number, too */
#define FILL_BYTES (64u << 10) /* in one write: a single folio costs less than its pages */
#define WINDOW_MIN_BYTES FILL_BYTES
#define WINDOWS_SHARE 16 /* of the cap, for windows beyond the least */
#define AHEAD_MAX_BYTES (UINT64_C(1) << 20)
#define AHEAD_SHARE 8 /* of the file's length, so that no small one takes much more than it has */

static struct {
    char directory[PATH_MAX - 64];
    char path[PATH_MAX];
    uint64_t cap_bytes;
    uint64_t page;
    uint64_t end;   /* of what is handed out */
    uint64_t used;  /* bytes of it that have not been given back */
    uint64_t ahead; /* up to here someone has asked for blocks */
    uint32_t tables;
    uint32_t calibrating;
    uint32_t giving;     /* the oldest chunk's room back: the header has room for one */
    uint32_t generation; /* of the switches, since */
    uint64_t generation_ns;
    struct probe_cost cost;
    int fd; /* -1: there is no file */
    dev_t device;
    ino_t inode;
} file = {.fd = -1};

_Static_assert(FREE_RANGES_MAX_BYTES == TRACE_FILE_WINDOW_MAX_BYTES,
               "each chunk's room is used again");

/* Counts are added here without asking whether there is a file. After its creation the header stays
 * at one address for the life of the process, so that no thread ever holds a stale one. A child
 * without a file of its own keeps its parent's header, for what it loses. */
static struct trace_file_header no_header;
struct trace_file_header *trace_file_head = &no_header;

const char *trace_file_directory(void)
{
    return file.directory;
}

uint64_t trace_file_page(void)
{
    return file.page;
}

/* The name is absolute, because the program may change its directory. */
static bool keep_directory(const char *name)
{
    size_t length = 0;
    if (name[0] != '/') {
        if (!getcwd(file.directory, sizeof file.directory - 1))
            return false;
        length = strlen(file.directory);
        file.directory[length++] = '/';
    }
    if (strlen(name) >= sizeof file.directory - length)
        return false;
    strcpy(file.directory + length, name);
    return true;
}

bool trace_file_configure(void)
{
    const char *directory = secure_getenv("VPROF_TRACE_DIR");
    const char *cap = secure_getenv("VPROF_TRACE_CAP_BYTES");
    const char *keep = secure_getenv("VPROF_TRACE_KEEP");
    if (!directory || !*directory || !keep_directory(directory))
        return false;
    shared_file_configure(file.directory);
    file.cap_bytes = cap ? strtoull(cap, NULL, 0) : 0;
    if (file.cap_bytes == 0)
        file.cap_bytes = CAP_DEFAULT_BYTES;
    if (keep && strcmp(keep, "newest") == 0)
        extents_start();
    long page = sysconf(_SC_PAGESIZE);
    file.page = page > (long)TRACE_PAGE ? (uint64_t)page : TRACE_PAGE;
    return true;
}

static int create_unique(void)
{
    long pid = (long)getpid();
    for (int i = 0; i < NAMES_MAX; i++) {
        if (i == 0)
            snprintf(file.path, sizeof file.path, "%s/%ld.vtr", file.directory, pid);
        else
            snprintf(file.path, sizeof file.path, "%s/%ld-%d.vtr", file.directory, pid, i);
        long fd = system_open(file.path, O_RDWR | O_CREAT | O_EXCL, shared_file_mode());
        if (fd >= 0)
            return (int)system_move_high(fd);
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

static bool is_ours(int fd)
{
    struct stat s;
    return fd >= 0 && fstat(fd, &s) == 0 && s.st_dev == file.device && s.st_ino == file.inode;
}

static int descriptor(void)
{
    int fd = __atomic_load_n(&file.fd, __ATOMIC_RELAXED);
    if (fd < 0 || is_ours(fd))
        return fd;
    int again = (int)system_open(file.path, O_RDWR, 0);
    if (again < 0)
        return -1;
    if (!is_ours(again)) {
        system_close(again);
        return -1;
    }
    again = (int)system_move_high(again);
    __atomic_store_n(&file.fd, again, __ATOMIC_RELAXED);
    return again;
}

static bool write_zeros(int fd, uint64_t offset, uint64_t size)
{
    static char zeros[FILL_BYTES]; /* not const, so that they take no room in the library */
    for (uint64_t done = 0; done < size;) {
        uint64_t left = size - done;
        size_t part = left < sizeof zeros ? (size_t)left : sizeof zeros;
        if (system_write_at(fd, zeros, part, offset + done) != (long)part)
            return false;
        done += part;
    }
    return true;
}

static bool allocate(int fd, uint64_t offset, uint64_t size)
{
    if (system_allocate(fd, offset, size) == 0)
        return true;
    return (errno == EOPNOTSUPP || errno == ENOSYS) && write_zeros(fd, offset, size);
}

/* Growing beyond RLIMIT_FSIZE would not fail but kill the program with SIGXFSZ. */
bool trace_file_may_grow_to(uint64_t size)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || size <= limit.rlim_cur;
}

static void raise_to(uint64_t *value, uint64_t least)
{
    uint64_t now = __atomic_load_n(value, __ATOMIC_RELAXED);
    while (now < least && !__atomic_compare_exchange_n(value, &now, least, false, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED))
        ;
}

/* A single store has both halves, so that a SIGKILL can't leave one of them behind. */
static void store_pair(void *to, uint64_t first, uint64_t second)
{
    typedef uint64_t pair __attribute__((vector_size(16), may_alias));
    *(volatile pair *)to = (pair){first, second};
}

/* At each moment either the chunk's records are in the file or they are counted, not both: from
 * here on readers leave the chunk out, and with give_end() they are in the sum. */
static void give_begin(const struct extent *oldest)
{
    struct trace_file_header *head = trace_file_head;
    raise_to(&head->overwritten_ticks, oldest->ticks);
    head->giving_records = oldest->records;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    store_pair(&head->given_back, head->given_back.records, oldest->offset);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void give_end(bool done)
{
    struct trace_file_header *head = trace_file_head;
    uint64_t all = head->given_back.records + (done ? head->giving_records : 0);
    __atomic_store_n(&head->overwritten_records, all, __ATOMIC_RELEASE);
    store_pair(&head->given_back, all, 0);
}

static bool give_back(int fd, const struct extent *oldest)
{
    give_begin(oldest);
    bool done = system_punch(fd, oldest->offset, oldest->size) == 0;
    give_end(done);
    return done;
}

/* The oldest chunk becomes a hole, where the file system can make one, for another chunk. */
static bool give_back_oldest(int fd)
{
    struct extent oldest;
    if (!claim_take(&file.giving))
        return false;
    bool ok = extents_take_oldest(&oldest) && give_back(fd, &oldest);
    claim_release(&file.giving);
    if (ok) {
        free_ranges_put(oldest.offset, oldest.size);
        __atomic_fetch_sub(&file.used, oldest.size, __ATOMIC_RELAXED);
    }
    return ok;
}

static bool take_room(int fd, uint64_t size)
{
    uint64_t used = __atomic_load_n(&file.used, __ATOMIC_RELAXED);
    do {
        while (used + size > file.cap_bytes) {
            if (!give_back_oldest(fd))
                return false;
            used = __atomic_load_n(&file.used, __ATOMIC_RELAXED);
        }
    } while (!__atomic_compare_exchange_n(&file.used, &used, used + size, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return true;
}

/* The file system makes a single folio only where it is aligned to its size. */
static uint64_t align(uint64_t offset, uint64_t size)
{
    uint64_t folio = TRACE_FILE_WINDOW_MAX_BYTES;
    while (folio > size)
        folio /= 2;
    return size < FILL_BYTES ? offset : (offset + folio - 1) / folio * folio;
}

/* The end of the file moves on; where it may not, the result is 0. */
static uint64_t advance(uint64_t size)
{
    uint64_t end = __atomic_load_n(&file.end, __ATOMIC_RELAXED), offset;
    do {
        offset = align(end, size);
        if (!trace_file_may_grow_to(offset + size))
            return 0;
    } while (!__atomic_compare_exchange_n(&file.end, &end, offset + size, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return offset;
}

/* A range that was given back is taken first, then one at the end; where the file may not grow
 * more, another one is given back. */
static uint64_t find_range(int fd, uint64_t size)
{
    uint64_t offset = free_ranges_take(size);
    if (!offset)
        offset = advance(size);
    while (!offset && give_back_oldest(fd))
        offset = free_ranges_take(size);
    return offset;
}

/* A range of the file is taken that nothing is known of; 0: there is none. */
static uint64_t take_range(int fd, uint64_t size)
{
    if (fd < 0 || !take_room(fd, size))
        return 0;
    uint64_t offset = find_range(fd, size);
    if (!offset)
        __atomic_fetch_sub(&file.used, size, __ATOMIC_RELAXED);
    return offset;
}

/* The range can't be used, and has what a full disk had room for. The file's end goes back, unless
 * another thread has reserved since. */
static void give_back_range(int fd, uint64_t offset, uint64_t size)
{
    uint64_t mine = offset + size;
    system_punch(fd, offset, size);
    __atomic_compare_exchange_n(&file.end, &mine, offset, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
    __atomic_fetch_sub(&file.used, size, __ATOMIC_RELAXED);
}

/* A reader of a shorter file knows by this that it was cut. The result is the offset. */
static uint64_t note_filled(uint64_t offset, uint64_t size)
{
    if (offset)
        raise_to(&trace_file_head->filled_bytes, offset + size);
    return offset;
}

uint64_t trace_file_reserve(uint64_t size, int *fd)
{
    *fd = descriptor();
    uint64_t offset = take_range(*fd, size);
    if (!offset || allocate(*fd, offset, size))
        return note_filled(offset, size);
    give_back_range(*fd, offset, size);
    return 0;
}

void trace_file_fill(uint64_t offset, uint64_t size)
{
    int fd = descriptor();
    if (fd >= 0 && trace_file_may_grow_to(offset + size))
        write_zeros(fd, offset, size);
}

bool trace_file_give_up(const struct extent *chunk)
{
    if (!extents_kept() || extents_any() || !claim_take(&file.giving))
        return false;
    give_begin(chunk);
    return true;
}

void trace_file_gave_up(void)
{
    give_end(true);
    claim_release(&file.giving);
}

/* A server's write-out finds the file system's code and data out of the caches: that takes some 30
 * us before the first byte, and as much again for 128 KiB. */
uint64_t trace_file_window(uint32_t thread)
{
    uint64_t large = file.cap_bytes / WINDOWS_SHARE / TRACE_FILE_WINDOW_MAX_BYTES;
    return thread <= large ? TRACE_FILE_WINDOW_MAX_BYTES : WINDOW_MIN_BYTES;
}

/* A write finds blocks by itself, or fails; where they are there already, it takes a quarter less
 * time. They are asked for by the megabyte, as to ask takes as long as is saved by one chunk. Where
 * that fails, it is not tried again: a full disk's last blocks are for the writes themselves. */
static void allocate_ahead(int fd, uint64_t end)
{
    uint64_t ahead = __atomic_load_n(&file.ahead, __ATOMIC_RELAXED), size = end / AHEAD_SHARE;
    if (end <= ahead)
        return;
    size = size < AHEAD_MAX_BYTES ? size : AHEAD_MAX_BYTES;
    if (__atomic_load_n(&file.used, __ATOMIC_RELAXED) + size > file.cap_bytes ||
        !trace_file_may_grow_to(end + size) ||
        !__atomic_compare_exchange_n(&file.ahead, &ahead, end + size, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
        return;
    if (system_allocate_ahead(fd, end, size) != 0)
        __atomic_store_n(&file.ahead, UINT64_MAX, __ATOMIC_RELAXED);
}

/* The copy's kind comes last: the process may be killed in the middle of this. */
static bool write_copy(int fd, uint64_t offset, const struct trace_chunk *chunk, uint32_t kind)
{
    struct trace_chunk head = *chunk;
    struct iovec parts[] = {{&head, sizeof head},
                            {(void *)(uintptr_t)(chunk + 1), chunk->size - sizeof head}};
    head.kind = TRACE_CHUNK_SPARE;
    return system_write_parts_at(fd, parts, 2, offset) == (long)chunk->size &&
           system_write_at(fd, &kind, sizeof kind, offset + offsetof(struct trace_chunk, kind)) ==
               sizeof kind;
}

uint64_t trace_file_add(const struct trace_chunk *chunk, uint32_t kind)
{
    int fd = descriptor();
    uint64_t offset = take_range(fd, chunk->size);
    if (offset)
        allocate_ahead(fd, offset + chunk->size);
    if (!offset || write_copy(fd, offset, chunk, kind))
        return note_filled(offset, chunk->size);
    give_back_range(fd, offset, chunk->size);
    return 0;
}

/* The magic comes last: the process may be killed in the middle of this. */
static void fill_header(struct trace_file_header *h)
{
    struct utsname host;
    h->version = TRACE_VERSION;
    h->header_size = (uint32_t)file.page;
    h->features = TRACE_FEATURE_NONE;
    h->pid = (uint32_t)getpid();
    h->parent_pid = (uint32_t)getppid();
    h->clock = clock_kind;
    h->end = TRACE_RUNNING;
    h->clock_base = 0; /* so that ticks of all processes of a run compare */
    h->start_realtime_ns = clock_realtime_ns();
    h->calibration[0] = h->calibration[1] = clock_calibrate();
    h->hook_tables = file.tables;
    h->switched_ns = file.generation_ns;
    h->switched_generation = file.generation;
    h->probe_calls = file.cost.calls;
    h->probe_ticks = file.cost.ticks;
    if (uname(&host) == 0)
        snprintf(h->host, sizeof h->host, "%.63s", host.nodename);
    if (readlink("/proc/self/exe", h->program, sizeof h->program - 1) < 0)
        h->program[0] = '\0';
    __atomic_thread_fence(__ATOMIC_RELEASE);
    memcpy(h->magic, TRACE_MAGIC, sizeof h->magic);
}

/* The header is mapped at the old one's address if there is one: see trace_file_head. */
static bool map_header(int fd)
{
    void *at = trace_file_head == &no_header ? NULL : trace_file_head;
    int flags = MAP_SHARED | (at ? MAP_FIXED : 0);
    void *page = mmap(at, file.page, PROT_READ | PROT_WRITE, flags, fd, 0);
    if (page == MAP_FAILED)
        return false;
    trace_file_head = page;
    return true;
}

static bool create(void)
{
    struct stat s;
    if (!trace_file_may_grow_to(file.page))
        return false;
    int fd = create_unique();
    if (fd < 0)
        return false;
    if (!allocate(fd, 0, file.page) || fstat(fd, &s) != 0 || !map_header(fd)) {
        system_close(fd);
        unlink(file.path);
        return false;
    }
    file.device = s.st_dev;
    file.inode = s.st_ino;
    file.end = file.used = file.page;
    file.ahead = 0;
    file.fd = fd;
    fill_header(trace_file_head);
    return true;
}

void trace_file_probe_cost(struct probe_cost cost)
{
    file.cost = cost;
}

/* Two threads at once may both store theirs: one of two good answers stays. */
void trace_file_wrote_out(uint64_t bytes, uint64_t ticks)
{
    uint64_t share = ticks * 1024 * sizeof(struct trace_function) / bytes;
    uint32_t *least = &trace_file_head->write_out_ticks;
    uint32_t known = __atomic_load_n(least, __ATOMIC_RELAXED);
    if (share > 0 && share < (known ? known : UINT32_MAX))
        __atomic_store_n(least, (uint32_t)share, __ATOMIC_RELAXED);
}

bool trace_file_create(void)
{
    return create();
}

void trace_file_forked(void)
{
    if (is_ours(file.fd))
        system_close(file.fd);
    file.fd = -1;
    file.calibrating = file.giving = 0;
    extents_forked();
    free_ranges_forked();
    create();
}

void trace_file_switched(uint32_t generation, uint64_t since_ns)
{
    file.generation = generation;
    file.generation_ns = since_ns;
    if (file.fd < 0)
        return;
    __atomic_store_n(&trace_file_head->switched_ns, since_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&trace_file_head->switched_generation, generation, __ATOMIC_RELEASE);
}

void trace_file_count_tables(unsigned tables)
{
    file.tables += tables;
    if (file.fd >= 0)
        trace_file_head->hook_tables = file.tables;
}

uint32_t trace_file_next_thread(void)
{
    return file.fd < 0 ? 0 : __atomic_add_fetch(&trace_file_head->threads, 1, __ATOMIC_RELAXED);
}

_Static_assert(offsetof(struct trace_file_header, calibration) % 16 == 0 &&
                   offsetof(struct trace_file_header, given_back) % 16 == 0,
               "pairs are aligned");

void trace_file_calibrate(void)
{
    if (file.fd < 0 || __atomic_exchange_n(&file.calibrating, 1, __ATOMIC_ACQUIRE))
        return;
    struct trace_calibration now = clock_calibrate();
    store_pair(&trace_file_head->calibration[1], now.ticks, now.monotonic_ns);
    clock_learn(trace_file_head->calibration[0], now);
    __atomic_store_n(&file.calibrating, 0, __ATOMIC_RELEASE);
}

void trace_file_end(void)
{
    if (file.fd < 0)
        return;
    trace_file_calibrate();
    __atomic_store_n(&trace_file_head->end, TRACE_EXITED, __ATOMIC_RELEASE);
}
