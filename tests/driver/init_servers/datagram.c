/* Datagrams: one question, one answer, nothing else. A log is written, too, and a file is read. */
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct zone {
    char names[16][32];
    int count;
};

static void load(struct zone *zone, const char *path)
{
    char text[512];
    int file = open(path, O_RDONLY);
    ssize_t got = file < 0 ? 0 : read(file, text, sizeof text - 1);
    text[got > 0 ? got : 0] = '\0';
    for (char *word = strtok(text, "\n"); word && zone->count < 16; word = strtok(NULL, "\n"))
        snprintf(zone->names[zone->count++], sizeof zone->names[0], "%s", word);
    if (file >= 0)
        close(file);
}

static int resolve(const struct zone *zone, const char *name)
{
    for (int i = 0; i < zone->count; i++)
        if (!strcmp(zone->names[i], name))
            return i;
    return -1;
}

static void respond(int door, const struct zone *zone, char *question,
                    const struct sockaddr *from, socklen_t size)
{
    char text[64];
    int length = snprintf(text, sizeof text, "%d", resolve(zone, question));
    sendto(door, text, (size_t)length, 0, from, size);
    fprintf(stderr, "%s\n", question);
}

int main(int argc, char **argv)
{
    static struct zone zone;
    int door = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7012)};
    if (argc > 1)
        load(&zone, argv[1]);
    if (bind(door, (struct sockaddr *)&address, sizeof address))
        return 1;
    for (;;) {
        char question[256];
        struct sockaddr_in from;
        socklen_t size = sizeof from;
        ssize_t got = recvfrom(door, question, sizeof question - 1, 0, (struct sockaddr *)&from,
                               &size);
        if (got < 0)
            continue;
        question[got] = '\0';
        respond(door, &zone, question, (struct sockaddr *)&from, size);
    }
}
