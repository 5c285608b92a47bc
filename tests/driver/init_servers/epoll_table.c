/* An event loop: a connection has a handler, and commands stand in a table. */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

struct connection {
    int descriptor;
    void (*ready)(struct connection *);
    char input[1024];
    size_t used;
};

static int poller;

static void reply(struct connection *to, const char *text)
{
    if (send(to->descriptor, text, strlen(text), MSG_NOSIGNAL) < 0)
        to->used = 0;
}

static void command_get(struct connection *from, const char *key)
{
    char text[128];
    snprintf(text, sizeof text, "value of %.60s\n", key);
    reply(from, text);
}

static void command_set(struct connection *from, const char *key)
{
    reply(from, *key ? "stored\n" : "no key\n");
}

static const struct command {
    const char *name;
    void (*run)(struct connection *, const char *);
} commands[] = {{"get", command_get}, {"set", command_set}};

static void execute(struct connection *from, char *line)
{
    char *key = line + strcspn(line, " ");
    if (*key)
        *key++ = '\0';
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(commands[i].name, line)) {
            commands[i].run(from, key);
            return;
        }
    reply(from, "error\n");
}

static void readable(struct connection *from)
{
    ssize_t got = read(from->descriptor, from->input + from->used,
                       sizeof from->input - from->used - 1);
    if (got <= 0) {
        close(from->descriptor);
        free(from);
        return;
    }
    from->used += (size_t)got;
    from->input[from->used] = '\0';
    char *end = strchr(from->input, '\n');
    if (end) {
        *end = '\0';
        execute(from, from->input);
        from->used = 0;
    }
}

static void acceptable(struct connection *door)
{
    struct connection *fresh = calloc(1, sizeof *fresh);
    fresh->descriptor = accept(door->descriptor, NULL, NULL);
    fresh->ready = readable;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = fresh};
    epoll_ctl(poller, EPOLL_CTL_ADD, fresh->descriptor, &event);
}

int main(void)
{
    struct connection door = {.descriptor = socket(AF_INET, SOCK_STREAM, 0), .ready = acceptable};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7004)};
    if (bind(door.descriptor, (struct sockaddr *)&address, sizeof address) ||
        listen(door.descriptor, 8))
        return 1;
    poller = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &door};
    epoll_ctl(poller, EPOLL_CTL_ADD, door.descriptor, &event);
    for (;;) {
        struct epoll_event events[16];
        int count = epoll_wait(poller, events, 16, -1);
        for (int i = 0; i < count; i++) {
            struct connection *one = events[i].data.ptr;
            one->ready(one);
        }
    }
}
