/* Callbacks of libevent: the descriptor is readable, the program reads and answers by itself. */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "event2/event.h"

struct peer {
    struct event *event;
    char name[32];
    int asked;
};

static struct event_base *base;

static void answer(int descriptor, struct peer *peer, const char *question)
{
    char text[128];
    int length = snprintf(text, sizeof text, "%d %s %.40s\n", ++peer->asked, peer->name, question);
    send(descriptor, text, (size_t)length, 0);
}

static void on_input(int descriptor, short what, void *argument)
{
    struct peer *peer = argument;
    char question[512];
    (void)what;
    ssize_t got = recv(descriptor, question, sizeof question - 1, 0);
    if (got <= 0) {
        event_free(peer->event);
        close(descriptor);
        free(peer);
        return;
    }
    question[got] = '\0';
    answer(descriptor, peer, question);
}

static void on_arrival(int descriptor, short what, void *argument)
{
    (void)what;
    (void)argument;
    struct peer *peer = calloc(1, sizeof *peer);
    int client = accept(descriptor, NULL, NULL);
    peer->event = event_new(base, client, EV_READ | EV_PERSIST, on_input, peer);
    event_add(peer->event, NULL);
}

int main(void)
{
    int door = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7008)};
    if (bind(door, (struct sockaddr *)&address, sizeof address) || listen(door, 8))
        return 1;
    base = event_base_new();
    struct event *arrival = event_new(base, door, EV_READ | EV_PERSIST, on_arrival, NULL);
    event_add(arrival, NULL);
    return event_base_dispatch(base);
}
