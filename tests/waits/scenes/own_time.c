#include "own_time.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_NAMES = 64, MOST_WHOM = 8, MOST_FACTS = 16 };

struct own_wait {
    const char *whom;
    int64_t count, wall_ns, blocked_ns, longest_ns;
};

struct own_thread {
    const char *name;
    int schedstat;
    struct own_moment begun, lived;
    int64_t members;
    struct own_wait waits[MOST_WHOM];
    int wait_count;
};

static __thread struct own_thread self;
static struct own_thread ended[MOST_NAMES]; /* by name */
static int ended_count;
static struct {
    const char *name;
    int64_t value;
} facts[MOST_FACTS];
static int fact_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void require(bool true_, const char *what)
{
    if (true_)
        return;
    perror(what);
    exit(1);
}

static int64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static int64_t wanted_ns(int schedstat)
{
    char text[96];
    ssize_t length = pread(schedstat, text, sizeof text - 1, 0);
    long long ran, wanted;
    require(length > 0, "schedstat");
    text[length] = '\0';
    require(sscanf(text, "%lld %lld", &ran, &wanted) == 2, "schedstat");
    return wanted;
}

bool own_can_tell(void)
{
    return access("/proc/thread-self/schedstat", R_OK) == 0;
}

/* Of one moment: where it has wanted a processor meanwhile, once more. */
struct own_moment own_now(void)
{
    struct own_moment now;
    int64_t wanted;
    do {
        wanted = wanted_ns(self.schedstat);
        now.wall_ns = clock_ns(CLOCK_MONOTONIC);
        now.cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        now.wanted_ns = wanted_ns(self.schedstat);
    } while (now.wanted_ns != wanted);
    return now;
}

void own_begin(const char *name)
{
    self = (struct own_thread){.name = name, .members = 1};
    pthread_setname_np(pthread_self(), name);
    self.schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    require(self.schedstat >= 0, "schedstat");
    self.begun = own_now();
}

static struct own_wait *wait_for(struct own_thread *thread, const char *whom)
{
    int i = 0;
    while (i < thread->wait_count && strcmp(thread->waits[i].whom, whom) != 0)
        i++;
    require(i < MOST_WHOM, "waits for too many");
    if (i == thread->wait_count)
        thread->waits[thread->wait_count++] = (struct own_wait){.whom = whom};
    return &thread->waits[i];
}

void own_waited(const struct own_moment *since, const char *whom)
{
    struct own_moment now = own_now();
    struct own_wait *wait = wait_for(&self, whom);
    int64_t wall = now.wall_ns - since->wall_ns;
    int64_t blocked = wall - (now.cpu_ns - since->cpu_ns) - (now.wanted_ns - since->wanted_ns);
    wait->count++;
    wait->wall_ns += wall;
    wait->blocked_ns += blocked;
    wait->longest_ns = blocked > wait->longest_ns ? blocked : wait->longest_ns;
}

static struct own_thread *ended_like(const char *name)
{
    int i = 0;
    while (i < ended_count && strcmp(ended[i].name, name) != 0)
        i++;
    require(i < MOST_NAMES, "too many names");
    if (i == ended_count)
        ended[ended_count++] = (struct own_thread){.name = name};
    return &ended[i];
}

void own_end(void)
{
    struct own_moment now = own_now();
    close(self.schedstat);
    pthread_mutex_lock(&lock);
    struct own_thread *sum = ended_like(self.name);
    sum->members++;
    sum->lived.wall_ns += now.wall_ns - self.begun.wall_ns;
    sum->lived.cpu_ns += now.cpu_ns - self.begun.cpu_ns;
    sum->lived.wanted_ns += now.wanted_ns - self.begun.wanted_ns;
    for (int i = 0; i < self.wait_count; i++) {
        const struct own_wait *wait = &self.waits[i];
        struct own_wait *all = wait_for(sum, wait->whom);
        all->count += wait->count;
        all->wall_ns += wait->wall_ns;
        all->blocked_ns += wait->blocked_ns;
        all->longest_ns = wait->longest_ns > all->longest_ns ? wait->longest_ns : all->longest_ns;
    }
    pthread_mutex_unlock(&lock);
}

void own_fact(const char *name, int64_t value)
{
    require(fact_count < MOST_FACTS, "too many facts");
    facts[fact_count].name = name;
    facts[fact_count++].value = value;
}

static void write_thread(FILE *out, const struct own_thread *thread, bool first)
{
    fprintf(out,
            "%s\n  {\"name\": \"%s\", \"members\": %lld, \"lived_ns\": %lld, \"cpu_ns\": %lld, "
            "\"wanted_ns\": %lld, \"waits\": [",
            first ? "" : ",", thread->name, (long long)thread->members,
            (long long)thread->lived.wall_ns, (long long)thread->lived.cpu_ns,
            (long long)thread->lived.wanted_ns);
    for (int i = 0; i < thread->wait_count; i++)
        fprintf(out,
                "%s\n    {\"whom\": \"%s\", \"count\": %lld, \"wall_ns\": %lld, "
                "\"blocked_ns\": %lld, \"longest_ns\": %lld}",
                i ? "," : "", thread->waits[i].whom, (long long)thread->waits[i].count,
                (long long)thread->waits[i].wall_ns, (long long)thread->waits[i].blocked_ns,
                (long long)thread->waits[i].longest_ns);
    fprintf(out, "]}");
}

bool own_write(const char *path, int64_t done, int64_t wall_ns)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return false;
    fprintf(out, "{\"done\": %lld, \"wall_ns\": %lld, \"threads\": [", (long long)done,
            (long long)wall_ns);
    for (int i = 0; i < ended_count; i++)
        write_thread(out, &ended[i], i == 0);
    fprintf(out, "], \"facts\": {");
    for (int i = 0; i < fact_count; i++)
        fprintf(out, "%s\"%s\": %lld", i ? ", " : "", facts[i].name, (long long)facts[i].value);
    fprintf(out, "}}\n");
    return fclose(out) == 0;
}
