/* Callbacks of libuv: what is read is answered by a write. */
#include <stdlib.h>
#include <string.h>

#include "uv.h"

static uv_loop_t *loop;

static void give_room(uv_handle_t *handle, size_t wanted, uv_buf_t *room)
{
    (void)handle;
    room->base = malloc(wanted);
    room->len = wanted;
}

static void written(uv_write_t *request, int status)
{
    (void)status;
    free(request->data);
    free(request);
}

static void reverse(char *text, size_t length)
{
    for (size_t i = 0; i < length / 2; i++) {
        char kept = text[i];
        text[i] = text[length - 1 - i];
        text[length - 1 - i] = kept;
    }
}

static void respond(uv_stream_t *client, char *text, size_t length)
{
    uv_write_t *request = malloc(sizeof *request);
    uv_buf_t part = uv_buf_init(text, (unsigned)length);
    reverse(text, length);
    request->data = text;
    uv_write(request, client, &part, 1, written);
}

static void got(uv_stream_t *client, ssize_t count, const uv_buf_t *room)
{
    if (count > 0) {
        respond(client, room->base, (size_t)count);
        return;
    }
    if (count < 0)
        uv_close((uv_handle_t *)client, NULL);
    free(room->base);
}

static void arrived(uv_stream_t *door, int status)
{
    if (status < 0)
        return;
    uv_tcp_t *client = malloc(sizeof *client);
    uv_tcp_init(loop, client);
    if (uv_accept(door, (uv_stream_t *)client) == 0)
        uv_read_start((uv_stream_t *)client, give_room, got);
}

int main(void)
{
    uv_tcp_t door;
    struct sockaddr_in address;
    loop = uv_default_loop();
    uv_tcp_init(loop, &door);
    uv_ip4_addr("127.0.0.1", 7006, &address);
    uv_tcp_bind(&door, (const struct sockaddr *)&address, 0);
    uv_listen((uv_stream_t *)&door, 8, arrived);
    return uv_run(loop, UV_RUN_DEFAULT);
}
