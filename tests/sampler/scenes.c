/* scenes SCENE ROUNDS - what the kernel's scheduler is then seen to do.
 *
 *     pingpong   two threads take turns by a mutex and a condition
 *     sleeps     usleep(2000)
 *     tcp        a thread echoes what the main thread sends over loopback
 *     hogs       a thread that computes and sleeps, and two that compute
 *     faults     the pages of a file (the third argument) are read through a mapping
 *     titles     two processes take turns by pipes, and say what they are over their arguments (the third has room)
 *
 * All but `sleeps` are on one processor.
 *
 * Prints "tid NAME NUMBER" for each thread, so that the test need not guess. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int rounds;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static int whose;
static atomic_bool over;

static void name_thread(const char *name)
{
    pthread_setname_np(pthread_self(), name);
    printf("tid %s %ld\n", name, syscall(SYS_gettid));
    fflush(stdout);
}

static void take_turns(int mine)
{
    for (int i = 0; i < rounds; i++) {
        pthread_mutex_lock(&lock);
        while (whose != mine)
            pthread_cond_wait(&turn, &lock);
        whose = !mine;
        pthread_cond_signal(&turn);
        pthread_mutex_unlock(&lock);
    }
}

static void *pong(void *unused)
{
    name_thread("pong");
    take_turns(1);
    return unused;
}

static void pingpong(void)
{
    pthread_t other;
    pthread_create(&other, NULL, pong, NULL);
    take_turns(0);
    pthread_join(other, NULL);
}

static void *echo(void *socket_of)
{
    char byte;
    int in = accept(*(int *)socket_of, NULL, NULL);
    name_thread("echo");
    while (read(in, &byte, 1) == 1 && write(in, &byte, 1) == 1)
        ;
    close(in);
    return NULL;
}

static void tcp(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    pthread_t other;
    char byte = 0;
    int listener = socket(AF_INET, SOCK_STREAM, 0), out = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&at, size) || listen(listener, 1) ||
        getsockname(listener, (struct sockaddr *)&at, &size))
        exit(1);
    pthread_create(&other, NULL, echo, &listener);
    if (connect(out, (struct sockaddr *)&at, size))
        exit(1);
    for (int i = 0; i < rounds; i++)
        if (write(out, &byte, 1) != 1 || read(out, &byte, 1) != 1)
            exit(1);
    close(out);
    pthread_join(other, NULL);
}

static void *hog(void *name)
{
    name_thread(name);
    while (!atomic_load(&over))
        ;
    return NULL;
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void compute_ms(double ms)
{
    double until = seconds(CLOCK_THREAD_CPUTIME_ID) + 1e-3 * ms;
    while (seconds(CLOCK_THREAD_CPUTIME_ID) < until)
        ;
}

static void hogs(void)
{
    pthread_t others[2];
    pthread_create(&others[0], NULL, hog, "hog_a");
    pthread_create(&others[1], NULL, hog, "hog_b");
    for (int i = 0; i < rounds; i++) {
        compute_ms(2);
        usleep(1000);
    }
    atomic_store(&over, true);
    pthread_join(others[0], NULL);
    pthread_join(others[1], NULL);
}

static void faults(const char *path)
{
    struct stat status;
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &status))
        exit(1);
    fsync(file);
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
    volatile const char *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, file, 0);
    madvise((void *)(unsigned long)bytes, (size_t)status.st_size, MADV_RANDOM);
    long sum = 0;
    for (off_t at = 0; at < status.st_size; at += 65536)
        sum += bytes[at];
    printf("sum %ld\n", sum);
}

/* What "ps" then shows, and the kernel's "cmdline". */
static void set_title(int argc, char **argv, const char *title)
{
    size_t room = (size_t)(argv[argc - 1] + strlen(argv[argc - 1]) - argv[0]);
    memset(argv[0], 0, room);
    strncpy(argv[0], title, room - 1);
}

static pid_t start_turns(int argc, char **argv, const char *title, int in, int out, int pause_us)
{
    char byte = 0;
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    set_title(argc, argv, title);
    for (int i = 0; i < rounds; i++) {
        if (read(in, &byte, 1) != 1)
            _exit(1);
        usleep((useconds_t)pause_us);
        if (write(out, &byte, 1) != 1)
            _exit(1);
    }
    _exit(0);
}

static void titles(int argc, char **argv)
{
    int there[2], back[2];
    if (pipe(there) || pipe(back) || write(there[1], "", 1) != 1)
        exit(1);
    pid_t writer = start_turns(argc, argv, "toy: writer", there[0], back[1], 2000);
    pid_t reader = start_turns(argc, argv, "toy: reader 7 [idle]", back[0], there[1], 1000);
    printf("tid writer %d\ntid reader %d\n", (int)writer, (int)reader);
    fflush(stdout);
    waitpid(writer, NULL, 0);
    waitpid(reader, NULL, 0);
}

/* Threads of one processor must wait for each other. */
static void use_one_processor(void)
{
    cpu_set_t all, one;
    int processor = 0;
    sched_getaffinity(0, sizeof all, &all);
    while (!CPU_ISSET(processor, &all))
        processor++;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
}

int main(int argc, char **argv)
{
    const char *scene = argc > 2 ? argv[1] : "";
    rounds = argc > 2 ? atoi(argv[2]) : 0;
    name_thread("first");
    if (strcmp(scene, "sleeps") != 0)
        use_one_processor();
    if (strcmp(scene, "pingpong") == 0)
        pingpong();
    else if (strcmp(scene, "tcp") == 0)
        tcp();
    else if (strcmp(scene, "hogs") == 0)
        hogs();
    else if (strcmp(scene, "faults") == 0 && argc > 3)
        faults(argv[3]);
    else if (strcmp(scene, "titles") == 0 && argc > 3)
        titles(argc, argv);
    for (int i = 0; strcmp(scene, "sleeps") == 0 && i < rounds; i++)
        usleep(2000);
    return 0;
}
