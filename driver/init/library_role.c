#include "driver/init/library_role.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"

struct known {
    const char *name;
    struct library_role role;
};

#define RECEIVE(fd, data, socket)                                                                  \
    {                                                                                              \
        ROLE_RECEIVE, fd, data, socket                                                             \
    }
#define SEND(fd, data, socket)                                                                     \
    {                                                                                              \
        ROLE_SEND, fd, data, socket                                                                \
    }
#define STREAM(role)                                                                               \
    {                                                                                              \
        role, 0, 1, false                                                                          \
    }
#define IS(role)                                                                                   \
    {                                                                                              \
        role, NO_ARGUMENT, NO_ARGUMENT, false                                                      \
    }

static const struct known known[] = {
    {"recv", RECEIVE(0, 1, true)},
    {"recvfrom", RECEIVE(0, 1, true)},
    {"recvmsg", RECEIVE(0, 1, true)},
    {"recvmmsg", RECEIVE(0, 1, true)},
    {"__recv_chk", RECEIVE(0, 1, true)},
    {"read", RECEIVE(0, 1, false)},
    {"readv", RECEIVE(0, 1, false)},
    {"SSL_read", RECEIVE(0, 1, true)},
    {"SSL_read_ex", RECEIVE(0, 1, true)},
    {"BIO_read", RECEIVE(0, 1, true)},
    {"gnutls_record_recv", RECEIVE(0, 1, true)},
    {"mbedtls_ssl_read", RECEIVE(0, 1, true)},
    {"fgets", RECEIVE(2, 0, false)},
    {"getline", RECEIVE(2, 0, false)},
    {"getdelim", RECEIVE(3, 0, false)},
    {"fread", RECEIVE(3, 0, false)},
    {"fgetc", RECEIVE(0, RESULT_ARGUMENT, false)},
    {"getc", RECEIVE(0, RESULT_ARGUMENT, false)},
    {"fscanf", RECEIVE(0, NO_ARGUMENT, false)},
    {"std::getline", RECEIVE(0, 1, false)},
    {"bufferevent_read", RECEIVE(0, 1, true)},
    {"bufferevent_read_buffer", RECEIVE(0, 1, true)},
    {"evbuffer_remove", RECEIVE(0, 1, true)},
    {"evbuffer_readln", RECEIVE(0, RESULT_ARGUMENT, true)},
    {"evbuffer_readline", RECEIVE(0, RESULT_ARGUMENT, true)},
    {"apr_socket_recv", RECEIVE(0, 1, true)},
    {"zmq_recv", RECEIVE(0, 1, true)},
    {"zmq_msg_recv", RECEIVE(1, 0, true)},
    {"mq_receive", RECEIVE(0, 1, false)},
    {"send", SEND(0, 1, true)},
    {"sendto", SEND(0, 1, true)},
    {"sendmsg", SEND(0, 1, true)},
    {"sendmmsg", SEND(0, 1, true)},
    {"write", SEND(0, 1, false)},
    {"writev", SEND(0, 1, false)},
    {"sendfile", SEND(0, 1, false)},
    {"dprintf", SEND(0, NO_ARGUMENT, false)},
    {"SSL_write", SEND(0, 1, true)},
    {"SSL_write_ex", SEND(0, 1, true)},
    {"BIO_write", SEND(0, 1, true)},
    {"gnutls_record_send", SEND(0, 1, true)},
    {"mbedtls_ssl_write", SEND(0, 1, true)},
    {"fprintf", SEND(0, NO_ARGUMENT, false)},
    {"vfprintf", SEND(0, NO_ARGUMENT, false)},
    {"fputs", SEND(1, 0, false)},
    {"fputc", SEND(1, 0, false)},
    {"putc", SEND(1, 0, false)},
    {"fwrite", SEND(3, 0, false)},
    {"fflush", SEND(0, NO_ARGUMENT, false)},
    {"bufferevent_write", SEND(0, 1, true)},
    {"bufferevent_write_buffer", SEND(0, 1, true)},
    {"evbuffer_add", SEND(0, 1, true)},
    {"evbuffer_add_printf", SEND(0, NO_ARGUMENT, true)},
    {"evbuffer_add_buffer", SEND(0, 1, true)},
    {"evhttp_send_reply", SEND(0, 3, true)},
    {"evhttp_send_reply_end", SEND(0, NO_ARGUMENT, true)},
    {"evhttp_send_error", SEND(0, NO_ARGUMENT, true)},
    {"uv_write", SEND(1, 2, true)},
    {"uv_write2", SEND(1, 2, true)},
    {"uv_try_write", SEND(0, 1, true)},
    {"uv_udp_send", SEND(1, 2, true)},
    {"uv_udp_try_send", SEND(0, 1, true)},
    {"apr_socket_send", SEND(0, 1, true)},
    {"apr_socket_sendv", SEND(0, 1, true)},
    {"apr_socket_sendfile", SEND(0, 1, true)},
    {"zmq_send", SEND(0, 1, true)},
    {"zmq_msg_send", SEND(1, 0, true)},
    {"mq_send", SEND(0, 1, false)},
    {"accept", IS(ROLE_ACCEPT)},
    {"accept4", IS(ROLE_ACCEPT)},
    {"socket", IS(ROLE_SOCKET)},
    {"listen", IS(ROLE_LISTEN)},
    {"bind", IS(ROLE_LISTEN)},
    {"connect", IS(ROLE_CONNECT)},
    {"open", IS(ROLE_FILE)},
    {"open64", IS(ROLE_FILE)},
    {"openat", IS(ROLE_FILE)},
    {"fopen", IS(ROLE_FILE)},
    {"fopen64", IS(ROLE_FILE)},
    {"popen", IS(ROLE_FILE)},
    {"pipe", IS(ROLE_FILE)},
    {"pipe2", IS(ROLE_FILE)},
    {"socketpair", IS(ROLE_FILE)},
    {"eventfd", IS(ROLE_FILE)},
    {"timerfd_create", IS(ROLE_FILE)},
    {"signalfd", IS(ROLE_FILE)},
    {"inotify_init", IS(ROLE_FILE)},
    {"inotify_init1", IS(ROLE_FILE)},
    {"mkstemp", IS(ROLE_FILE)},
    {"poll", IS(ROLE_EVENTS)},
    {"ppoll", IS(ROLE_EVENTS)},
    {"select", IS(ROLE_EVENTS)},
    {"pselect", IS(ROLE_EVENTS)},
    {"epoll_wait", IS(ROLE_EVENTS)},
    {"epoll_pwait", IS(ROLE_EVENTS)},
    {"epoll_pwait2", IS(ROLE_EVENTS)},
    {"kevent", IS(ROLE_EVENTS)},
    {"io_uring_wait_cqe", IS(ROLE_EVENTS)},
    {"io_uring_submit_and_wait", IS(ROLE_EVENTS)},
    {"event_base_dispatch", IS(ROLE_EVENTS)},
    {"event_base_loop", IS(ROLE_EVENTS)},
    {"event_dispatch", IS(ROLE_EVENTS)},
    {"uv_run", IS(ROLE_EVENTS)},
    {"ev_run", IS(ROLE_EVENTS)},
    {"g_main_loop_run", IS(ROLE_EVENTS)},
    {"pthread_cond_wait", IS(ROLE_WAIT)},
    {"pthread_cond_timedwait", IS(ROLE_WAIT)},
    {"pthread_cond_clockwait", IS(ROLE_WAIT)},
    {"sem_wait", IS(ROLE_WAIT)},
    {"sem_timedwait", IS(ROLE_WAIT)},
    {"cnd_wait", IS(ROLE_WAIT)},
    {"cnd_timedwait", IS(ROLE_WAIT)},
    {"eventfd_read", IS(ROLE_WAIT)},
    {"msgrcv", IS(ROLE_WAIT)},
    {"uv_cond_wait", IS(ROLE_WAIT)},
    {"uv_sem_wait", IS(ROLE_WAIT)},
    {"std::condition_variable::wait", IS(ROLE_WAIT)},
    {"std::condition_variable::wait_for", IS(ROLE_WAIT)},
    {"std::condition_variable::wait_until", IS(ROLE_WAIT)},
    {"std::condition_variable_any::wait", IS(ROLE_WAIT)},
    {"std::_V2::condition_variable_any::wait", IS(ROLE_WAIT)},
    {"std::counting_semaphore::acquire", IS(ROLE_WAIT)},
    {"pthread_cond_signal", IS(ROLE_WAKE)},
    {"pthread_cond_broadcast", IS(ROLE_WAKE)},
    {"sem_post", IS(ROLE_WAKE)},
    {"cnd_signal", IS(ROLE_WAKE)},
    {"cnd_broadcast", IS(ROLE_WAKE)},
    {"uv_cond_signal", IS(ROLE_WAKE)},
    {"uv_sem_post", IS(ROLE_WAKE)},
    {"std::condition_variable::notify_one", IS(ROLE_WAKE)},
    {"std::condition_variable::notify_all", IS(ROLE_WAKE)},
    {"std::promise::set_value", IS(ROLE_WAKE)},
    {"std::counting_semaphore::release", IS(ROLE_WAKE)},
    {"printf", IS(ROLE_PRINT)},
    {"vprintf", IS(ROLE_PRINT)},
    {"puts", IS(ROLE_PRINT)},
    {"putchar", IS(ROLE_PRINT)},
    {"std::operator<<", STREAM(ROLE_PRINT)},
    {"std::basic_ostream::operator<<", STREAM(ROLE_PRINT)},
    {"std::basic_ostream::write", STREAM(ROLE_PRINT)},
    {"scanf", IS(ROLE_TYPED)},
    {"std::operator>>", STREAM(ROLE_TYPED)},
    {"std::basic_istream::operator>>", STREAM(ROLE_TYPED)},
    {"pthread_create", IS(ROLE_THREAD)},
    {"thrd_create", IS(ROLE_THREAD)},
    {"uv_thread_create", IS(ROLE_THREAD)},
    {"g_thread_new", IS(ROLE_THREAD)},
    {"std::thread::thread", IS(ROLE_THREAD)},
    {"std::jthread::jthread", IS(ROLE_THREAD)},
    {"std::async", IS(ROLE_THREAD)},
    {"memcpy", IS(ROLE_COPY)},
    {"memmove", IS(ROLE_COPY)},
    {"mempcpy", IS(ROLE_COPY)},
    {"strcpy", IS(ROLE_COPY)},
    {"strncpy", IS(ROLE_COPY)},
    {"stpcpy", IS(ROLE_COPY)},
    {"strcat", IS(ROLE_COPY)},
    {"strncat", IS(ROLE_COPY)},
    {"sprintf", IS(ROLE_COPY)},
    {"snprintf", IS(ROLE_COPY)},
    {"vsnprintf", IS(ROLE_COPY)},
    {"SSL_set_fd", IS(ROLE_COPY)},
    {"SSL_set_bio", IS(ROLE_COPY)},
    {"uv_read_start", IS(ROLE_SERVE)},
    {"uv_udp_recv_start", IS(ROLE_SERVE)},
    {"bufferevent_setcb", IS(ROLE_SERVE)},
    {"evhttp_set_cb", IS(ROLE_SERVE)},
    {"evhttp_set_gencb", IS(ROLE_SERVE)},
    {"MHD_start_daemon", IS(ROLE_SERVE)},
    {"mg_set_request_handler", IS(ROLE_SERVE)},
    {"uv_queue_work", IS(ROLE_LATER)},
};

/* A word stands in a name where it is one of those that the name is made of: mg_printf, sendReply. */
static bool has_word(const char *name, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = name; (at = strcasestr(at, word)); at++) {
        bool begins = at == name || !isalnum((unsigned char)at[-1]) ||
                      (isupper((unsigned char)*at) && islower((unsigned char)at[-1]));
        if (begins && !islower((unsigned char)at[length]))
            return true;
    }
    return false;
}

static bool has_one_of(const char *name, const char *const *words)
{
    while (*words && !has_word(name, *words))
        words++;
    return *words;
}

/* Of libraries that are not listed: what their names say, as far as it is plain. */
static enum role role_of_words(const char *name)
{
    static const char *const sends[] = {"reply", "respond", "response", "answer", NULL};
    static const char *const writes[] = {"write", "send", "printf", NULL};
    static const char *const serves[] = {"request_handler", "http_handler",    "recv_cb", "read_cb",
                                         "async_read",      "async_read_some", NULL};
    const char *own = strstr(name, "__") == name ? name + 2 : name;
    bool library = strchr(own, '_') || strstr(own, "::");
    if (!library || str_starts_with(own, "str") || str_starts_with(own, "std::"))
        return ROLE_NONE;
    if (has_one_of(own, serves))
        return ROLE_SERVE;
    return has_one_of(own, sends) || has_one_of(own, writes) ? ROLE_SEND : ROLE_NONE;
}

struct library_role library_role(const char *name)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].role;
    return (struct library_role){role_of_words(name), NO_ARGUMENT, NO_ARGUMENT, true};
}
