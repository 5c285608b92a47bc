/* What takes connections sends to some of them; what they ask is read, and answered, by others. */
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 64 };

struct guest {
    int descriptor;
    char asked[128], reply[128];
    size_t length;
};

static struct guest guests[MOST];
static int server, poller, count;

static void watch(int descriptor, int how, unsigned what)
{
    struct epoll_event event = {.events = what, .data.fd = descriptor};
    epoll_ctl(poller, how, descriptor, &event);
}

static void refuse(int descriptor, const char *why)
{
    send(descriptor, why, strlen(why), MSG_NOSIGNAL);
    close(descriptor);
}

static void take(void)
{
    for (;;) {
        int fresh = accept(server, NULL, NULL);
        if (fresh < 0)
            return;
        if (fresh >= MOST || count == MOST) {
            refuse(fresh, "busy\n");
            return;
        }
        count++;
        guests[fresh].descriptor = fresh;
        watch(fresh, EPOLL_CTL_ADD, EPOLLIN);
    }
}

static void ask(struct guest *guest)
{
    ssize_t got = recv(guest->descriptor, guest->asked, sizeof guest->asked, 0);
    if (got <= 0) {
        close(guest->descriptor);
        count--;
        return;
    }
    for (ssize_t i = 0; i < got; i++)
        guest->reply[i] = guest->asked[got - 1 - i];
    guest->length = (size_t)got;
    watch(guest->descriptor, EPOLL_CTL_MOD, EPOLLOUT);
}

static void answer(struct guest *guest)
{
    if (write(guest->descriptor, guest->reply, guest->length) > 0)
        watch(guest->descriptor, EPOLL_CTL_MOD, EPOLLIN);
}

int main(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7040)};
    server = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    bind(server, (struct sockaddr *)&address, sizeof address);
    listen(server, 10);
    poller = epoll_create1(0);
    watch(server, EPOLL_CTL_ADD, EPOLLIN);
    for (;;) {
        struct epoll_event ready[16];
        int many = epoll_wait(poller, ready, 16, -1);
        for (int i = 0; i < many; i++)
            if (ready[i].data.fd == server)
                take();
            else if (ready[i].events & EPOLLIN)
                ask(&guests[ready[i].data.fd]);
            else
                answer(&guests[ready[i].data.fd]);
    }
}
