#include <arpa/inet.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
static void *connection(void *data)
{
    int client = (int)(intptr_t)data;
    char text[256], reply[300];
    for (;;) {
        ssize_t got = recv(client, text, sizeof text, 0);
        if (got <= 0)
            break;
        unsigned sum = 0;
        for (ssize_t i = 0; i < got; i++)
            sum = sum * 31 + (unsigned char)text[i];
        if (text[0] == '#')
            continue;
        if (text[0] == '!') {
            memset(text, 0, sizeof text);
            break;
        }
        if (text[0] == '?')
            return NULL;
        switch (text[0]) {
        case 'a':
            sum++;
            break;
        default:
            break;
        }
        memcpy(reply, &sum, sizeof sum);
        if (send(client, reply, 16, 0) < 0)
            break;
    }
    close(client);
    return NULL;
}
int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7011)};
    bind(server, (struct sockaddr *)&address, sizeof address);
    listen(server, 10);
    for (;;) {
        int client = accept(server, NULL, NULL);
        pthread_t thread;
        pthread_create(&thread, NULL, connection, (void *)(intptr_t)client);
        pthread_detach(thread);
    }
}
