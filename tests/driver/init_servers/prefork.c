/* Four processes accept from one socket; each serves a connection's lines, one after another. */
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct page {
    const char *path, *text;
};

static const struct page pages[] = {{"/", "home"}, {"/about", "about us"}};

static const char *find_page(const char *path)
{
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        if (!strcmp(pages[i].path, path))
            return pages[i].text;
    return NULL;
}

static int parse_request(char *line, char **path)
{
    if (strncmp(line, "GET ", 4) != 0)
        return -1;
    *path = line + 4;
    (*path)[strcspn(*path, " \r\n")] = '\0';
    return 0;
}

static void send_page(FILE *client, const char *text)
{
    fprintf(client, "HTTP/1.0 200 OK\r\nContent-Length: %zu\r\n\r\n%s", strlen(text), text);
    fflush(client);
}

static void send_error(FILE *client, int status)
{
    fprintf(client, "HTTP/1.0 %d no\r\n\r\n", status);
    fflush(client);
}

static void respond(FILE *client, char *line)
{
    char *path;
    if (parse_request(line, &path)) {
        send_error(client, 400);
        return;
    }
    const char *text = find_page(path);
    if (text)
        send_page(client, text);
    else
        send_error(client, 404);
}

static void talk_to(int descriptor)
{
    FILE *client = fdopen(descriptor, "r+");
    char line[1024];
    while (fgets(line, sizeof line, client))
        respond(client, line);
    fclose(client);
}

static void child(int door)
{
    for (;;) {
        int client = accept(door, NULL, NULL);
        if (client >= 0)
            talk_to(client);
    }
}

int main(void)
{
    int door = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7005)};
    if (bind(door, (struct sockaddr *)&address, sizeof address) || listen(door, 8))
        return 1;
    for (int i = 0; i < 4; i++)
        if (fork() == 0)
            child(door);
    while (wait(NULL) > 0)
        ;
    return 0;
}
