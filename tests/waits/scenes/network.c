/* Over loopback: a server that another process asks at fixed times, and an echo within one process. */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "own_time.h"
#include "scene.h"
#include "work.h"

static int rounds;

static struct sockaddr_in loopback(const char *port)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                .sin_port = htons((uint16_t)(port ? atoi(port) : 0))};
}

static int listen_at(const char *port)
{
    struct sockaddr_in at = loopback(port);
    int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) ||
        bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 1))
        exit(1);
    return listener;
}

static bool try_to_connect(int socket, struct sockaddr_in at)
{
    return connect(socket, (struct sockaddr *)&at, sizeof at) == 0;
}

static void send_at_once(int socket)
{
    int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

/* One request after the other, each 3 ms, from the port (the word); no more than what comes. */
int64_t scene_server(const struct scene_options *options)
{
    char byte;
    int64_t done = 0;
    own_begin("server");
    int listener = listen_at(options->word);
    struct own_moment since = own_now();
    int client = accept(listener, NULL, NULL);
    own_waited(&since, "client");
    send_at_once(client);
    for (;; done++) {
        since = own_now();
        bool more = read(client, &byte, 1) == 1;
        own_waited(&since, "client");
        if (!more)
            break;
        compute_ms(3);
        if (write(client, &byte, 1) != 1)
            break;
    }
    own_end();
    return done;
}

static void nap_until(int64_t at_ns)
{
    struct timespec at = {at_ns / 1000000000, at_ns % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

/* A request every 10 ms, whether the last one has been answered or not. */
int64_t scene_client(const struct scene_options *options)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    char byte = 0, answers[64];
    own_begin("client");
    while (!try_to_connect(server, loopback(options->word)))
        nap_ms(10);
    send_at_once(server);
    int64_t at = wall_now_ns();
    for (int i = 0; i < options->rounds; i++) {
        if (write(server, &byte, 1) != 1)
            exit(1);
        at += 10000000;
        struct own_moment since = own_now();
        nap_until(at);
        own_waited(&since, "timer");
        if (recv(server, answers, sizeof answers, MSG_DONTWAIT) == 0)
            exit(1);
    }
    close(server);
    own_end();
    return options->rounds;
}

static void *echo(void *of)
{
    char byte;
    own_begin("echo");
    struct own_moment since = own_now();
    int in = accept(*(int *)of, NULL, NULL);
    own_waited(&since, "first");
    send_at_once(in);
    for (;;) {
        since = own_now();
        bool more = read(in, &byte, 1) == 1;
        own_waited(&since, "first");
        if (!more)
            break;
        compute_ms(0.5);
        if (write(in, &byte, 1) != 1)
            exit(1);
    }
    close(in);
    own_end();
    return NULL;
}

int64_t scene_echo(const struct scene_options *options)
{
    char byte = 0;
    struct sockaddr_in at;
    socklen_t size = sizeof at;
    int listener = listen_at(NULL), out = socket(AF_INET, SOCK_STREAM, 0);
    rounds = options->rounds;
    own_begin("first");
    if (getsockname(listener, (struct sockaddr *)&at, &size))
        exit(1);
    pthread_t other = thread_begin(echo, &listener);
    if (!try_to_connect(out, at))
        exit(1);
    send_at_once(out);
    for (int i = 0; i < rounds; i++) {
        compute_ms(0.5);
        struct own_moment since = own_now();
        if (write(out, &byte, 1) != 1 || read(out, &byte, 1) != 1)
            exit(1);
        own_waited(&since, "echo");
    }
    close(out);
    thread_join(other, "echo");
    own_end();
    return rounds;
}
