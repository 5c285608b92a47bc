/* A loop of its own runs what was registered: some once, some again and again. A reply waits for its
 * event. */
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum kind { NONE, ONCE, AGAIN };

struct event {
    enum kind kind;
    void (*run)(struct event *);
    int descriptor;
    short what;
    char text[128];
    ssize_t length;
};

static struct event events[16];

static void add(struct event *own, enum kind kind, void (*run)(struct event *), short what)
{
    own->kind = kind;
    own->run = run;
    own->what = what;
}

static void writes(struct event *own)
{
    if (send(own->descriptor, own->text, (size_t)own->length, MSG_NOSIGNAL) < 0)
        close(own->descriptor);
}

static void reads(struct event *own)
{
    own->length = recv(own->descriptor, own->text, sizeof own->text, 0);
    for (ssize_t i = 0; i < own->length; i++)
        own->text[i] ^= 1;
    add(own, ONCE, writes, POLLOUT);
}

static void takes(struct event *own)
{
    struct event *fresh = own + 1;
    fresh->descriptor = accept(own->descriptor, NULL, NULL);
    add(fresh, ONCE, reads, POLLIN);
}

static void run_again(struct event *own)
{
    own->what = POLLIN;
    own->run(own);
}

static void run_ready(const struct pollfd *ready)
{
    for (int i = 0; i < 16; i++) {
        struct event *own = &events[i];
        if (!ready[i].revents)
            continue;
        switch (own->kind) {
        case ONCE:
            own->run(own);
            break;
        case AGAIN:
            run_again(own);
            break;
        case NONE:
            break;
        }
    }
}

int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7041)};
    bind(server, (struct sockaddr *)&address, sizeof address);
    listen(server, 10);
    events[0].descriptor = server;
    add(&events[0], AGAIN, takes, POLLIN);
    for (;;) {
        struct pollfd ready[16];
        for (int i = 0; i < 16; i++)
            ready[i] = (struct pollfd){events[i].descriptor, events[i].what, 0};
        poll(ready, 16, -1);
        run_ready(ready);
    }
}
