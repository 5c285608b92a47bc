/* One function has a loop for each way to be asked: as often as the first line says, or to the end. */
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static unsigned checksum(const char *text, ssize_t length)
{
    unsigned sum = 0;
    for (ssize_t i = 0; i < length; i++)
        sum = sum * 31 + (unsigned char)text[i];
    return sum;
}

static void *connection(void *data)
{
    int client = (int)(intptr_t)data;
    char text[256];
    ssize_t got = 0;
    int often = 10;
    while (often-- > 0) {
        got = recv(client, text, sizeof text, 0);
        unsigned sum = checksum(text, got);
        if (got <= 0 || send(client, &sum, sizeof sum, MSG_NOSIGNAL) < 0)
            break;
    }
    while (got > 0) {
        got = recv(client, text, sizeof text, 0);
        unsigned sum = ~checksum(text, got);
        if (got > 0 && send(client, &sum, sizeof sum, MSG_NOSIGNAL) < 0)
            break;
    }
    close(client);
    return NULL;
}

int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7037)};
    bind(server, (struct sockaddr *)&address, sizeof address);
    listen(server, 10);
    for (;;) {
        int client = accept(server, NULL, NULL);
        pthread_t thread;
        pthread_create(&thread, NULL, connection, (void *)(intptr_t)client);
        pthread_detach(thread);
    }
}
