/* An event library that the program brings along: its loop runs a timer, or whatever waits for a
 * descriptor, by a pointer: some once, some again and again. A reply waits for its event. */
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 16 };

struct event {
    void (*run)(int descriptor, short what, struct event *own);
    int descriptor;
    short wanted, ready, again;
    time_t due;
    char text[128];
    ssize_t length;
};

static struct event events[MOST];
static unsigned long served, shown;
static int poller;

static void watch(struct event *own, int descriptor, short what,
                  void (*run)(int, short, struct event *))
{
    own->descriptor = descriptor;
    own->wanted = what;
    own->run = run;
    struct epoll_event event = {.events = (uint32_t)what, .data.ptr = own};
    if (epoll_ctl(poller, EPOLL_CTL_MOD, descriptor, &event))
        epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event);
}

/* ---- the program ---- */

static void reads(int descriptor, short what, struct event *own);

static void writes(int descriptor, short what, struct event *own)
{
    (void)what;
    if (send(descriptor, own->text, (size_t)own->length, MSG_NOSIGNAL) < 0)
        close(descriptor);
    own->again = 1;
    watch(own, descriptor, EPOLLIN, reads);
}

static void reads(int descriptor, short what, struct event *own)
{
    (void)what;
    own->length = recv(descriptor, own->text, sizeof own->text, 0);
    if (own->length <= 0) {
        close(descriptor);
        return;
    }
    for (ssize_t i = 0; i < own->length; i++)
        own->text[i] ^= 1;
    served++;
    own->again = 0;
    watch(own, descriptor, EPOLLOUT, writes);
}

static void takes(int descriptor, short what, struct event *own)
{
    (void)what;
    int client = accept(descriptor, NULL, NULL);
    own[1].again = 1;
    watch(own + 1, client, EPOLLIN, reads);
}

static void ticks(int descriptor, short what, struct event *own)
{
    (void)descriptor;
    (void)what;
    shown = served;
    own->due = time(NULL) + 1;
}

/* ---- the library ---- */

static void run_again(struct event *own)
{
    int descriptor = own->descriptor;
    own->ready = 0;
    own->run(descriptor, own->wanted, own);
}

static void run_active(struct event *list)
{
    for (struct event *own = list; own < list + MOST; own++) {
        if (!own->ready && (!own->due || own->due > time(NULL)))
            continue;
        switch (own->again) {
        case 0:
            own->ready = 0;
            own->run(own->descriptor, own->wanted, own);
            break;
        default:
            run_again(own);
            break;
        }
    }
}

static void dispatch(struct event *list)
{
    for (;;) {
        struct epoll_event ready[MOST];
        int count = epoll_wait(poller, ready, MOST, 1000);
        for (int i = 0; i < count; i++)
            ((struct event *)ready[i].data.ptr)->ready = 1;
        run_active(list);
    }
}

int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7042)};
    if (bind(server, (struct sockaddr *)&address, sizeof address) || listen(server, 10))
        return 1;
    poller = epoll_create1(0);
    events[MOST - 1].run = ticks;
    events[MOST - 1].due = 1;
    events[0].again = 1;
    watch(&events[0], server, EPOLLIN, takes);
    dispatch(events);
}
