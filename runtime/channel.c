#include "runtime/channel.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/trace_format.h"

enum channel_kind {
    CHANNEL_PIPE = 1,
    CHANNEL_EVENTFD = 2,
    CHANNEL_SOCKET = 3,
    CHANNEL_MESSAGES = 4
};

/* The three lowest bits are no part of what tells objects apart in the table of waiters. */
#define OBJECT(kind, which)                                                                        \
    (TRACE_CHANNEL << 48 | (uint64_t)(kind) << 40 | ((uint64_t)(which) << 3 & ((1ull << 40) - 1)))
#define KIND(object) ((unsigned)((object) >> 40 & 0xff))

struct channel *channel_table;

/* Private: a forked child has a copy of its own, as it has of the descriptors. Touched pages only
 * take memory. */
static struct channel *table_make(void)
{
    size_t size = CHANNEL_DESCRIPTORS * sizeof(struct channel);
    struct channel *none = NULL;
    struct channel *made = mmap(NULL, size, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED)
        return NULL;
    if (__atomic_compare_exchange_n(&channel_table, &none, made, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return made;
    munmap(made, size);
    return none;
}

static void channel_set(int fd, uint64_t read, uint64_t write)
{
    struct channel *table = __atomic_load_n(&channel_table, __ATOMIC_ACQUIRE);
    if ((unsigned)fd >= CHANNEL_DESCRIPTORS || (!table && !(table = table_make())))
        return;
    __atomic_store_n(&table[fd].read, read, __ATOMIC_RELAXED);
    __atomic_store_n(&table[fd].write, write, __ATOMIC_RELAXED);
}

static uint64_t inode_object(enum channel_kind kind, int fd)
{
    struct stat s;
    return fstat(fd, &s) == 0 ? OBJECT(kind, s.st_ino) : 0;
}

void channel_add_pipe(const int fds[2])
{
    int error = errno;
    uint64_t object = inode_object(CHANNEL_PIPE, fds[0]);
    channel_set(fds[0], object, 0);
    channel_set(fds[1], 0, object);
    errno = error;
}

/* All eventfds have one inode: they are told apart by who made them. */
void channel_add_eventfd(int fd)
{
    static uint32_t made;
    int error = errno;
    uint32_t number = __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
    uint64_t object =
        OBJECT(CHANNEL_EVENTFD, (uint64_t)(uint32_t)getpid() << 14 | (number & 0x3fff));
    channel_set(fd, object, object);
    errno = error;
}

/* Each way is named by the end that reads. */
void channel_add_socket_pair(const int fds[2], int type)
{
    int error = errno;
    bool stream = (type & ~(SOCK_CLOEXEC | SOCK_NONBLOCK)) == SOCK_STREAM;
    enum channel_kind kind = stream ? CHANNEL_SOCKET : CHANNEL_MESSAGES;
    uint64_t ends[2] = {inode_object(kind, fds[0]), inode_object(kind, fds[1])};
    channel_set(fds[0], ends[0], ends[1]);
    channel_set(fds[1], ends[1], ends[0]);
    errno = error;
}

void channel_forget(int fd)
{
    if (channel_read(fd) || channel_write(fd))
        channel_set(fd, 0, 0);
}

enum channel_unit channel_unit(uint64_t object)
{
    switch (KIND(object)) {
    case CHANNEL_EVENTFD:
        return CHANNEL_UNIT_COUNT;
    case CHANNEL_MESSAGES:
        return CHANNEL_UNIT_MESSAGE;
    default:
        return CHANNEL_UNIT_BYTE;
    }
}

/* An eventfd's inode has no type. A socket's own inode is the one it reads by. */
bool channel_is(int fd, uint64_t object)
{
    struct stat s;
    int error = errno;
    bool open = fstat(fd, &s) == 0;
    errno = error;
    if (!open)
        return false;
    switch (KIND(object)) {
    case CHANNEL_PIPE:
        return S_ISFIFO(s.st_mode) && OBJECT(CHANNEL_PIPE, s.st_ino) == object;
    case CHANNEL_SOCKET:
    case CHANNEL_MESSAGES:
        return S_ISSOCK(s.st_mode) && OBJECT(KIND(object), s.st_ino) == channel_read(fd);
    default:
        return (s.st_mode & S_IFMT) == 0;
    }
}
