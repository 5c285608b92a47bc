/* Nothing is received: who connects is told a number. */
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void greet(int client, unsigned number)
{
    char text[64];
    snprintf(text, sizeof text, "you are the %uth\n", number);
    if (send(client, text, strlen(text), MSG_NOSIGNAL) < 0)
        perror("send");
    close(client);
}

int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7035)};
    bind(server, (struct sockaddr *)&address, sizeof address);
    listen(server, 10);
    for (unsigned number = 1;; number++) {
        int client = accept(server, NULL, NULL);
        greet(client, number);
    }
}
