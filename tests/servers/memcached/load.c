/* load.c - closed-loop clients of memcached's text protocol.
 *
 *     load PORT CONNECTIONS SECONDS VALUE_BYTES
 *
 * One thread a connection, one request under way on each: 90 % get and 10 % set over 10,000 keys.
 * Prints the number of requests and the mean latency as a client sees it.
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

enum { KEYS = 10000, MOST_CONNECTIONS = 256, MOST_VALUE = 4096 };

struct client {
    pthread_t thread;
    unsigned seed;
    unsigned long requests;
    double total_s;
};

static int port, value_bytes;
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

static int make_request(struct client *client, char *text)
{
    client->seed = client->seed * 1103515245u + 12345u;
    unsigned key = (client->seed >> 8) % KEYS;
    if ((client->seed >> 4) % 10 != 0)
        return sprintf(text, "get k%u\r\n", key);
    int length = sprintf(text, "set k%u 0 0 %d\r\n", key, value_bytes);
    memset(text + length, 'v', (size_t)value_bytes);
    memcpy(text + length + value_bytes, "\r\n", 3);
    return length + value_bytes + 2;
}

static void read_answer(int fd, char *text, int set)
{
    const char *end = set ? "\r\n" : "END\r\n";
    size_t length = 0, tail = strlen(end);
    while (length < tail || memcmp(text + length - tail, end, tail) != 0) {
        ssize_t got = read(fd, text + length, 2 * MOST_VALUE - length);
        if (got <= 0)
            fail("read");
        length += (size_t)got;
    }
}

static void *run_client(void *argument)
{
    struct client *client = argument;
    char text[2 * MOST_VALUE];
    int fd = connect_server();
    for (double start; (start = now_s()) < end_s;) {
        int length = make_request(client, text);
        int set = text[0] == 's';
        if (write(fd, text, (size_t)length) != length)
            fail("write");
        read_answer(fd, text, set);
        client->total_s += now_s() - start;
        client->requests++;
    }
    close(fd);
    return NULL;
}

int main(int argc, char **argv)
{
    static struct client clients[MOST_CONNECTIONS];
    if (argc != 5)
        return 2;
    port = atoi(argv[1]);
    int count = atoi(argv[2]);
    value_bytes = atoi(argv[4]);
    if (count < 1 || count > MOST_CONNECTIONS || value_bytes < 1 || value_bytes > MOST_VALUE)
        return 2;
    end_s = now_s() + atof(argv[3]);
    unsigned long requests = 0;
    double total_s = 0;
    for (int i = 0; i < count; i++) {
        clients[i].seed = (unsigned)i * 7919 + 1;
        pthread_create(&clients[i].thread, NULL, run_client, &clients[i]);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(clients[i].thread, NULL);
        requests += clients[i].requests;
        total_s += clients[i].total_s;
    }
    printf("%lu requests, mean %.1f us\n", requests, total_s / (double)requests * 1e6);
    return 0;
}
