/* c9_outside.c - "--server PORT" works 2 ms for each byte that a client sends; "--client PORT" sends the next one when it has its
 * answer. A client that is not slowed down with the server gains from each delay: no throughput can be told. */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "work.h"

static __attribute__((noinline)) void serve(void)
{
    work_ms(2);
}

static struct sockaddr_in address_of(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static int run_server(int port)
{
    struct sockaddr_in address = address_of(port);
    int on = 1, listener = socket(AF_INET, SOCK_STREAM, 0);
    char byte;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener, 1) != 0)
        return 1;
    int fd = accept(listener, NULL, NULL);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    while (read(fd, &byte, 1) == 1) {
        SI_BEGIN(1);
        serve();
        SI_END(1);
        if (write(fd, &byte, 1) != 1)
            return 1;
    }
    return 0;
}

static int run_client(int port)
{
    struct sockaddr_in address = address_of(port);
    int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    struct timespec pause = {0, 10000000};
    char byte = 'x';
    for (int i = 0; i < 500 && connect(fd, (struct sockaddr *)&address, sizeof address) != 0; i++)
        nanosleep(&pause, NULL);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    while (work_goes_on()) {
        work_ms(2);
        if (write(fd, &byte, 1) != 1 || read(fd, &byte, 1) != 1)
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    work_start(argc, argv);
    int server = (int)work_option("server", 0);
    return server ? run_server(server) : run_client((int)work_option("client", 0));
}
