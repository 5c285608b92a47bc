/* One thread for each connection; it reads a line and answers it, until the client leaves. */
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int count_words(const char *text)
{
    int words = 0;
    for (int inside = 0; *text; text++) {
        words += *text != ' ' && !inside;
        inside = *text != ' ';
    }
    return words;
}

static void answer_line(int client, char *line)
{
    char reply[64];
    line[strcspn(line, "\r\n")] = '\0';
    int length = snprintf(reply, sizeof reply, "%d\n", count_words(line));
    if (write(client, reply, (size_t)length) < 0)
        perror("write");
}

static void *serve_client(void *argument)
{
    int client = (int)(intptr_t)argument;
    char line[512];
    ssize_t got;
    while ((got = read(client, line, sizeof line - 1)) > 0) {
        line[got] = '\0';
        answer_line(client, line);
    }
    close(client);
    return NULL;
}

int main(void)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7001)};
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 8))
        return 1;
    for (;;) {
        int client = accept(listener, NULL, NULL);
        pthread_t thread;
        if (client >= 0 && !pthread_create(&thread, NULL, serve_client, (void *)(intptr_t)client))
            pthread_detach(thread);
    }
}
