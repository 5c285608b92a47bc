/* a request gives its block to a compressor thread and waits for the answer by epoll_wait on a TCP connection: the compressor's compress_block
   takes 0.3 or, one time in eight, 4..10 ms */
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include "own.h"
#include <vprof_api.h>
static int answer, far, ep, requests = 400;
static unsigned block;
static sem_t given;
void compress_block(unsigned r) { NAP(r % 8 == 0 ? 4000 + r / 8 % 6000 : 300); }
void *compressor(void *p) { for (;;) { sem_wait(&given); if (block == ~0u) return p; compress_block(block); if (send(far, "x", 1, 0) != 1) exit(8); } }
void await_answer(void)
{
    char v;
    struct epoll_event e;
    epoll_wait(ep, &e, 1, -1);
    if (recv(answer, &v, 1, 0) != 1) exit(8);
}
void read_block(unsigned r) { NAP(100 + r % 40); }
void serve(long id, unsigned r)
{
    struct own_row *row = OWN_ROW();
    long a;
    row->begin = NOW();
    SI_BEGIN(id);
    read_block(r);
    block = r;
    sem_post(&given);
    a = NOW();
    await_answer();
    row->part[0] = NOW() - a;
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}
int main(int argc, char **argv)
{
    pthread_t c;
    unsigned long seed = 14;
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { .s_addr = 0x0100007f } };
    socklen_t length = sizeof at;
    int listener, one = 1;
    struct epoll_event e = { EPOLLIN, { 0 } };
    if (argc > 1) requests = atoi(argv[1]);
    own_open();
    sem_init(&given, 0, 0);
    listener = socket(AF_INET, SOCK_STREAM, 0);
    bind(listener, (struct sockaddr *)&at, length);
    if (listen(listener, 1) || getsockname(listener, (struct sockaddr *)&at, &length)) exit(8);
    answer = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(answer, (struct sockaddr *)&at, length) || (far = accept(listener, NULL, NULL)) < 0) exit(8);
    setsockopt(far, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    ep = epoll_create1(0);
    epoll_ctl(ep, EPOLL_CTL_ADD, answer, &e);
    pthread_create(&c, NULL, compressor, NULL);
    for (int i = 0; i < requests; i++) { serve(i + 1, RNG(seed) & 0xffffff); NAP(200); }
    block = ~0u;
    sem_post(&given);
    pthread_join(c, NULL);
    own_close("await_answer", NULL);
    return 0;
}
