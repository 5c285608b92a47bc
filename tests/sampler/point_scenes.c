/* point_scenes SCENE [ARGUMENT]... - programs whose points are watched. Each says when things were, by
 * CLOCK_MONOTONIC: what a hit tells lies between two of those moments. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__clang__)
#define OWN static __attribute__((noinline, used))
#else
#define OWN static __attribute__((noinline, noclone, used))
#endif

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void pause_us(long us)
{
    struct timespec time = {us / 1000000, us % 1000000 * 1000};
    while (nanosleep(&time, &time) != 0)
        ;
}

/* ---- calls: what is around a call, and within it ---- */

static int64_t first_within, last_within;

OWN int handle_request(long us)
{
    first_within = now_ns();
    if (us)
        pause_us(us);
    last_within = now_ns();
    return (int)us + 1;
}

static void call(long us)
{
    int64_t before = now_ns();
    handle_request(us);
    int64_t after = now_ns();
    printf("call %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", before, first_within,
           last_within, after);
}

static int calls(int count, long us)
{
    for (int i = 0; i < count; i++)
        call(us);
    return 0;
}

/* ---- a call in itself, one that a jump leaves, one that ends in another ---- */

static jmp_buf back;

OWN int recurse(int depth)
{
    volatile int rest = depth ? recurse(depth - 1) : 0;
    return rest + 1;
}

OWN int leave(int by_jump)
{
    volatile int some = by_jump;
    if (some == 1)
        longjmp(back, 1);
    return some;
}

OWN int reply(int n)
{
    pause_us(1000);
    return n * 3;
}

OWN int serve_last(int n)
{
    return n & 1 ? reply(n + 1) : reply(n + 2); /* compiled to jumps */
}

OWN int tail_self(int n)
{
    __asm__ volatile("" ::: "memory");
    return n ? tail_self(n - 1) : 7;
}

static int (*kinds[2])(int) = {reply, tail_self};

OWN int dispatch(int n)
{
    return kinds[n & 1](n);
}

OWN int choose(int n)
{
    switch (n) {
    case 0:
        return reply(0) + 1;
    case 1:
        return tail_self(1) * 3;
    case 2:
        return recurse(2) - 4;
    case 3:
        return recurse(1) * 5;
    case 4:
        return reply(7) / 2;
    case 5:
        return reply(8) * 9;
    default:
        return 2 * n;
    }
}

#if defined(__x86_64__)
/* It jumps to its own beginning. */
int begin_again(int n);
__asm__(".text\n.globl begin_again\n.type begin_again,@function\n"
        "begin_again: test %edi,%edi\n je 1f\n dec %edi\n jmp begin_again\n1: ret\n"
        ".size begin_again,.-begin_again\n");
#else
static int begin_again(int n)
{
    return n;
}
#endif

static int shapes(void)
{
    for (int i = 0; i < 3; i++)
        recurse(4);
    for (volatile int i = 0; i < 6; i++)
        if (setjmp(back) == 0)
            leave(i % 3);
    for (int i = 0; i < 5; i++) {
        int64_t before = now_ns();
        serve_last(i);
        printf("served %" PRId64 " %" PRId64 "\n", before, now_ns());
        reply(i); /* not by it */
    }
    for (int i = 0; i < 2; i++)
        tail_self(3);
    for (int i = 0; i < 4; i++)
        begin_again(3);
    for (int i = 0; i < 4; i++)
        dispatch(i);
    for (int i = 0; i < 4; i++)
        choose(i);
    return 0;
}

/* ---- from one thread to another ---- */

struct item {
    int64_t begun, ended;
    int number;
};
static struct item items[64];
static int pipe_ends[2];

OWN void begin_item(int kind, struct item *item)
{
    __asm__ volatile("" ::"r"(kind));
    item->begun = now_ns();
}

OWN void finish_item(struct item *item)
{
    item->ended = now_ns();
}

static void *work(void *context)
{
    struct item *item;
    (void)context;
    while (read(pipe_ends[0], &item, sizeof item) == sizeof item) {
        pause_us(500);
        finish_item(item);
    }
    return NULL;
}

static int hand_off(int count)
{
    pthread_t threads[2];
    if (pipe(pipe_ends) != 0)
        return 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < count; i++) {
        struct item *item = &items[i];
        begin_item(3, item);
        if (write(pipe_ends[1], &item, sizeof item) != sizeof item)
            return 1;
        pause_us(100);
    }
    close(pipe_ends[1]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < count; i++)
        printf("item %" PRIu64 " %" PRId64 " %" PRId64 "\n", (uint64_t)(uintptr_t)&items[i],
               items[i].begun, items[i].ended);
    return 0;
}

/* ---- static probes, as sys/sdt.h has them ---- */

#if defined(__x86_64__)
static unsigned short scenes_query_start_semaphore __attribute__((section(".probes"), used));
static unsigned short scenes_query_done_semaphore __attribute__((section(".probes"), used));
/* The place, and its note: where it is, the base, the counter, names and arguments. */
#define PROBE(name, counter, arguments, ...)                                                       \
    __asm__ volatile("990: nop\n"                                                                  \
                     ".pushsection .note.stapsdt,\"\",\"note\"\n"                                  \
                     ".balign 4\n"                                                                 \
                     ".4byte 992f-991f,994f-993f,3\n"                                              \
                     "991: .asciz \"stapsdt\"\n"                                                   \
                     "992: .balign 4\n"                                                            \
                     "993: .8byte 990b\n"                                                          \
                     ".8byte _.stapsdt.base\n"                                                     \
                     ".8byte " counter "\n"                                                        \
                     ".asciz \"scenes\"\n"                                                         \
                     ".asciz \"" name "\"\n"                                                       \
                     ".asciz \"" arguments "\"\n"                                                  \
                     "994: .balign 4\n"                                                            \
                     ".popsection\n"                                                               \
                     ".ifndef _.stapsdt.base\n"                                                    \
                     ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"       \
                     ".weak _.stapsdt.base\n.hidden _.stapsdt.base\n"                              \
                     "_.stapsdt.base: .space 1\n.size _.stapsdt.base,1\n"                          \
                     ".popsection\n.endif\n" ::__VA_ARGS__)

OWN void query(long number)
{
    volatile long kept[4] = {0, 0, number, 0};
    int64_t begin = now_ns();
    PROBE("query__start", "scenes_query_start_semaphore", "8@%0 -4@%1", "r"(number),
          "r"((int)-number));
    pause_us(300);
    PROBE("query__done", "scenes_query_done_semaphore", "-4@$5 8@%0 8@(%1)", "m"(kept[2]),
          "r"(kept));
    printf("query %" PRId64 " %" PRId64 " %d\n", begin, now_ns(), scenes_query_start_semaphore);
}
#else
OWN void query(long number)
{
    (void)number;
}
#endif

static int queries(int count)
{
    for (int i = 0; i < count; i++)
        query(100 + i);
    return 0;
}

/* ---- servers ---- */

static uint64_t state;

static long uniform_us(long most)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (long)(state % (uint64_t)most);
}

static void *serve_one(void *context)
{
    int fd = (int)(intptr_t)context;
    uint32_t wanted_us;
    while (read(fd, &wanted_us, sizeof wanted_us) == sizeof wanted_us) {
        pause_us(wanted_us);
        if (write(fd, &wanted_us, sizeof wanted_us) != sizeof wanted_us)
            break;
    }
    close(fd);
    return NULL;
}

static void serve_threads(int listener, int clients)
{
    pthread_t threads[16];
    for (int i = 0; i < clients; i++)
        pthread_create(&threads[i], NULL, serve_one,
                       (void *)(intptr_t)accept(listener, NULL, NULL));
    for (int i = 0; i < clients; i++)
        pthread_join(threads[i], NULL);
}

static void serve_events(int listener, int clients)
{
    int set = epoll_create1(0), open = clients;
    struct epoll_event event = {.events = EPOLLIN};
    for (int i = 0; i < clients; i++) {
        event.data.fd = accept(listener, NULL, NULL);
        epoll_ctl(set, EPOLL_CTL_ADD, event.data.fd, &event);
    }
    while (open && epoll_wait(set, &event, 1, -1) == 1) {
        uint32_t wanted_us;
        if (recv(event.data.fd, &wanted_us, sizeof wanted_us, 0) == sizeof wanted_us) {
            pause_us(wanted_us);
            send(event.data.fd, &wanted_us, sizeof wanted_us, 0);
        } else {
            open--;
            close(event.data.fd);
        }
    }
}

static void ask(const struct sockaddr_in *address, int requests, int seed)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(fd, (const void *)address, sizeof *address) != 0)
        _exit(1);
    setvbuf(stdout, NULL, _IOLBF, 4096); /* whole lines, beside those of others */
    state = 88172645463325252u + (uint64_t)seed * 977;
    for (int i = 0; i < requests; i++) {
        uint32_t us = (uint32_t)uniform_us(10000);
        int64_t begin = now_ns();
        if (write(fd, &us, sizeof us) != sizeof us || read(fd, &us, sizeof us) != sizeof us)
            _exit(1);
        printf("asked %d %" PRId64 " %" PRId64 " %u\n", seed, begin, now_ns(), us);
        pause_us(500);
    }
    fflush(stdout);
    _exit(0);
}

static int echo(const char *how, int clients, int requests)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (const void *)&address, sizeof address) != 0 || listen(listener, 16) != 0 ||
        getsockname(listener, (void *)&address, &length) != 0)
        return 1;
    fflush(stdout);
    for (int i = 0; i < clients; i++)
        if (fork() == 0)
            ask(&address, requests, i);
    if (strcmp(how, "threads") == 0)
        serve_threads(listener, clients);
    else
        serve_events(listener, clients);
    while (wait(NULL) > 0)
        ;
    return 0;
}

/* ---- what a point costs ---- */

OWN int nothing(int n)
{
    __asm__ volatile("" ::: "memory");
    return n + 1;
}

/* Of the processor's time, which others have no part in. */
static int64_t own_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int cost(int count)
{
    int64_t begin = own_ns();
    for (int i = 0; i < count; i++)
        nothing(i);
    printf("cost %.1f\n", (double)(own_ns() - begin) / count);
    return 0;
}

static int reads(int count)
{
    int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    char byte;
    int64_t begin = own_ns();
    for (int i = 0; i < count; i++)
        if (read(fd, &byte, 1) != 1)
            return 1;
    printf("cost %.1f\n", (double)(own_ns() - begin) / count);
    return close(fd);
}

int main(int argc, char **argv)
{
    const char *scene = argc > 1 ? argv[1] : "";
    int n = argc > 2 ? atoi(argv[2]) : 0, m = argc > 3 ? atoi(argv[3]) : 0;
    setvbuf(stdout, NULL, _IOFBF, 1 << 20);
    if (strcmp(scene, "calls") == 0)
        return calls(n, m);
    if (strcmp(scene, "shapes") == 0)
        return shapes();
    if (strcmp(scene, "hand_off") == 0)
        return hand_off(n < 64 ? n : 64);
    if (strcmp(scene, "queries") == 0)
        return queries(n);
    if (strcmp(scene, "threads") == 0 || strcmp(scene, "events") == 0)
        return echo(scene, n, m);
    if (strcmp(scene, "cost") == 0)
        return cost(n);
    if (strcmp(scene, "reads") == 0)
        return reads(n);
    if (strcmp(scene, "later") == 0) { /* a process that begins after a while */
        pause_us(200000);
        fflush(stdout);
        if (fork() == 0)
            exit(calls(n, m));
        return wait(NULL) < 0;
    }
    fprintf(stderr, "point_scenes: no scene %s\n", scene);
    return 2;
}
