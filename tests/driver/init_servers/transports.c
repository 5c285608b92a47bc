/* A connection reads by its transport: plain, or scrambled. Each of them receives. */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

struct link {
    ssize_t (*take)(struct link *, char *, size_t);
    ssize_t (*give)(struct link *, char *, size_t);
    int descriptor;
    char line[256];
};

static int poller;

static ssize_t take_plain(struct link *from, char *text, size_t size)
{
    return recv(from->descriptor, text, size, 0);
}

static ssize_t give_plain(struct link *to, char *text, size_t size)
{
    return send(to->descriptor, text, size, MSG_NOSIGNAL);
}

static void scramble(char *text, ssize_t size)
{
    for (ssize_t i = 0; i < size; i++)
        text[i] ^= 42;
}

static ssize_t take_scrambled(struct link *from, char *text, size_t size)
{
    ssize_t got = recv(from->descriptor, text, size, 0);
    scramble(text, got);
    return got;
}

static ssize_t give_scrambled(struct link *to, char *text, size_t size)
{
    scramble(text, (ssize_t)size);
    return send(to->descriptor, text, size, MSG_NOSIGNAL);
}

static void attend(struct link *peer)
{
    ssize_t got = peer->take(peer, peer->line, sizeof peer->line);
    if (got <= 0) {
        close(peer->descriptor);
        free(peer);
        return;
    }
    for (ssize_t i = 0; i < got / 2; i++) {
        char kept = peer->line[i];
        peer->line[i] = peer->line[got - 1 - i];
        peer->line[got - 1 - i] = kept;
    }
    peer->give(peer, peer->line, (size_t)got);
}

static void admit(int door, int secret)
{
    struct link *fresh = calloc(1, sizeof *fresh);
    fresh->descriptor = accept(door, NULL, NULL);
    fresh->take = secret ? take_scrambled : take_plain;
    fresh->give = secret ? give_scrambled : give_plain;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = fresh};
    epoll_ctl(poller, EPOLL_CTL_ADD, fresh->descriptor, &event);
}

int main(int count, char **words)
{
    int door = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7044)};
    if (bind(door, (struct sockaddr *)&address, sizeof address) || listen(door, 8))
        return 1;
    poller = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(poller, EPOLL_CTL_ADD, door, &event);
    for (;;) {
        struct epoll_event ready[16];
        int many = epoll_wait(poller, ready, 16, -1);
        for (int i = 0; i < many; i++)
            if (ready[i].data.ptr)
                attend(ready[i].data.ptr);
            else
                admit(door, count > 1 && !strcmp(words[1], "secret"));
    }
}
