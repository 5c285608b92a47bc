/* As much of libuv's interface as the programs beside use; nothing of it is linked. */
#ifndef INIT_SERVERS_UV_H
#define INIT_SERVERS_UV_H

#include <netinet/in.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct uv_loop_s uv_loop_t;
typedef struct uv_handle_s {
    void *data;
} uv_handle_t;
typedef struct uv_stream_s {
    void *data;
} uv_stream_t;
typedef struct uv_tcp_s {
    void *data;
    char own[240];
} uv_tcp_t;
typedef struct uv_write_s {
    void *data;
    char own[184];
} uv_write_t;
typedef struct uv_work_s {
    void *data;
    char own[120];
} uv_work_t;
typedef struct uv_buf_t {
    char *base;
    size_t len;
} uv_buf_t;
typedef enum { UV_RUN_DEFAULT } uv_run_mode;

typedef void (*uv_alloc_cb)(uv_handle_t *, size_t, uv_buf_t *);
typedef void (*uv_read_cb)(uv_stream_t *, ssize_t, const uv_buf_t *);
typedef void (*uv_write_cb)(uv_write_t *, int);
typedef void (*uv_close_cb)(uv_handle_t *);
typedef void (*uv_connection_cb)(uv_stream_t *, int);
typedef void (*uv_work_cb)(uv_work_t *);
typedef void (*uv_after_work_cb)(uv_work_t *, int);

uv_loop_t *uv_default_loop(void);
uv_buf_t uv_buf_init(char *, unsigned);
int uv_run(uv_loop_t *, uv_run_mode);
int uv_ip4_addr(const char *, int, struct sockaddr_in *);
int uv_tcp_init(uv_loop_t *, uv_tcp_t *);
int uv_tcp_bind(uv_tcp_t *, const struct sockaddr *, unsigned);
int uv_listen(uv_stream_t *, int, uv_connection_cb);
int uv_accept(uv_stream_t *, uv_stream_t *);
int uv_read_start(uv_stream_t *, uv_alloc_cb, uv_read_cb);
int uv_write(uv_write_t *, uv_stream_t *, const uv_buf_t *, unsigned, uv_write_cb);
int uv_queue_work(uv_loop_t *, uv_work_t *, uv_work_cb, uv_after_work_cb);
void uv_close(uv_handle_t *, uv_close_cb);

#endif
