/* load.c - closed-loop clients of memcached's text protocol, or of redis's.
 *
 *     load memcached|redis PORT CONNECTIONS SECONDS VALUE_BYTES
 *
 * One thread a connection, one request under way on each: 90 % get and 10 % set over 10,000 keys.
 * Prints the number of requests, and the mean latency and its 99th percentile as a client sees
 * them.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Latencies are counted in steps of 1/16 of a power of two of ns. */
enum { KEYS = 10000, MOST_CONNECTIONS = 256, MOST_VALUE = 4096, STEPS = 16, BUCKETS = 64 * STEPS };

struct client {
    pthread_t thread;
    unsigned seed;
    unsigned long requests;
    double total_s;
    unsigned long buckets[BUCKETS];
};

static int port, value_bytes, redis;
static double end_s;

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static int connect_server(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((unsigned short)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    for (int tries = 0; connect(fd, (struct sockaddr *)&address, sizeof address) != 0; tries++) {
        if (tries == 100)
            fail("connect");
        usleep(50000);
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static int digits(unsigned number)
{
    return number < 10 ? 1 : 1 + digits(number / 10);
}

static int make_request(struct client *client, char *text)
{
    client->seed = client->seed * 1103515245u + 12345u;
    unsigned key = (client->seed >> 8) % KEYS;
    if ((client->seed >> 4) % 10 != 0)
        return sprintf(text, "get k%u\r\n", key);
    int length = redis ? sprintf(text, "*3\r\n$3\r\nset\r\n$%d\r\nk%u\r\n$%d\r\n", digits(key) + 1,
                                 key, value_bytes)
                       : sprintf(text, "set k%u 0 0 %d\r\n", key, value_bytes);
    memset(text + length, 'v', (size_t)value_bytes);
    memcpy(text + length + value_bytes, "\r\n", 3);
    return length + value_bytes + 2;
}

/* A redis answer is "+OK", "$-1", or "$length" and as many bytes in a line of their own. */
static int is_whole(const char *text, size_t length, int set)
{
    if (redis) {
        const char *end = memchr(text, '\n', length);
        long bytes = end && text[0] == '$' ? strtol(text + 1, NULL, 10) : -1;
        return end && length == (size_t)(end + 1 - text) + (bytes < 0 ? 0 : (size_t)bytes + 2);
    }
    const char *end = set ? "\r\n" : "END\r\n";
    return length >= strlen(end) && memcmp(text + length - strlen(end), end, strlen(end)) == 0;
}

static void read_answer(int fd, char *text, int set)
{
    size_t length = 0;
    while (!is_whole(text, length, set)) {
        ssize_t got = read(fd, text + length, 2 * MOST_VALUE - length);
        if (got <= 0)
            fail("read");
        length += (size_t)got;
    }
}

static int bucket_of(double seconds)
{
    unsigned long ns = (unsigned long)(seconds * 1e9) | STEPS;
    int power = 63 - __builtin_clzl(ns);
    return power * STEPS + (int)(ns >> (power - 4) & (STEPS - 1));
}

static double bucket_middle_s(int bucket)
{
    double unit = (double)(1ul << (bucket / STEPS)) / STEPS;
    return unit * (STEPS + bucket % STEPS + 0.5) * 1e-9;
}

static double percentile_s(const unsigned long *buckets, double share)
{
    unsigned long all = 0, below = 0;
    for (int i = 0; i < BUCKETS; i++)
        all += buckets[i];
    for (int i = 0; i < BUCKETS; i++)
        if ((below += buckets[i]) >= (double)all * share)
            return bucket_middle_s(i);
    return 0;
}

static void *run_client(void *argument)
{
    struct client *client = argument;
    char text[2 * MOST_VALUE];
    int fd = connect_server();
    for (double start; (start = now_s()) < end_s;) {
        int length = make_request(client, text);
        int set = text[0] != 'g';
        if (write(fd, text, (size_t)length) != length)
            fail("write");
        read_answer(fd, text, set);
        double taken_s = now_s() - start;
        client->total_s += taken_s;
        client->requests++;
        client->buckets[bucket_of(taken_s)]++;
    }
    close(fd);
    return NULL;
}

int main(int argc, char **argv)
{
    static struct client clients[MOST_CONNECTIONS], all;
    if (argc != 6)
        return 2;
    redis = strcmp(argv[1], "redis") == 0;
    port = atoi(argv[2]);
    int count = atoi(argv[3]);
    value_bytes = atoi(argv[5]);
    if (count < 1 || count > MOST_CONNECTIONS || value_bytes < 1 || value_bytes > MOST_VALUE)
        return 2;
    end_s = now_s() + atof(argv[4]);
    for (int i = 0; i < count; i++) {
        clients[i].seed = (unsigned)i * 7919 + 1;
        pthread_create(&clients[i].thread, NULL, run_client, &clients[i]);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(clients[i].thread, NULL);
        all.requests += clients[i].requests;
        all.total_s += clients[i].total_s;
        for (int k = 0; k < BUCKETS; k++)
            all.buckets[k] += clients[i].buckets[k];
    }
    printf("%lu requests, mean %.1f us, p99 %.1f us\n", all.requests,
           all.total_s / (double)all.requests * 1e6, percentile_s(all.buckets, 0.99) * 1e6);
    return 0;
}
