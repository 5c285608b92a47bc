/* two loops, a thread each, that share connections by their number: one poll for all of a thread's, and one request in
   thirty compacts for 7 ms, which holds the other requests of that loop and none of the other's */
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include "own.h"
#include <vprof_api.h>
enum { LOOPS = 2, EACH = 8 };
struct request { int stage, heavy; long id, sent; struct own_row *row; };
static struct request req[LOOPS][EACH];
static int pairs[LOOPS][EACH][2], want[LOOPS][EACH], per_connection = 60;
void compact(void) { NAP(7000); }
void first_stage(struct request *r) { (void)r; NAP(40); }
void second_stage(struct request *r) { NAP(50); if (r->heavy) compact(); }
int resume(int l, int c, int done)
{
    struct request *r = &req[l][c];
    char b;
    if (read(pairs[l][c][0], &b, 1) != 1) exit(8);
    if (r->stage++ == 0) {
        r->id = (l * EACH + c) * 1000000L + done + 1;
        r->heavy = (done * EACH + c * 5) % 30 == l;
        r->row = OWN_ROW();
        r->row->begin = NOW();
        SI_BEGIN_AS(r->id, r->heavy ? "compacting" : "plain");
        first_stage(r);
        SI_ENTER(SI_NONE);
    } else {
        SI_ENTER(r->id);
        r->row->part[0] = NOW() - r->sent;
        second_stage(r);
        SI_END(r->id);
        r->row->end = NOW();
        r->row->used = 1;
        r->stage = 0;
        done++;
    }
    __atomic_store_n(&want[l][c], done == per_connection ? 2 : 1, __ATOMIC_RELEASE);
    return done;
}
void *loop(void *p)
{
    int l = (int)(long)p, c, done[EACH] = { 0 }, live = EACH;
    struct pollfd set[EACH];
    for (c = 0; c < EACH; c++) { set[c].fd = pairs[l][c][0]; set[c].events = POLLIN; }
    while (live) {
        poll(set, EACH, -1);
        for (c = 0; c < EACH; c++)
            if (set[c].revents) {
                done[c] = resume(l, c, done[c]);
                if (done[c] == per_connection) { set[c].fd = -1; live--; }
            }
    }
    return p;
}
int main(void)
{
    pthread_t t[LOOPS];
    unsigned long seed = 77;
    int l, c, left;
    own_open();
    for (l = 0; l < LOOPS; l++) for (c = 0; c < EACH; c++) {
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[l][c])) exit(8);
        want[l][c] = 1;
    }
    for (l = 0; l < LOOPS; l++) pthread_create(&t[l], NULL, loop, (void *)(long)l);
    do {
        left = 0;
        for (l = 0; l < LOOPS; l++) for (c = 0; c < EACH; c++) {
            int w = __atomic_load_n(&want[l][c], __ATOMIC_ACQUIRE);
            if (w == 1) {
                __atomic_store_n(&want[l][c], 0, __ATOMIC_RELEASE);
                req[l][c].sent = NOW();
                if (write(pairs[l][c][1], "x", 1) != 1) exit(8);
            }
            left |= w != 2;
        }
        NAP(300 + RNG(seed) % 200);
    } while (left);
    for (l = 0; l < LOOPS; l++) pthread_join(t[l], NULL);
    own_close("ready_wait", NULL);
    return 0;
}
