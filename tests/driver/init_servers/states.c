/* Events have a state machine called: one call reads a command, another one writes the reply. */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum state { READS, WRITES };

struct connection {
    int descriptor;
    enum state state;
    char command[128], reply[128];
    size_t used, left;
};

static int poller;

static void wait_for(struct connection *one, unsigned what)
{
    struct epoll_event event = {.events = what, .data.ptr = one};
    epoll_ctl(poller, EPOLL_CTL_MOD, one->descriptor, &event);
}

static void run_command(struct connection *one)
{
    unsigned sum = 0;
    for (size_t i = 0; i < one->used; i++)
        sum = sum * 31 + (unsigned char)one->command[i];
    memcpy(one->reply, &sum, sizeof sum);
    one->left = sizeof sum;
    one->used = 0;
    one->state = WRITES;
    wait_for(one, EPOLLOUT);
}

static void go_on(struct connection *one)
{
    ssize_t done;
    switch (one->state) {
    case READS:
        done = read(one->descriptor, one->command + one->used, sizeof one->command - one->used);
        if (done <= 0) {
            close(one->descriptor);
            return;
        }
        one->used += (size_t)done;
        if (memchr(one->command, '\n', one->used))
            run_command(one);
        break;
    case WRITES:
        done = write(one->descriptor, one->reply, one->left);
        if (done <= 0)
            return;
        one->left -= (size_t)done;
        if (one->left == 0) {
            one->state = READS;
            wait_for(one, EPOLLIN);
        }
        break;
    }
}

static void take(int server)
{
    struct connection *one = calloc(1, sizeof *one);
    one->descriptor = accept(server, NULL, NULL);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = one};
    epoll_ctl(poller, EPOLL_CTL_ADD, one->descriptor, &event);
}

int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7031)};
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
                go_on(ready[i].data.ptr);
            else
                take(server);
    }
}
