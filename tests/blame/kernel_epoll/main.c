/* The answer to a request comes through a TCP connection on loopback, from the compressor's thread: its compress_block takes 0.3 or,
   one time in eight, 4..10 ms. The request waits in the loop of a library that nobody rewrote; RAW: by syscall(2) itself;
   PLAIN: by epoll_wait. The kernel alone knows who writes into such a connection. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include "own.h"
#include <vprof_api.h>
static int asks, answers, ep;
static unsigned block;
static sem_t given;
#if defined RAW
static void wait_ready(void) { struct epoll_event e; while (syscall(SYS_epoll_pwait, ep, &e, 1, -1, NULL, 8) != 1) {} }
#elif defined PLAIN
static void wait_ready(void) { struct epoll_event e; while (epoll_wait(ep, &e, 1, -1) != 1) {} }
#else
void loop_turn(int set);
static void wait_ready(void) { loop_turn(ep); }
#endif
void compress_block(unsigned r) { NAP(r % 8 == 0 ? 4000 + r / 8 % 6000 : 300); }
void give_answer(void) { if (send(answers, "x", 1, 0) != 1) exit(8); }
void *compressor(void *p)
{
    for (;;) {
        long a;
        sem_wait(&given);
        if (block == ~0u) return p;
        a = NOW();
        compress_block(block);
        own_planted(a, NOW(), -1);
        give_answer();
    }
}
void take_answer(void) { char v; if (recv(asks, &v, 1, 0) != 1) exit(8); }
void await_answer(void) { wait_ready(); take_answer(); }
void read_block(unsigned r) { NAP(100 + r % 40); }
static void connect_answer(void)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { .s_addr = htonl(INADDR_LOOPBACK) } };
    struct epoll_event e = { EPOLLIN, { 0 } };
    socklen_t length = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    bind(listener, (struct sockaddr *)&at, length);
    if (listen(listener, 1) || getsockname(listener, (struct sockaddr *)&at, &length)) exit(8);
    asks = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(asks, (struct sockaddr *)&at, length) || (answers = accept(listener, NULL, NULL)) < 0) exit(8);
    setsockopt(answers, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    ep = epoll_create1(0);
    epoll_ctl(ep, EPOLL_CTL_ADD, asks, &e);
}
void serve(long id, unsigned r)
{
    struct own_row *row = OWN_ROW();
    row->begin = NOW();
    SI_BEGIN(id);
    read_block(r);
    block = r;
    sem_post(&given);
    row->part[1] = NOW();
    await_answer();
    row->part[2] = NOW();
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}
int main(void)
{
    pthread_t c;
    unsigned long seed = 14;
    own_open();
    sem_init(&given, 0, 0);
    connect_answer();
    pthread_create(&c, NULL, compressor, NULL);
    for (int i = 0; i < 400; i++) { serve(i + 1, RNG(seed) & 0xffffff); NAP(200); }
    block = ~0u;
    sem_post(&given);
    pthread_join(c, NULL);
    for (long i = 0; i < *own_next; i++) {
        struct own_row *row = &own_rows[i];
        row->part[0] = own_overlap(row->part[1], row->part[2], -1);
        row->part[1] = row->part[2] - row->part[1];
    }
    own_close("compress_block await_answer", NULL);
    return 0;
}
