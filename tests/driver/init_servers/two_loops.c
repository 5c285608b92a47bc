/* A connection is greeted in one loop, and then passed through in another one. */
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void refuse(int client, char why)
{
    char reply[2] = {5, why};
    if (write(client, reply, 2) != 2)
        close(client);
}

static int connect_as_asked(int client, const char *asked, size_t length)
{
    struct sockaddr_in to = {.sin_family = AF_INET};
    if (length < 7) {
        refuse(client, 1);
        return -1;
    }
    memcpy(&to.sin_addr, asked + 1, 4);
    memcpy(&to.sin_port, asked + 5, 2);
    int other = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(other, (struct sockaddr *)&to, sizeof to) < 0) {
        refuse(client, 2);
        return -1;
    }
    return other;
}

static int greet(int client)
{
    char asked[64];
    int other = -1;
    ssize_t got;
    while (other < 0 && (got = recv(client, asked, sizeof asked, 0)) > 0) {
        if (asked[0] == 'c')
            other = connect_as_asked(client, asked, (size_t)got);
        refuse(client, other < 0 ? 3 : 0);
    }
    return other;
}

static void pass_through(int client, int other)
{
    struct pollfd ends[2] = {{client, POLLIN, 0}, {other, POLLIN, 0}};
    char piece[512];
    for (;;) {
        poll(ends, 2, -1);
        int from = ends[0].revents ? client : other, to = from == client ? other : client;
        ssize_t got = read(from, piece, sizeof piece);
        if (got <= 0 || write(to, piece, (size_t)got) != got)
            return;
    }
}

static void *connection(void *data)
{
    int client = (int)(intptr_t)data, other = greet(client);
    if (other >= 0)
        pass_through(client, other);
    close(client);
    return NULL;
}

int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7036)};
    bind(server, (struct sockaddr *)&address, sizeof address);
    listen(server, 10);
    for (;;) {
        int client = accept(server, NULL, NULL);
        pthread_t thread;
        pthread_create(&thread, NULL, connection, (void *)(intptr_t)client);
        pthread_detach(thread);
    }
}
