/* server.c - a culprit eight calls below the request handler.
 *
 *     main -> handle_request -> step_... (seven of them) -> flush_journal -> nanosleep
 *
 * handle_request() is the top of a tree of 400 functions, each called once in a request
 * (generate.py wrote them). All do a few instructions of work, but one sleeps. To time all 400
 * would be easy here; in a real server it would cost more than the requests themselves, so what
 * this example asks is to find the one by timing a few.
 */
#include <time.h>

#include "planted.h"
#include "steps.h"
#include "vprof_api.h"

enum { REQUESTS = 400 };
enum { FLUSH = 1 };

static struct truth_row rows[REQUESTS];
static struct truth_row *row; /* of the request at hand */
static unsigned chance = 1597334677;

/* The planted cause: one flush in five takes 6 to 12 ms instead of 1. */
unsigned flush_journal(unsigned x)
{
    unsigned us = random_below(&chance, 5) ? 1000 : 6000 + random_below(&chance, 6000);
    struct timespec pause = {0, us * 1000L};
    int64_t start = now_ns();
    nanosleep(&pause, NULL);
    row->ns[FLUSH] = now_ns() - start;
    return x + 1;
}

int main(void)
{
    unsigned x = 1;
    for (row = rows; row < rows + REQUESTS; row++) {
        SI_BEGIN(row);
        int64_t start = now_ns();
        x = handle_request(x);
        row->ns[LATENCY] = now_ns() - start;
        SI_END(row);
    }
    truth_write((const char *const[]){"flush"}, 1, rows, REQUESTS);
    return 0;
}
