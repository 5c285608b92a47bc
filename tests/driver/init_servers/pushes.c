/* Each line is answered; and whoever is connected is told news, of which there are many more. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int listeners[MOST];

static int sum_up(const char *text, ssize_t length)
{
    int sum = 0;
    for (ssize_t i = 0; i < length; i++)
        sum = sum * 31 + text[i];
    return sum;
}

static void answer_line(int client, const char *text, ssize_t length)
{
    char reply[32];
    int size = snprintf(reply, sizeof reply, "%d\n", sum_up(text, length));
    if (send(client, reply, (size_t)size, MSG_NOSIGNAL) < 0)
        perror("send");
}

static void *tell_news(void *data)
{
    for (unsigned i = 0; data == NULL; i = (i + 1) % MOST) {
        pthread_mutex_lock(&lock);
        if (listeners[i] > 0)
            for (int n = 0; n < 20; n++)
                if (send(listeners[i], ".", 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
                    listeners[i] = 0;
        pthread_mutex_unlock(&lock);
        if (i == 0)
            usleep(2000);
    }
    return NULL;
}

static void *connection(void *data)
{
    int client = (int)(intptr_t)data;
    char text[256];
    ssize_t got;
    pthread_mutex_lock(&lock);
    listeners[client % MOST] = client;
    pthread_mutex_unlock(&lock);
    while ((got = recv(client, text, sizeof text, 0)) > 0)
        answer_line(client, text, got);
    pthread_mutex_lock(&lock);
    listeners[client % MOST] = 0;
    pthread_mutex_unlock(&lock);
    close(client);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7042)};
    pthread_create(&thread, NULL, tell_news, NULL);
    if (bind(server, (struct sockaddr *)&address, sizeof address) < 0)
        return 1;
    listen(server, 10);
    for (;;) {
        int client = accept(server, NULL, NULL);
        pthread_create(&thread, NULL, connection, (void *)(intptr_t)client);
        pthread_detach(thread);
    }
}
