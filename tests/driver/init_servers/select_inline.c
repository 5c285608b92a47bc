/* One loop takes connections and serves those that select tells of, by the number of each. */
#include <netinet/in.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

struct guest {
    int descriptor;
    char name[16];
};

static struct guest *guests[FD_SETSIZE], kept[FD_SETSIZE];

static void tell_others(int from, const char *text, size_t length)
{
    for (int i = 0; i < FD_SETSIZE; i++)
        if (guests[i] && i != from && write(guests[i]->descriptor, text, length) < 0)
            guests[i] = NULL;
}

int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7034)};
    bind(server, (struct sockaddr *)&address, sizeof address);
    listen(server, 10);
    for (;;) {
        fd_set readable;
        FD_ZERO(&readable);
        FD_SET(server, &readable);
        for (int i = 0; i < FD_SETSIZE; i++)
            if (guests[i])
                FD_SET(i, &readable);
        select(FD_SETSIZE, &readable, NULL, NULL, NULL);
        if (FD_ISSET(server, &readable)) {
            int fresh = accept(server, NULL, NULL);
            kept[fresh].descriptor = fresh;
            guests[fresh] = &kept[fresh];
            if (write(guests[fresh]->descriptor, "welcome\n", 8) < 0)
                guests[fresh] = NULL;
        }
        char text[256];
        for (int i = 0; i < FD_SETSIZE; i++) {
            if (!guests[i] || !FD_ISSET(i, &readable))
                continue;
            ssize_t got = read(i, text, sizeof text);
            if (got <= 0) {
                close(i);
                guests[i] = NULL;
            } else if (text[0] == '/') {
                memcpy(guests[i]->name, text, 15);
                if (write(guests[i]->descriptor, "named\n", 6) < 0)
                    guests[i] = NULL;
            } else {
                tell_others(i, text, (size_t)got);
            }
        }
    }
}
