/* load.c - closed-loop clients of memcached's text protocol, or of redis's.
 *
 *     load memcached|redis PORT[,PORT...] CONNECTIONS SECONDS VALUE_BYTES [MIX]
 *
 * One thread a connection, one request under way on each: 90 % get and 10 % set over 10,000 keys.
 * MIX may be "set", nothing but set; of redis "keys", one request in 2,000 looks through all keys
 * by KEYS; "scan", the same by SCAN, in steps of 100 keys, each a request. Several servers are
 * loaded in turns of 10 ms, SECONDS each and always in another order: what slows the machine down
 * for longer meets all of them. Prints for each server the number of requests, and the mean latency
 * and its 99th percentile as a client sees them.
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

/* Latencies are counted in steps of 1/64 of a power of two of ns. */
enum {
    KEYS = 10000,
    MOST_CONNECTIONS = 256,
    MOST_SERVERS = 16,
    MOST_VALUE = 4096,
    STEP_BITS = 6,
    STEPS = 1 << STEP_BITS,
    BUCKETS = 64 * STEPS
};
#define TURN_S 0.010

enum mix { MIX_GET, MIX_SET, MIX_KEYS, MIX_SCAN };

struct tally {
    unsigned long requests;
    double total_s;
    unsigned long buckets[BUCKETS];
};

struct client {
    pthread_t thread;
    unsigned seed;
    unsigned long cursor; /* where its SCAN is; 0: it has none under way */
    unsigned long round;
    int order[MOST_SERVERS]; /* in this round */
    struct tally tallies[MOST_SERVERS];
};

static int ports[MOST_SERVERS], servers, value_bytes, redis;
static enum mix mix;
static double start_s, end_s;

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

static int connect_server(int port)
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
    if (mix >= MIX_KEYS && (client->cursor || (client->seed >> 8) % 2000 == 0))
        return mix == MIX_KEYS
                   ? sprintf(text, "keys nothing*\r\n")
                   : sprintf(text, "scan %lu match nothing* count 100\r\n", client->cursor);
    if (mix != MIX_SET && (client->seed >> 4) % 10 != 0)
        return sprintf(text, "get k%u\r\n", key);
    int length = redis ? sprintf(text, "*3\r\n$3\r\nset\r\n$%d\r\nk%u\r\n$%d\r\n", digits(key) + 1,
                                 key, value_bytes)
                       : sprintf(text, "set k%u 0 0 %d\r\n", key, value_bytes);
    memset(text + length, 'v', (size_t)value_bytes);
    memcpy(text + length + value_bytes, "\r\n", 3);
    return length + value_bytes + 2;
}

/* A redis answer is "+OK", "$-1", or "$length" and as many bytes in a line of their own; of KEYS
 * and SCAN one that ends with an array of no keys. */
static int is_whole(const char *text, size_t length, int set)
{
    if (redis && text[0] == '*') {
        return length >= 4 && memcmp(text + length - 4, "*0\r\n", 4) == 0;
    } else if (redis) {
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
    text[0] = 0;
    while (!is_whole(text, length, set)) {
        ssize_t got = read(fd, text + length, 2 * MOST_VALUE - 1 - length);
        if (got <= 0)
            fail("read");
        length += (size_t)got;
    }
    text[length] = 0;
}

/* "*2", "$length", the cursor, "*0". */
static unsigned long read_cursor(const char *answer)
{
    unsigned long cursor = 0;
    return sscanf(answer, "*2 $%*u %lu", &cursor) == 1 ? cursor : 0;
}

static int bucket_of(double seconds)
{
    unsigned long ns = (unsigned long)(seconds * 1e9) | STEPS;
    int power = 63 - __builtin_clzl(ns);
    return power * STEPS + (int)(ns >> (power - STEP_BITS) & (STEPS - 1));
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

/* The same for all clients. */
static void shuffle(int *order, unsigned long round)
{
    unsigned long seed = round;
    for (int i = 0; i < servers; i++) {
        seed = seed * 6364136223846793005ul + 1442695040888963407ul;
        int at = (int)((seed >> 33) % (unsigned long)(i + 1));
        order[i] = order[at];
        order[at] = i;
    }
}

/* Whose turn it is. */
static int server_at(struct client *client, double time_s)
{
    unsigned long turn = (unsigned long)((time_s - start_s) / TURN_S);
    unsigned long round = turn / (unsigned long)servers + 1;
    if (round != client->round)
        shuffle(client->order, round);
    client->round = round;
    return client->order[turn % (unsigned long)servers];
}

static void tally(struct tally *tally, double taken_s)
{
    tally->total_s += taken_s;
    tally->requests++;
    tally->buckets[bucket_of(taken_s)]++;
}

static void *run_client(void *argument)
{
    struct client *client = argument;
    char text[2 * MOST_VALUE];
    int fds[MOST_SERVERS];
    for (int i = 0; i < servers; i++)
        fds[i] = connect_server(ports[i]);
    for (double start; (start = now_s()) < end_s;) {
        int server = server_at(client, start), fd = fds[server];
        int length = make_request(client, text);
        int set = text[0] != 'g';
        if (write(fd, text, (size_t)length) != length)
            fail("write");
        read_answer(fd, text, set);
        client->cursor = read_cursor(text);
        tally(&client->tallies[server], now_s() - start);
    }
    for (int i = 0; i < servers; i++)
        close(fds[i]);
    return NULL;
}

static void print_server(const struct client *clients, int count, int server)
{
    static struct tally all;
    memset(&all, 0, sizeof all);
    for (int i = 0; i < count; i++) {
        const struct tally *one = &clients[i].tallies[server];
        all.requests += one->requests;
        all.total_s += one->total_s;
        for (int k = 0; k < BUCKETS; k++)
            all.buckets[k] += one->buckets[k];
    }
    printf("%lu requests, mean %.1f us, p99 %.1f us\n", all.requests,
           all.total_s / (double)all.requests * 1e6, percentile_s(all.buckets, 0.99) * 1e6);
}

static void read_ports(char *list)
{
    for (char *port = strtok(list, ","); port && servers < MOST_SERVERS; port = strtok(NULL, ","))
        ports[servers++] = atoi(port);
    if (servers == 0)
        exit(2);
}

static enum mix mix_of(const char *name)
{
    static const char *const names[] = {"get", "set", "keys", "scan"};
    for (int i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0)
            return (enum mix)i;
    exit(2);
}

int main(int argc, char **argv)
{
    static struct client clients[MOST_CONNECTIONS];
    if (argc != 6 && argc != 7)
        return 2;
    mix = argc == 7 ? mix_of(argv[6]) : MIX_GET;
    redis = strcmp(argv[1], "redis") == 0;
    read_ports(argv[2]);
    int count = atoi(argv[3]);
    value_bytes = atoi(argv[5]);
    if (count < 1 || count > MOST_CONNECTIONS || value_bytes < 1 || value_bytes > MOST_VALUE)
        return 2;
    start_s = now_s();
    end_s = start_s + atof(argv[4]) * servers;
    for (int i = 0; i < count; i++) {
        clients[i].seed = (unsigned)i * 7919 + 1;
        pthread_create(&clients[i].thread, NULL, run_client, &clients[i]);
    }
    for (int i = 0; i < count; i++)
        pthread_join(clients[i].thread, NULL);
    for (int i = 0; i < servers; i++)
        print_server(clients, count, i);
    return 0;
}
