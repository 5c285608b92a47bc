/* A thread serves one request, and what is wrong with it leaves a block that is gone through once. */
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void *connection(void *data)
{
    int client = (int)(intptr_t)data;
    char text[256];
    unsigned sum = 0;
    ssize_t got = recv(client, text, sizeof text, 0);
    for (ssize_t i = 0; i < got; i++) {
        do {
            if (text[i] == ' ')
                break;
            if (text[i] == '\t')
                continue;
            sum = sum * 31 + (unsigned char)text[i];
        } while (0);
    }
    do {
        if (got < 4) {
            sum = 1;
            break;
        }
        sum++;
    } while (0);
    send(client, &sum, sizeof sum, MSG_NOSIGNAL);
    close(client);
    return NULL;
}

int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7038)};
    bind(server, (struct sockaddr *)&address, sizeof address);
    listen(server, 10);
    for (;;) {
        int client = accept(server, NULL, NULL);
        pthread_t thread;
        pthread_create(&thread, NULL, connection, (void *)(intptr_t)client);
        pthread_detach(thread);
    }
}
