#include "runtime/channel.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/pages.h"
#include "trace/trace_format.h"

/* The objects of a process's eventfds repeat after so many numbers. */
enum { EVENTFD_NUMBER_BITS = 14 };

enum channel_kind {
    CHANNEL_PIPE = 1,
    CHANNEL_EVENTFD = 2,
    CHANNEL_SOCKET = 3,
    CHANNEL_MESSAGES = 4
};

/* The table of waiters does not look at the three lowest bits of an object. */
#define OBJECT(kind, which)                                                                        \
    (TRACE_CHANNEL << 48 | (uint64_t)(kind) << 40 | ((uint64_t)(which) << 3 & ((1ull << 40) - 1)))
#define KIND(object) ((unsigned)((object) >> 40 & 0xff))

struct channel *channel_table;

static void channel_set(int fd, uint64_t read, uint64_t write)
{
    const size_t bytes = CHANNEL_DESCRIPTORS * sizeof(struct channel);
    struct channel *table =
        (unsigned)fd < CHANNEL_DESCRIPTORS ? pages_take_once(&channel_table, bytes) : NULL;
    if (!table)
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
    uint64_t object = OBJECT(CHANNEL_EVENTFD, (uint64_t)(uint32_t)getpid() << EVENTFD_NUMBER_BITS |
                                                  (number & ((1u << EVENTFD_NUMBER_BITS) - 1)));
    channel_set(fd, object, object);
    errno = error;
}

/* Each direction is named by the end that reads. */
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
