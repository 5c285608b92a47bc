/* libevent's HTTP server: one callback for each request. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event2/buffer.h"
#include "event2/event.h"
#include "event2/http.h"

static int articles(const char *path, char *text, size_t size)
{
    return snprintf(text, size, "<p>%s has %zu letters</p>", path, strlen(path));
}

static void page(struct evhttp_request *request, void *argument)
{
    struct evbuffer *body = evbuffer_new();
    char text[256];
    (void)argument;
    articles(evhttp_request_get_uri(request), text, sizeof text);
    evbuffer_add_printf(body, "%s", text);
    evhttp_send_reply(request, 200, "OK", body);
    evbuffer_free(body);
}

static void tick(int descriptor, short what, void *argument)
{
    (void)descriptor;
    (void)what;
    (*(int *)argument)++;
}

int main(void)
{
    struct event_base *base = event_base_new();
    struct evhttp *http = evhttp_new(base);
    int ticks = 0;
    struct timeval second = {1, 0};
    struct event *clock = event_new(base, -1, EV_PERSIST, tick, &ticks);
    event_add(clock, &second);
    evhttp_bind_socket(http, "127.0.0.1", 7009);
    evhttp_set_gencb(http, page, NULL);
    return event_base_dispatch(base);
}
