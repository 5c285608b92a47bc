/* Callbacks of libuv: a request is worked on by its thread pool, and answered in the loop. */
#include <stdlib.h>
#include <string.h>

#include "uv.h"

struct task {
    uv_work_t work;
    uv_write_t write;
    uv_stream_t *client;
    char text[256];
    size_t length;
};

static uv_loop_t *loop;

static void give_room(uv_handle_t *handle, size_t wanted, uv_buf_t *room)
{
    (void)handle;
    room->base = malloc(wanted);
    room->len = wanted;
}

static void compute(uv_work_t *work)
{
    struct task *task = work->data;
    for (size_t i = 0; i < task->length; i++)
        task->text[i] = (char)(task->text[i] ^ 32);
}

static void written(uv_write_t *write, int status)
{
    (void)status;
    free(write->data);
}

static void computed(uv_work_t *work, int status)
{
    (void)status;
    struct task *task = work->data;
    uv_buf_t part = uv_buf_init(task->text, (unsigned)task->length);
    task->write.data = task;
    uv_write(&task->write, task->client, &part, 1, written);
}

static void got(uv_stream_t *client, ssize_t count, const uv_buf_t *room)
{
    if (count > 0) {
        struct task *task = calloc(1, sizeof *task);
        task->client = client;
        task->length = (size_t)count < sizeof task->text ? (size_t)count : sizeof task->text;
        memcpy(task->text, room->base, task->length);
        task->work.data = task;
        uv_queue_work(loop, &task->work, compute, computed);
    }
    free(room->base);
}

static void arrived(uv_stream_t *door, int status)
{
    (void)status;
    uv_tcp_t *client = malloc(sizeof *client);
    uv_tcp_init(loop, client);
    uv_accept(door, (uv_stream_t *)client);
    uv_read_start((uv_stream_t *)client, give_room, got);
}

int main(void)
{
    uv_tcp_t door;
    struct sockaddr_in address;
    loop = uv_default_loop();
    uv_tcp_init(loop, &door);
    uv_ip4_addr("127.0.0.1", 7007, &address);
    uv_tcp_bind(&door, (const struct sockaddr *)&address, 0);
    uv_listen((uv_stream_t *)&door, 8, arrived);
    return uv_run(loop, UV_RUN_DEFAULT);
}
