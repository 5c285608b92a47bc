/* What a client sends is passed on to another server, and what that one says to the client. */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

struct pipe_end {
    int descriptor;
    struct pipe_end *other;
    char buffer[4096];
    size_t length;
    unsigned long passed;
};

static int poller;

static void watch(struct pipe_end *end)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = end};
    epoll_ctl(poller, EPOLL_CTL_ADD, end->descriptor, &event);
}

static void close_both(struct pipe_end *end)
{
    close(end->descriptor);
    if (end->other)
        close(end->other->descriptor);
}

static int connect_to_server(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7044)};
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0)
        return -1;
    return descriptor;
}

static void flush_buffer(struct pipe_end *end)
{
    ssize_t sent = send(end->other->descriptor, end->buffer, end->length, MSG_NOSIGNAL);
    if (sent < 0)
        close_both(end);
    end->length = 0;
}

static void count_bytes(struct pipe_end *end)
{
    for (size_t i = 0; i < end->length; i++)
        end->passed += end->buffer[i] == '\n';
}

static void readable(struct pipe_end *end)
{
    ssize_t got =
        recv(end->descriptor, end->buffer + end->length, sizeof end->buffer - end->length, 0);
    if (got <= 0) {
        close_both(end);
        return;
    }
    end->length += (size_t)got;
    count_bytes(end);
    flush_buffer(end);
}

static void take(int server)
{
    struct pipe_end *client = calloc(1, sizeof *client), *other = calloc(1, sizeof *other);
    client->descriptor = accept(server, NULL, NULL);
    other->descriptor = connect_to_server();
    client->other = other;
    other->other = client;
    watch(client);
    watch(other);
}

int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7043)};
    bind(server, (struct sockaddr *)&address, sizeof address);
    listen(server, 10);
    poller = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(poller, EPOLL_CTL_ADD, server, &event);
    for (;;) {
        struct epoll_event ready[16];
        int count = epoll_wait(poller, ready, 16, -1);
        for (int i = 0; i < count; i++)
            if (ready[i].data.ptr)
                readable(ready[i].data.ptr);
            else
                take(server);
    }
}
