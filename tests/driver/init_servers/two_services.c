/* Datagrams are answered by one handler, and commands over a connection by another one, which is
 * known by its watcher alone. */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct watcher {
    int descriptor;
};

/* Of a library. */
void watcher_add(struct watcher *, void (*ready)(struct watcher *, void *), void *, int);
void watchers_run(void);

struct session {
    struct watcher watcher;
    char text[256];
};

struct post {
    int socket;
    char text[512];
};

static void post_ready(struct watcher *watcher, void *data)
{
    struct post *post = data;
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    ssize_t got =
        recvfrom(post->socket, post->text, sizeof post->text, 0, (struct sockaddr *)&from, &length);
    (void)watcher;
    for (ssize_t i = 0; i < got; i++)
        post->text[i] ^= 1;
    if (got > 0)
        sendto(post->socket, post->text, (size_t)got, 0, (struct sockaddr *)&from, length);
}

static void say(struct watcher *to, const char *text)
{
    send(to->descriptor, text, strlen(text), MSG_NOSIGNAL);
}

static int take_line(int from, char *text, size_t size)
{
    ssize_t got = recv(from, text, size - 1, 0);
    text[got > 0 ? got : 0] = '\0';
    return got > 0;
}

static void store(struct watcher *to, const char *what)
{
    say(to, strlen(what) > 9 ? "long\n" : "stored\n");
}

static void list(struct watcher *to, const char *what)
{
    say(to, what);
}

static void session_ready(struct watcher *watcher, void *data)
{
    struct session *session = data;
    if (!take_line(watcher->descriptor, session->text, sizeof session->text))
        return;
    if (strncmp(session->text, "store ", 6) == 0)
        store(watcher, session->text + 6);
    else if (strncmp(session->text, "list ", 5) == 0)
        list(watcher, session->text + 5);
    else
        say(watcher, "what?\n");
}

int main(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7039)};
    struct post *post = calloc(1, sizeof *post);
    struct watcher *watcher = calloc(1, sizeof *watcher);
    struct session *session = calloc(1, sizeof *session);
    post->socket = socket(AF_INET, SOCK_DGRAM, 0);
    bind(post->socket, (struct sockaddr *)&address, sizeof address);
    watcher_add(watcher, post_ready, post, post->socket);
    watcher_add(&session->watcher, session_ready, session, 3);
    watchers_run();
}
