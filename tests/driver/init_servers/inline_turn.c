/* Everything is in one function: the interval is a turn of its loop, from what read gave to what
 * write took. */
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static unsigned checksum(const char *bytes, size_t count)
{
    unsigned sum = 0;
    while (count--)
        sum = sum * 31 + (unsigned char)*bytes++;
    return sum;
}

static void *connection(void *argument)
{
    int peer = (int)(intptr_t)argument;
    char block[256];
    for (;;) {
        ssize_t got = read(peer, block, sizeof block);
        if (got <= 0)
            break;
        unsigned sum = checksum(block, (size_t)got);
        memcpy(block, &sum, sizeof sum);
        if (write(peer, block, sizeof sum) < 0)
            break;
    }
    close(peer);
    return NULL;
}

int main(void)
{
    int door = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7002)};
    if (bind(door, (struct sockaddr *)&address, sizeof address) || listen(door, 8))
        return 1;
    for (;;) {
        pthread_t thread;
        int peer = accept(door, NULL, NULL);
        pthread_create(&thread, NULL, connection, (void *)(intptr_t)peer);
    }
}
