/* a request gives its block to a compressor thread and waits for the answer by poll on a socket pair, beside a pipe that stays quiet: the compressor's compress_block
   takes 0.3 or, one time in eight, 4..10 ms */
#include <pthread.h>
#include <semaphore.h>
#include <poll.h>
#include <sys/socket.h>
#include "own.h"
#include <vprof_api.h>
static int pair[2], quiet[2], requests = 400;
static unsigned block;
static sem_t given;
void compress_block(unsigned r) { NAP(r % 8 == 0 ? 4000 + r / 8 % 6000 : 300); }
void *compressor(void *p) { for (;;) { sem_wait(&given); if (block == ~0u) return p; compress_block(block); if (write(pair[1], "x", 1) != 1) exit(8); } }
void await_answer(void)
{
    char v;
    struct pollfd set[2] = { { quiet[0], POLLIN, 0 }, { pair[0], POLLIN, 0 } };
    while (poll(set, 2, 1000) != 1) {}
    if (read(pair[0], &v, 1) != 1) exit(8);
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
    if (argc > 1) requests = atoi(argv[1]);
    own_open();
    sem_init(&given, 0, 0);
    if (pipe(quiet) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) exit(8);
    pthread_create(&c, NULL, compressor, NULL);
    for (int i = 0; i < requests; i++) { serve(i + 1, RNG(seed) & 0xffffff); NAP(200); }
    block = ~0u;
    sem_post(&given);
    pthread_join(c, NULL);
    own_close("await_answer", NULL);
    return 0;
}
