/* a request gives its block to a compressor thread and waits for the answer by epoll_pwait on an edge-triggered eventfd, one of 201 descriptors: the compressor's compress_block
   takes 0.3 or, one time in eight, 4..10 ms */
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <signal.h>
#include <sys/socket.h>
#include "own.h"
#include <vprof_api.h>
static int answer, ep, requests = 400;
static unsigned block;
static sem_t given;
void compress_block(unsigned r) { NAP(r % 8 == 0 ? 4000 + r / 8 % 6000 : 300); }
void *compressor(void *p) { for (;;) { sem_wait(&given); if (block == ~0u) return p; compress_block(block); eventfd_write(answer, 1); } }
void await_answer(void)
{
    eventfd_t v;
    struct epoll_event e[8];
    sigset_t none;
    int n, i, mine = 0;
    sigemptyset(&none);
    while (!mine) {
        n = epoll_pwait(ep, e, 8, -1, &none);
        for (i = 0; i < n; i++) mine |= e[i].data.ptr == (void *)&answer;
    }
    while (eventfd_read(answer, &v) == 0) {}
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
    struct epoll_event e;
    int other[2], k;
    if (argc > 1) requests = atoi(argv[1]);
    own_open();
    sem_init(&given, 0, 0);
    answer = eventfd(0, EFD_NONBLOCK);
    ep = epoll_create1(0);
    e.events = EPOLLIN | EPOLLET;
    for (k = 0; k < 200; k++) { /* nothing ever comes from these */
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, other)) exit(8);
        e.data.ptr = &other[k % 2];
        epoll_ctl(ep, EPOLL_CTL_ADD, other[0], &e);
    }
    e.data.ptr = &answer;
    epoll_ctl(ep, EPOLL_CTL_ADD, answer, &e);
    pthread_create(&c, NULL, compressor, NULL);
    for (int i = 0; i < requests; i++) { serve(i + 1, RNG(seed) & 0xffffff); NAP(200); }
    block = ~0u;
    sem_post(&given);
    pthread_join(c, NULL);
    own_close("await_answer", NULL);
    return 0;
}
