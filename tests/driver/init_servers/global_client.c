/* One client at a time, in a variable that nobody is given. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int peer;
static char text[1000], path[100];

static size_t more(char *to, size_t size)
{
    ssize_t got = read(peer, to, size);
    return got > 0 ? (size_t)got : 0;
}

static void put(const char *line)
{
    size_t length = strlen(line);
    if (write(peer, line, length) != (ssize_t)length)
        exit(1);
}

static void rest(void)
{
    char ignored[100];
    shutdown(peer, SHUT_WR);
    while (more(ignored, sizeof ignored))
        ;
}

static void fail(int code)
{
    char line[40];
    snprintf(line, sizeof line, "HTTP/1.0 %d Sorry\r\n\r\n", code);
    put(line);
    rest();
}

static void page(void)
{
    put("HTTP/1.0 200 OK\r\n\r\n");
    put(path);
    rest();
}

static void whole(void)
{
    size_t length = 0;
    while (length + 1 < sizeof text && !strstr(text, "\n\n")) {
        size_t got = more(text + length, sizeof text - 1 - length);
        if (!got)
            break;
        length += got;
        text[length] = '\0';
    }
    if (sscanf(text, "GET %99s", path) != 1)
        fail(400);
    else if (strstr(path, ".."))
        fail(403);
    else
        page();
}

int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7012)};
    if (bind(server, (struct sockaddr *)&address, sizeof address) || listen(server, 10))
        return 1;
    for (;;) {
        peer = accept(server, NULL, NULL);
        memset(text, 0, sizeof text);
        whole();
        close(peer);
    }
}
